import { describe, expect, test } from 'vitest';
import { keylessSources, readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import * as longvideo from '../../../pipeline/longvideo/collectors.ts';
import * as photo from '../../../pipeline/photo/collectors.ts';
import * as shortvideo from '../../../pipeline/shortvideo/collectors.ts';

interface AnyCollector {
  sources: readonly { name: string; credentials: unknown }[];
}

const isCollector = (value: unknown): value is AnyCollector =>
  typeof value === 'object' && value !== null && 'sources' in value;

const allowed = (value?: string) => keylessSources.filter(readSourcesConfig({ KEYLESS_SOURCES: value }).keyless);

describe('KEYLESS_SOURCES', () => {
  test('allows every keyless source when it is missing, empty or on', () => {
    expect([allowed(), allowed(''), allowed('on'), allowed(' ON ')]).toEqual(Array(4).fill(keylessSources));
  });

  test('every source of every platform has its own name and can be switched off', () => {
    const collectors = [photo, shortvideo, longvideo].flatMap((all) => Object.values<unknown>(all));
    const names = collectors
      .flatMap((one) => (isCollector(one) ? one.sources : []))
      .flatMap(({ credentials, name }) => (credentials === null ? [name] : []));
    // The transcript source of the website uses the app inside, and checks whether it is allowed by its own name.
    expect([...new Set([...names, 'youtube-app'])].sort()).toEqual([...keylessSources].sort());
  });

  test('off allows none', () => {
    expect(allowed('off')).toEqual([]);
  });

  test('a list of names allows these and no other', () => {
    expect(allowed('tiktok-web, youtube-web')).toEqual(['tiktok-web', 'youtube-web']);
  });

  test('names with a leading - are switched off, all others are allowed', () => {
    expect(allowed('-tiktok-web,-tiktok-embed')).toEqual(
      keylessSources.filter((name) => !/^tiktok-(web|embed)$/.test(name)),
    );
    expect(allowed('tiktok-web,youtube-web,-youtube-web')).toEqual(['tiktok-web']);
  });

  test('an unknown name is an error that names the known ones', () => {
    expect(() => allowed('tiktok-web,tik-tok')).toThrow(/tik-tok.*instagram-web.*youtube-app/);
    expect(() => allowed('-other')).toThrow('other');
    expect(() => allowed('on,tiktok-web')).toThrow('unknown on');
  });

  test('a source with any other name is not allowed', () => {
    expect(readSourcesConfig({}).keyless('instagram-graph')).toBe(false);
  });
});

test('credentials are read unchanged, and an empty one counts as missing', () => {
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
  test('are whole numbers from 0; without them the source has its default budget', () => {
    const env = { YOUTUBE_DAILY_UNITS: '50000', YOUTUBE_DAILY_SEARCHES: ' 0 ' };
    expect(readSourcesConfig(env)).toMatchObject({ youtube_daily_units: 50_000, youtube_daily_searches: 0 });
    const unset = readSourcesConfig({ YOUTUBE_DAILY_UNITS: '' });
    expect([unset.youtube_daily_units, unset.youtube_daily_searches]).toEqual([undefined, undefined]);
  });

  test.each(['-1', '1.5', '1e3', 'many', '10 000'])('%o is an error that names the variable', (text) => {
    expect(() => readSourcesConfig({ YOUTUBE_DAILY_UNITS: text })).toThrow(
      `YOUTUBE_DAILY_UNITS must be a whole number`,
    );
    expect(() => readSourcesConfig({ YOUTUBE_DAILY_SEARCHES: text })).toThrow('YOUTUBE_DAILY_SEARCHES');
  });
});
