import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { errorTable } from '../../../pipeline/errors.ts';
import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl } from '../../../pipeline/parse/urls.ts';
import { type RouteSample, samples } from '../../../server/sandbox/samples.ts';
import {
  applyScenario,
  identifierFamilies,
  reservedIdentifiers,
  scenarioOf,
  scenarios,
} from '../../../server/sandbox/scenarios.ts';
import { schemaOf } from './sample-schemas.ts';

/**
 * The format of each kind of identifier. For photo and shortvideo, this is the format of the parameters in
 * docs/openapi.json. Several routes take the same kind of identifier, so each pattern follows the strictest route:
 * `shortvideo-id` is also used for page ids (at most 20 digits), and `photo-handle` for channel handles (at least 3
 * characters).
 */
const patterns: Record<(typeof identifierFamilies)[number], RegExp> = {
  'photo-handle': /^@?[A-Za-z0-9._]{3,30}$/,
  'photo-id': /^[A-Za-z0-9_-]{5,32}$/,
  'shortvideo-handle': /^@?[A-Za-z0-9._]{2,24}$/,
  'shortvideo-id': /^[0-9]{10,20}$/,
  'longvideo-id': /^[A-Za-z0-9_-]{11}$/,
  'channel-id': /^UC[A-Za-z0-9_-]{22}$/,
  'playlist-id': /^PL[A-Za-z0-9_-]{10,62}$/,
  'comment-id': /^[A-Za-z0-9_-]{16,64}$/,
  tag: /^[\p{L}\p{M}\p{Nd}_]+$/u,
  query: /^\S+$/,
};

/**
 * Kinds of identifiers, each with a function that parses a URL with such an identifier, and the field of the result
 * that contains it.
 */
const addresses: readonly [keyof typeof patterns, (identifier: string) => unknown, field: string][] = [
  ['photo-handle', (handle) => parsePhotoUrl(`https://www.instagram.com/${handle}/`), 'handle'],
  ['photo-id', (id) => parsePhotoUrl(`https://www.instagram.com/p/${id}/`), 'shortcode'],
  ['shortvideo-handle', (handle) => parseShortvideoUrl(`https://www.tiktok.com/@${handle}`), 'handle'],
  ['longvideo-id', (id) => parseLongvideoUrl(`https://www.youtube.com/watch?v=${id}`), 'id'],
  ['channel-id', (id) => parseLongvideoUrl(`https://www.youtube.com/channel/${id}`), 'channel_id'],
  ['photo-handle', (handle) => parseLongvideoUrl(`https://www.youtube.com/@${handle}`), 'handle'],
];

function named(suffix: string) {
  const found = scenarioOf([`sandbox_${suffix}`]);
  if (!found) throw new Error(`no scenario ${suffix}`);
  return found;
}

function applied(suffix: string, path: string): RouteSample {
  const sample = samples[path];
  if (!sample) throw new Error(`no sample of ${path}`);
  return applyScenario(named(suffix), sample);
}

function recordsOf(sample: RouteSample) {
  return 'rows' in sample ? sample.rows : [sample.record];
}

