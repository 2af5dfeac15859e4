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

const allowed = (KEYLESS_SOURCES?: string) => keylessSources.filter(readSourcesConfig({ KEYLESS_SOURCES }).keyless);

describe('KEYLESS_SOURCES', () => {
  test('without it, empty or on, every keyless source may be used', () => {
    expect([allowed(), allowed(''), allowed('on'), allowed(' ON ')]).toEqual(Array(4).fill(keylessSources));
  });

  test('every surface of every platform has a name of its own that can be switched off', () => {
    const collectors = [photo, shortvideo, longvideo].flatMap((all) => Object.values<unknown>(all));
    const names = collectors
      .flatMap((one) => (isCollector(one) ? one.sources : []))
      .flatMap(({ credentials, name }) => (credentials === null ? [name] : []));
    // The app is asked inside the transcript source of the website, which looks it up by its own name.
    expect([...new Set([...names, 'youtube-app'])].sort()).toEqual([...keylessSources].sort());
  });

  test('off allows none', () => {
    expect(allowed('off')).toEqual([]);
  });

  test('a list of names allows these and no other', () => {
    expect(allowed('tiktok-web, youtube-web')).toEqual(['tiktok-web', 'youtube-web']);
  });

  test('names with a leading - may not be used, all others may', () => {
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

  test('a source of any other name may not be used', () => {
    expect(readSourcesConfig({}).keyless('instagram-graph')).toBe(false);
  });
});

test('credentials are taken as they are, and an empty one is as good as absent', () => {
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
  test('are whole numbers from 0; unset they leave the budget to the source', () => {
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
