import { describe, expect, test } from 'vitest';
import { readSourcesConfig, refuseUnknownSources } from '../../../pipeline/collect/sources.ts';
import { keylessSources, readsOf } from '../../../pipeline/keyless-sources.ts';

/** Returns the names of the sources without a key that this value of KEYLESS_SOURCES turns on. */
function allowed(value?: string): string[] {
  const env = { KEYLESS_SOURCES: value };
  refuseUnknownSources(env, keylessSources);
  return keylessSources.filter(readSourcesConfig(env).keyless);
}

describe('KEYLESS_SOURCES', () => {
  test('KEYLESS_SOURCES that is missing, empty or "on" allows every keyless source', () => {
    expect([allowed(), allowed(''), allowed('on'), allowed(' ON ')]).toEqual(Array(4).fill(keylessSources));
  });

  test('KEYLESS_SOURCES can turn off every source without credentials, and each source describes what it reads', () => {
    expect(keylessSources).toEqual(expect.arrayContaining(['instagram-web', 'tiktok-embed', 'youtube-app']));
    for (const name of keylessSources) {
      expect(allowed(`-${name}`)).toEqual(keylessSources.filter((other) => other !== name));
      expect(readsOf(name)).toMatch(/^the /);
    }
  });

  test('KEYLESS_SOURCES=off allows no keyless source', () => {
    expect(allowed('off')).toEqual([]);
  });

  test('KEYLESS_SOURCES with a list of names allows these sources and no other', () => {
    expect(allowed('tiktok-web, youtube-web')).toEqual(['tiktok-web', 'youtube-web']);
  });

  test('KEYLESS_SOURCES switches off names with a leading - and allows all others', () => {
    expect(allowed('-tiktok-web,-tiktok-embed')).toEqual(
      keylessSources.filter((name) => !/^tiktok-(web|embed)$/.test(name)),
    );
    expect(allowed('tiktok-web,youtube-web,-youtube-web')).toEqual(['tiktok-web']);
  });

  test('KEYLESS_SOURCES with an unknown name is an error that names the known ones', () => {
    expect(() => allowed('tiktok-web,tik-tok')).toThrow(/tik-tok.*instagram-web.*youtube-app/);
    expect(() => allowed('-other')).toThrow('other');
    expect(() => allowed('on,tiktok-web')).toThrow('unknown names: on.');
  });
});

test('credentials of sources are read unchanged, and an empty one counts as missing', () => {
  const env = {
    YOUTUBE_API_KEY: 'key',
    INSTAGRAM_GRAPH_TOKEN: ' token ',
    INSTAGRAM_GRAPH_USER_ID: '',
    X_BEARER_TOKEN: ' ',
  };
  expect(readSourcesConfig(env)).toMatchObject({
    youtube_api_key: 'key',
    instagram_graph_token: 'token',
    instagram_graph_user_id: null,
    meta_adlibrary_token: null,
    x_bearer_token: null,
  });
});

describe('YOUTUBE_DAILY_UNITS and YOUTUBE_DAILY_SEARCHES', () => {
  test('YOUTUBE_DAILY_UNITS and YOUTUBE_DAILY_SEARCHES are whole numbers from 0, and default to the budget of the source', () => {
    const env = { YOUTUBE_DAILY_UNITS: '50000', YOUTUBE_DAILY_SEARCHES: ' 0 ' };
    expect(readSourcesConfig(env)).toMatchObject({ youtube_daily_units: 50_000, youtube_daily_searches: 0 });
    const unset = readSourcesConfig({ YOUTUBE_DAILY_UNITS: '' });
    expect([unset.youtube_daily_units, unset.youtube_daily_searches]).toEqual([undefined, undefined]);
  });

  test.each(['-1', '1.5', '1e3', 'many', '10 000'])(
    '%o as a number of units or searches is an error that names the variable',
    (text) => {
      expect(() => readSourcesConfig({ YOUTUBE_DAILY_UNITS: text })).toThrow(
        `YOUTUBE_DAILY_UNITS must be a whole number`,
      );
      expect(() => readSourcesConfig({ YOUTUBE_DAILY_SEARCHES: text })).toThrow('YOUTUBE_DAILY_SEARCHES');
    },
  );
});