describe('reserved identifiers, which select a sandbox scenario', () => {
  it.each(identifierFamilies)(
    'every reserved %s satisfies the pattern of its family and selects its own scenario',
    (family) => {
      const identifiers = reservedIdentifiers(family);
      expect(identifiers).toHaveLength(scenarios.length);
      for (const [index, identifier] of identifiers.entries()) {
        expect(identifier).toMatch(patterns[family]);
        expect(scenarioOf([identifier])).toBe(scenarios[index]);
      }
    },
  );

  it.each(addresses)(
    'a reserved %s in a URL of the platform is read from this URL unchanged',
    (family, parse, field) => {
      for (const identifier of reservedIdentifiers(family)) {
        expect(parse(identifier)).toMatchObject({ ok: true, target: { [field]: identifier } });
      }
    },
  );

  it('suffixes and numbers of reserved identifiers are unique and have the documented form', () => {
    expect(new Set(scenarios.map(({ suffix }) => suffix)).size).toBe(scenarios.length);
    expect(new Set(scenarios.map(({ number }) => number)).size).toBe(scenarios.length);
    for (const { suffix, number } of scenarios) {
      expect(suffix).toMatch(/^[a-z0-9]{3}$/);
      expect(number).toMatch(/^[0-9]{4}$/);
    }
  });

  it('every error that a data route can return has a sandbox scenario, and its number contains the status', () => {
    const outsideRoutes = new Set(['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'BODY_TOO_LARGE', 'REQUEST_TOO_LARGE']);
    const possible = Object.keys(errorTable).filter((code) => !outsideRoutes.has(code));
    const errors = scenarios.flatMap((row) => (row.effect.kind === 'error' ? [{ ...row, code: row.effect.code }] : []));
    expect(errors.map(({ code }) => code).sort()).toEqual(possible.sort());
    for (const { code, number } of errors) expect(Number(number.slice(1))).toBe(errorTable[code].status);
  });

  it('the documentation names every sandbox scenario with its suffix and number', () => {
    const page = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
    for (const { suffix, number, effect } of scenarios) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${suffix}\` | \`${number}\` |`));
      expect(row).toBeDefined();
      if (effect.kind === 'error') expect(row).toContain(`${errorTable[effect.code].status} ${effect.code}`);
    }
    for (const family of identifierFamilies)
      expect(reservedIdentifiers(family).some((id) => page.includes(`\`${id}\``))).toBe(true);
  });

  it('an ordinary identifier does not select a sandbox scenario', () => {
    const ordinary = ['sandbox', 'sandbox_', 'sandbox_zzz', 'sandbox_4040', 'my_sandbox_404', '99999999990404123456'];
    for (const identifier of ordinary) expect(scenarioOf([identifier])).toBeNull();
    expect(scenarioOf([])).toBeNull();
  });

  it('the first reserved identifier of several identifiers selects the sandbox scenario', () => {
    expect(scenarioOf(['7000000000000000001', '9999999999040400000', '9999999999050300000'])?.suffix).toBe('404');
  });
});

describe('what a scenario does to the data', () => {
  const changing = ['rnd', 'hid', 'nul'].flatMap((suffix) =>
    Object.keys(samples).map((path) => [suffix, path] as const),
  );

  it.each(changing)('the scenario %s keeps the records of %s valid and the sample unchanged', (suffix, path) => {
    const before = structuredClone(samples[path]);
    const schema: z.ZodType = schemaOf(path);
    for (const record of recordsOf(applied(suffix, path))) expect(() => schema.parse(record)).not.toThrow();
    expect(samples[path]).toEqual(before);
  });

  it('in the scenario "rounded", the first count has three significant figures and is marked', () => {
    const sample = applied('rnd', '/v1/photo/profile');
    expect(sample).toMatchObject({
      record: { followers: 12_400, follower_count_is_rounded: true },
      quality: { followers: 'rounded' },
    });
  });

  it('in the scenario "rounded" of a list, the field name in the quality begins with the index of the row', () => {
    const sample = applied('rnd', '/v1/longvideo/channel/videos');
    expect(sample.quality).toMatchObject({ '0.views': 'rounded', '2.likes': 'hidden' });
    expect(recordsOf(sample)[0]).toMatchObject({ counts_rounded: { views: true, likes: false, comments: false } });
  });

  it('in the scenario "hidden", the count is null and marked, never 0', () => {
    const channel = applied('hid', '/v1/longvideo/channel');
    expect(channel).toMatchObject({
      record: { followers: null, hidden_subscriber_count: true, subscriber_count_is_rounded: null },
      quality: { followers: 'hidden' },
    });
    const posts = applied('hid', '/v1/photo/posts');
    expect(posts.quality).toMatchObject({ '0.likes': 'hidden' });
    expect(recordsOf(posts)[0]).toMatchObject({ likes: null });
  });

  it('in the scenario "hidden", a record with neither followers nor likes stays unchanged', () => {
    expect(applied('hid', '/v1/longvideo/transcript')).toEqual(samples['/v1/longvideo/transcript']);
  });

  it.each(Object.keys(samples))('in the scenario "nulls", every field of %s except the identity is null', (path) => {
    for (const record of recordsOf(applied('nul', path))) {
      const kept = Object.entries(record).filter(([, value]) => value !== null);
      expect(kept.map(([field]) => field)).toEqual([path.endsWith('/transcript') ? 'video_id' : 'id']);
    }
  });

  it('the scenarios slow, paged, low-balance and failing answers do not change the data', () => {
    for (const scenario of scenarios) {
      if (['rounded', 'hidden', 'nulls'].includes(scenario.effect.kind)) continue;
      for (const sample of Object.values(samples)) expect(applyScenario(scenario, sample)).toEqual(sample);
    }
  });
});
