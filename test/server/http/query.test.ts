import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQuery } from '../../../server/http/query.ts';

test('a query string is parsed like URLSearchParams, with and without encoded characters', () => {
  const part = fc.string({
    unit: fc.constantFrom('a', 'B', '1', '=', '&', '.', ',', ':', '%20', '+', '%', 'é', '?', '/'),
  });
  fc.assert(
    fc.property(part, (text) => {
      const expected: Record<string, string[]> = {};
      const parameters = new URLSearchParams(text);
      for (const name of parameters.keys()) expected[name] = parameters.getAll(name);
      expect({ ...readQuery(`http://localhost/path?${text}`) }).toEqual(expected);
    }),
  );
});
