import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { countFields, type FieldCounts } from '../../scripts/field-facts/count.ts';
import { catalog } from '../../server/data/catalog.ts';
import { fieldsOf } from '../../server/docs/reference/fields.ts';
import { routePage } from '../../server/docs/reference/route-page.ts';

test('a field table says the type, the meaning and what null means, also for fields inside other fields', () => {
  const record = z.strictObject({
    posts: z.int().nullable().describe('number of posts; null when the account hides it'),
    avatar_url: z.string().nullable(),
    links: z.array(z.strictObject({ url: z.string() })).nullable(),
  });
  expect(fieldsOf(z.array(record))).toEqual([
    { name: 'posts', type: 'whole number', null_means: 'when the account hides it', meaning: 'Number of posts' },
    { name: 'avatar_url', type: 'text', null_means: 'the platform did not show it', meaning: 'Avatar URL' },
    { name: 'links', type: 'list of object', null_means: 'the platform did not show it', meaning: 'Links' },
    { name: 'links[].url', type: 'text', null_means: null, meaning: 'URL' },
  ]);
});

test('counting fields counts null and an empty list as missing, and counts rounded numbers', () => {
  const counts: FieldCounts = {};
  countFields(counts, 'web', { followers: 1_200, bio: null, links: [] }, { followers: 'rounded' });
  countFields(counts, 'web', { followers: 0, bio: '', links: ['a'] }, {});
  expect(counts).toEqual({ web: { records: 2, fields: { followers: [2, 1], bio: [1, 0], links: [1, 0] } } });
});

test('the committed figures name only fields of the records, and no field is present more often than there are records', () => {
  const facts = JSON.parse(readFileSync(resolve('server/docs/reference/field-facts.json'), 'utf8')) as Record<
    string,
    FieldCounts
  >;
  expect(Object.keys(facts).length).toBeGreaterThan(10);
  for (const route of catalog.filter((one) => one.availability !== 'planned')) {
    const names = new Set(fieldsOf(route.collector.record).map(({ name }) => name));
    for (const { records, fields } of Object.values(facts[route.collector.name] ?? {}))
      for (const [name, [present, rounded]] of Object.entries(fields)) {
        expect(names, route.path).toContain(name);
        expect(present, `${route.path} ${name}`).toBeLessThanOrEqual(records);
        expect(rounded, `${route.path} ${name}`).toBeLessThanOrEqual(present);
      }
  }
});

test('the page of a route shows its price, an example answer, code, and how often each source filled a field', async () => {
  const route = catalog.find(({ path }) => path === '/v1/photo/profile') ?? expect.fail('no such route');
  const page = String(await routePage(route, 'http://tidemark.test'));
  for (const part of ['<b>1 credit</b>', 'tidemark.sample', 'SOCIAL_PROFILE(', 'import json', 'Filled: <b>'])
    expect(page).toContain(part);
});
