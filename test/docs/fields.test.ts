import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { countFields, type FieldCounts, fieldCountsOf } from '../../pipeline/collect/count-fields.ts';
import { catalog } from '../../server/data/catalog.ts';
import { fieldsOf } from '../../server/docs/reference/fields.ts';
import { routePage } from '../../server/docs/reference/route-page.ts';

test('a field table shows the type, the meaning and what null means, including for fields inside other fields', () => {
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

test('the count of filled fields counts null and an empty list as missing, and counts rounded numbers', () => {
  const counts: FieldCounts = {};
  countFields(counts, 'web', { followers: 1_200, bio: null, links: [] }, { followers: 'rounded' });
  countFields(counts, 'web', { followers: 0, bio: '', links: ['a'] }, {});
  expect(counts).toEqual({ web: { records: 2, fields: { followers: [2, 1], bio: [1, 0], links: [1, 0] } } });
});

test('the count of filled fields counts each row of a list, and marks rows whose number is rounded', () => {
  const record = [
    { likes: 1_200, tags: [] },
    { likes: 7, tags: ['a'] },
    { likes: null, tags: null },
  ];
  const quality = { '0.likes': 'rounded', '2.likes': 'hidden' } as const;
  const answer = { record, quality, source: 'web', retrieved_at: '', partial: false, warnings: [], next: null };
  expect(fieldCountsOf('photoPosts', answer)).toEqual([
    { collector: 'photoPosts', source: 'web', field: 'likes', given: 2, missing: 1, rounded: 1 },
    { collector: 'photoPosts', source: 'web', field: 'tags', given: 1, missing: 2, rounded: 0 },
  ]);
});

test('the committed field counts name only fields of the records, and no field is present more often than its record', () => {
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
  const page = String(await routePage(route, 'http://tidemark.test', []));
  for (const part of ['<b>1 credit</b>', 'tidemark.sample', 'SOCIAL_PROFILE(', 'import json', 'Filled: <b>'])
    expect(page).toContain(part);
});

test('a field table shows how often each source recently gave a field, and never rounds to all or none', async () => {
  const route = catalog.find(({ path }) => path === '/v1/photo/profile') ?? expect.fail('no such route');
  const counted = { collector: 'photoProfile', source: 'instagram-web', rounded: 0 };
  const live = [
    { ...counted, field: 'bio', given: 9_999, missing: 1 },
    { ...counted, field: 'category', given: 1, missing: 9_999 },
    { ...counted, field: 'followers', given: 10_000, missing: 0, rounded: 2_500 },
  ];
  const page = String(await routePage(route, 'http://tidemark.test', live));
  expect(page).toContain('got in the last 7 days (UTC): 10,000 from instagram-web.');
  const cell = (name: string) => new RegExp(`<code>${name}</code>.*?</dd>`, 's').exec(page)?.[0] ?? '';
  expect(cell('bio')).toContain('Here: <b>99.9%</b> (instagram-web)');
  expect(cell('category')).toContain('Here: <b>0.1%</b> (instagram-web)');
  expect(cell('followers')).toContain('Here: <b>100%</b> (instagram-web, 25% of them rounded)');
  expect(String(await routePage(route, 'http://tidemark.test', []))).toContain('no such answer in the last 7 days');
  expect(String(await routePage(route, 'http://tidemark.test', null))).toContain('cannot be read now');
});
