import { expect, test } from 'vitest';
import { utf8Bytes } from '../../addon/text.ts';

test.each(['', 'nasa', 'Zoë', '日本', '👩‍🚀 on 🌙', 'é日🌙'])(
  'the bytes of the text "%s" are those of UTF-8',
  (text) => {
    expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
  },
);
