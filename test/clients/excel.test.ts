import { describe, expect, test } from 'vitest';
import { newId } from '../../db/ids.ts';
import { postColumns, profileColumns } from '../../pipeline/rows/columns.ts';
import { trackedColumns } from '../../pipeline/tracking/tracked-row.ts';
import { maxUrls, profileWorkflowParameters, trackedWorkflowParameters } from '../../server/workflows/parameters.ts';
import { keepItem, keepObservations, observed } from '../pipeline/report/report-data.ts';
import { inventedId } from '../server/invented-upstream.ts';
import { rowsOf, type Setting, setUpExcel } from './excel-setup.ts';
import { CredentialsPrompt } from './m-library.ts';
import type { Value } from './m-values.ts';

const setup = setUpExcel();

const address = (handle: string) => `https://www.instagram.com/${handle}/`;
const askProfiles = ({ profiles, ...setting }: Setting & { profiles: Value[] }) =>
  setup.run('profile-list.pq', { tables: { Profiles: profiles.map((url) => ({ url, note: 'mine' })) }, ...setting });

describe('the Excel template profile-list.pq', () => {
  test('the Excel profile list has typed columns: ids as text, counts as numbers, times in UTC and unknown values as null', async () => {
    const result = await askProfiles({ profiles: [` ${address('one')} `, '', null, 'https://example.com/who'] });
    const headers = result.columns.map((name) => name.replace(' (UTC)', ''));
    expect(headers).toEqual([...profileColumns]);
    const [one, who, ...more] = rowsOf(result);
    expect(more).toEqual([]);
    expect(one).toMatchObject({ url: address('one'), status: 'OK', account_id: inventedId('one'), followers: 4321 });
    expect(one).toMatchObject({ likes: null, following: 0, cached: false, credits_charged: 1 });
    expect(one?.['retrieved_at (UTC)']).toEqual(setup.service.clock.now);
    expect(who).toMatchObject({
      status: 'INVALID_INPUT',
      followers: null,
      message: expect.stringContaining('link to a profile'),
    });
  });

  test('the Excel profile list sends only known parameters, and no request for an empty table or column', async () => {
    await askProfiles({ profiles: [address('one')] });
    const known = ['url', ...Object.keys(profileWorkflowParameters)];
    expect(setup.requested.map(({ pathname }) => pathname)).toEqual(['/v1/workflows/profile']);
    expect(known).toEqual(expect.arrayContaining([...(setup.requested[0]?.searchParams.keys() ?? [])]));
    expect((await askProfiles({ profiles: [null, ' '] })).rows).toEqual([]);
    expect(setup.requested).toHaveLength(1);
  });

  test('the Excel profile list sends each URL once in requests of the maximum size, and refreshing within a day is free', async () => {
    const profiles = Array.from({ length: maxUrls + 3 }, (_, index) => address(`row.${index}`));
    const first = rowsOf(await askProfiles({ profiles: [...profiles, address('row.0')] }));
    expect(first.map(({ url }) => url)).toEqual(profiles);
    expect(setup.requested.map((url) => url.searchParams.getAll('url').length)).toEqual([maxUrls, 3]);
    expect(first.map((row) => row.credits_charged)).toEqual(profiles.map(() => 1));
    const again = rowsOf(await askProfiles({ profiles }));
    expect(again.map((row) => row.credits_charged)).toEqual(profiles.map(() => 0));
    expect(setup.upstream.asked).toHaveLength(profiles.length);
  });

  test('the Excel profile list splits long URLs over requests of at most 8 kB', async () => {
    const profiles = Array.from({ length: 20 }, (_, index) => `${address(`long.${index}`)}?igsh=${'é'.repeat(150)}`);
    const rows = rowsOf(await askProfiles({ profiles }));
    expect(rows.map(({ url }) => url)).toEqual(profiles);
    expect(setup.requested.length).toBeGreaterThan(1);
    expect(Math.max(...setup.requested.map(({ href }) => href.length))).toBeLessThan(8_192);
  });

  test('the Excel profile list reads the samples of every platform with the right types', async () => {
    const profiles = [
      'https://www.instagram.com/tidemark.sample/',
      'https://www.tiktok.com/@tidemark.sample',
      'https://www.youtube.com/@tidemark.sample',
    ];
    const rows = rowsOf(await askProfiles({ profiles, key: setup.keys.test_key }));
    expect(rows.map(({ status, platform }) => [status, platform])).toEqual([
      ['OK', 'photo'],
      ['OK', 'shortvideo'],
      ['OK', 'longvideo'],
    ]);
    expect(rows[2]?.['created_at_platform (UTC)']).toBeInstanceOf(Date);
  });

  const refusal = '{"error":{"code":"INSUFFICIENT_CREDITS","message":"The balance is 0."}}';
  test.each([
    ['an error of the API', { status: 402, text: refusal }, 'INSUFFICIENT_CREDITS', 'The balance is 0.'],
    ['a rate limit that outlasted the retries', { status: 429, text: '{}' }, 'SERVER_UNREACHABLE', '429'],
    ['a page instead of JSON', { status: 200, text: '<html>' }, 'SERVER_UNREACHABLE', 'JSON'],
    [
      'another object',
      { status: 200, text: '{"data":null,"error":"no"}' },
      'SERVER_ANSWER_UNREADABLE',
      'not the requested table',
    ],
    [
      'a row too few',
      { status: 200, text: '{"data":{"columns":[],"rows":[]}}' },
      'SERVER_ANSWER_UNREADABLE',
      'not the',
    ],
  ])(
    'an Excel template shows %s in the status of the rows, with all other values unknown',
    async (_, answer, status, message) => {
      const profiles = [address('one'), address('two')];
      const rows = rowsOf(await askProfiles({ profiles, web: async () => answer }));
      expect(rows.map((row) => row.url)).toEqual(profiles);
      for (const { url: _url, ...row } of rows) {
        expect(row).toMatchObject({ status, message: expect.stringContaining(message), followers: null, cached: null });
        expect(Object.values(row).filter((cell) => cell !== null)).toHaveLength(2);
      }
    },
  );

  test('the Excel profile list finds its column in any case, and takes handles with the platform of the row or query', async () => {
    const rows = [
      { URL: 'one', Platform: 'instagram' },
      { URL: 'https://www.tiktok.com/@two', Platform: 'Instagram' },
      { URL: 'three', Platform: null },
      { URL: 'https://www.instagram.com/four/', Platform: null },
    ];
    const result = rowsOf(await setup.run('profile-list.pq', { tables: { Profiles: rows }, key: setup.keys.test_key }));
    expect(result.map(({ url }) => url)).toEqual(rows.map(({ URL }) => URL));
    expect(result.map(({ status, platform }) => [status, platform])).toEqual([
      ['OK', 'photo'],
      ['OK', 'shortvideo'],
      ['PLATFORM_MISSING', null],
      ['OK', 'photo'],
    ]);
    const settings = { Platform: 'YouTube' };
    const filled = rowsOf(
      await setup.run('profile-list.pq', { tables: { Profiles: rows }, key: setup.keys.test_key, settings }),
    );
    expect(filled[2]).toMatchObject({ status: 'OK', platform: 'longvideo' });
  });

  test('an unknown platform in the Excel profile list is an error only of its rows', async () => {
    const rows = [
      { URL: 'one', Platform: 'MySpace' },
      { URL: address('two'), Platform: null },
    ];
    const result = rowsOf(await setup.run('profile-list.pq', { tables: { Profiles: rows } }));
    expect(result).toMatchObject([
      { url: 'one', status: 'INVALID_INPUT', message: expect.stringContaining('platform') },
      { url: address('two'), status: 'OK' },
    ]);
  });

  test('the Excel profile list makes Excel ask for credentials when the key is wrong', async () => {
    await expect(askProfiles({ profiles: [address('one')], key: 'wrong' })).rejects.toThrow(CredentialsPrompt);
  });
});

