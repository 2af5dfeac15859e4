import { expect, test } from 'vitest';
import { utf8Bytes } from '../../addon/text.ts';

test.each(['', 'nasa', 'Zoë', '日本', '👩‍🚀 on 🌙', 'é日🌙'])(
  'the add-on encodes the text "%s" as UTF-8 bytes',
  (text) => {
    expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
  },
);
