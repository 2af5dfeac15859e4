import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the add-on and the server recognize the same headings and placeholders', async () => {
  const root = join(import.meta.dirname, '../../..');
  const [addon, server] = await Promise.all(
    ['addon/cells/not-links.ts', 'pipeline/parse/not-links.ts'].map((path) => readFile(join(root, path), 'utf8')),
  );
  expect(server, 'Copy one file over the other.').toBe(addon);
});