describe('the Excel template post-list.pq', () => {
  test('the Excel post list has typed columns, with ids as text, times in UTC and an error as a row', async () => {
    const rows = [
      'https://www.instagram.com/p/CExample123/',
      'https://www.instagram.com/p/CExample123/',
      'nothing/at/all',
    ];
    const tables = { Posts: rows.map((url) => ({ url })) };
    const result = await setup.run('post-list.pq', { tables, key: setup.keys.test_key });
    expect(result.columns.map((name) => name.replace(' (UTC)', ''))).toEqual([...postColumns]);
    const [post, wrong, ...more] = rowsOf(result);
    expect(more).toEqual([]);
    expect(post).toMatchObject({ status: 'OK', id: expect.any(String), likes: expect.any(Number) });
    expect(post?.['published_at (UTC)']).toBeInstanceOf(Date);
    expect(wrong).toMatchObject({ url: 'nothing/at/all', status: 'INVALID_INPUT', views: null });
  });
});

describe('the Excel template tracked-list.pq', () => {
  const askTracked = (items: string[], setting: Setting = {}) =>
    setup.run('tracked-list.pq', { tables: { Tracked: items.map((url) => ({ URL: url })) }, ...setting });

  test('the Excel list of tracked items has the stored numbers, and says which item has none in the chosen days', async () => {
    const owner = setup.keys.workspace_id;
    const [seen, unseen] = [await keepItem(setup.service.db.sql, owner), await keepItem(setup.service.db.sql, owner)];
    const at = setup.service.clock.now.toISOString().slice(0, 19);
    await keepObservations(setup.service.db.sql, owner, [observed(seen, at, { followers: 7, posts: 2 })]);
    const unknown = newId();
    const result = await askTracked([seen, unseen, unknown], { settings: { Metric: 'followers' } });
    expect(result.columns.map((name) => name.replace(' (UTC)', ''))).toEqual([...trackedColumns]);
    expect(rowsOf(result)).toMatchObject([
      { item_id: seen, status: 'OK', metric: 'followers', value: 7, 'observed_at (UTC)': expect.any(Date) },
      { item_id: unknown, status: 'RESOURCE_NOT_FOUND', value: null },
      { status: 'NOTE', message: `${unseen} was not observed in the last 30 days.` },
    ]);
    const known = ['item', ...Object.keys(trackedWorkflowParameters)];
    expect(known).toEqual(expect.arrayContaining([...(setup.requested[0]?.searchParams.keys() ?? [])]));
  });

  test('the Excel list of tracked items requests at most 20 items at once', async () => {
    await askTracked(Array.from({ length: 45 }, () => newId()));
    expect(setup.requested.map((url) => url.searchParams.getAll('item').length)).toEqual([20, 20, 5]);
  });
});

describe.each([
  ['profile-list.pq', 'Profiles'],
  ['post-list.pq', 'Posts'],
  ['tracked-list.pq', 'Tracked'],
])('the Excel template %s that is not set up', (name, table) => {
  const only = async (setting: Setting) => {
    const rows = rowsOf(await setup.run(name, setting));
    expect(rows).toHaveLength(1);
    expect(setup.requested).toEqual([]);
    return rows[0];
  };

  test('an Excel template without its table says which table to make', async () => {
    const row = await only({ tables: { Other: [{ url: 'x' }] } });
    expect(row?.status).toBe('TABLE_NOT_FOUND');
    expect(row?.message).toContain(`with a column URL, and name it ${table}`);
  });

  test('an Excel template without its column says which column the table needs', async () => {
    const row = await only({ tables: { [table]: [{ Link: 'x' }] } });
    expect(row?.status).toBe('COLUMN_NOT_FOUND');
    expect(row?.message).toContain('a column with the heading URL');
  });

  test('an Excel template without an API key says where to write the key', async () => {
    const row = await only({ tables: { [table]: [{ URL: 'x' }] }, key: 'paste a sheet key here' });
    expect(row?.status).toBe('API_KEY_NOT_SET');
  });
});
