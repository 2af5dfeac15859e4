import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBalance } from '../../../db/money/ledger.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { createCursorSeal } from '../../../server/data/cursor.ts';
import { readRequest } from '../../../server/data/request.ts';
import { parametersOf, type SourcedRoute } from '../../../server/data/route.ts';
import type { Query } from '../../../server/http/query.ts';
import { call } from '../../mcp/mcp-session.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch });
  keys = await service.workspace(100);
});
afterAll(() => service.close());

const ask = (path: string) => service.ask(path, keys.test_key);
const cursors = createCursorSeal('00'.repeat(32), () => new Date());

describe('a path with the name of a platform', () => {
  test.each([
    ['/v1/tiktok/profile', '/v1/shortvideo/profile'],
    ['/v1/instagram/post', '/v1/photo/post'],
    ['/v1/youtube/channel/videos', '/v1/longvideo/channel/videos'],
    ['/v1/twitter/profile', '/v1/microblog/profile'],
    ['/v1/youtube/chanel', '/v1/longvideo/channel'],
  ])('the wrong path %s suggests %s', async (path, suggested) => {
    const { status, json } = await ask(path);
    expect([status, json.error.message]).toEqual([404, `There is no such path: did you mean ${suggested}?`]);
  });
});

test.each(['/v1', '/v1/photo', '/v1/workflows', '/v2/no/such/thing'])(
  'the wrong path %s gets the list of routes, not the path of a page',
  async (path) => {
    const { status, json } = await ask(path);
    expect([status, json.error.message]).toEqual([404, 'There is no such path: the list of routes is at /docs/api.']);
  },
);

describe('a URL sent as another identifier', () => {
  test.each([
    ['/v1/photo/profile?handle=https://www.instagram.com/nasa/', 'handle', 'is a URL: send it as url='],
    ['/v1/photo/post?id=www.instagram.com/p/CExample123/', 'id', 'is a URL: send it as url='],
    ['/v1/photo/posts?handle=https://www.instagram.com/nasa/', 'handle', 'must not be a URL: send handle=nasa'],
    ['/v1/shortvideo/videos?handle=tiktok.com/@tide', 'handle', 'must not be a URL: send handle=tide'],
    [
      '/v1/shortvideo/video?id=https://www.tiktok.com/@tide/video/7200000000000000001',
      'id',
      'must not be a URL: send id=7200000000000000001',
    ],
    [
      '/v1/shortvideo/music?id=https://www.tiktok.com/music/tide-7200000000000000001',
      'id',
      'must not be a URL: send id=7200000000000000001',
    ],
    [
      '/v1/longvideo/playlist?playlist_id=https://www.youtube.com/playlist?list=PLexample',
      'playlist_id',
      'must not be a URL: send playlist_id=PLexample',
    ],
    ['/v1/longvideo/comments?id=https://youtu.be/example0001', 'id', 'must not be a URL: send id=example0001'],
  ])('the URL in the wrong parameter of %s gets an error that says what to send', async (path, parameter, message) => {
    const { status, json } = await ask(path);
    expect([status, json.error.details]).toEqual([400, [{ parameter, message }]]);
  });

  test('a URL without the identifier gets an error that describes the identifier', async () => {
    const { json } = await ask('/v1/longvideo/channel/videos?channel_id=https://www.youtube.com/@tide');
    expect(json.error.details[0]?.message).toBe(
      'must not be a URL: send the ID of a channel: UC, then 22 letters, digits, underscores or hyphens. /v1/longvideo/channel?url= returns it as data.profile.id',
    );
    const video = await ask('/v1/shortvideo/music?id=https://www.tiktok.com/@tide/video/7200000000000000001');
    expect(video.json.error.details[0]?.message).toContain('must not be a URL: send the ID of a sound');
  });
});

test.each([
  ['a handle sent as a URL', 'url=nasa', 'url', 'This is not a link: use a complete one on https://www.instagram.com.'],
  ['a parameter without a name', 'handle=nasa&=1', '', 'a parameter has no name: remove the "=" before its value'],
])('a data route names the cause of %s', async (_, query, parameter, message) => {
  const { status, json } = await ask(`/v1/photo/profile?${query}`);
  expect([status, json.error.details]).toEqual([400, [{ parameter, message }]]);
});

describe('the dates of a request for ads', () => {
  const ads = (query: string) => ask(`/v1/adlibrary/company/ads?pageId=100000000000001&${query}`);
  test.each([
    ['a day that does not exist', 'start_date=2026-02-31', 'start_date', 'must be a day that exists'],
    [
      'an end before the start',
      'start_date=2026-05-02&end_date=2026-05-01',
      'end_date',
      'must not be before start_date',
    ],
    [
      'a day in a different format, which is not compared',
      'start_date=31.12.2025&end_date=2026-01-01',
      'start_date',
      'must be a date as YYYY-MM-DD',
    ],
  ])('a request for ads with %s is refused', async (_, query, parameter, message) => {
    const { status, json } = await ads(query);
    expect([status, json.error.details]).toEqual([400, [{ parameter, message }]]);
  });
  test('the dates of a request for ads are not compared on a route without these parameters', async () => {
    const { json } = await ask('/v1/photo/profile?handle=nasa&start_date=2026-05-02&end_date=2026-05-01');
    expect(json.error.message).not.toContain('must not be before');
  });
  test('a request for ads with the same day as start and end is accepted', async () => {
    expect((await ads('start_date=2028-02-29&end_date=2028-02-29')).status).toBe(200);
  });
});

describe('a key in the wrong place', () => {
  const path = '/v1/photo/profile?handle=nasa';
  test.each([
    ['in the URL', (key: string) => [`${path}&api_key=${key}`, {}], 'not read from the URL'],
    ['without Bearer', (key: string) => [path, { authorization: key }], 'as Authorization: Bearer'],
    ['with Bearer in x-api-key', (key: string) => [path, { 'x-api-key': `Bearer ${key}` }], 'without the word Bearer'],
  ] as [string, (key: string) => [string, Record<string, string>], string][])(
    'an API key %s gets an error that says where to send it',
    async (_, requestOf, said) => {
      const [url, headers] = requestOf(keys.test_key);
      const { status, json } = await service.ask(url, undefined, { headers });
      expect([status, json.error.code]).toEqual([401, 'INVALID_API_KEY']);
      expect(json.error.message).toContain(said);
    },
  );
});

test.each(['photo', 'shortvideo'])(
  'a hashtag of %s that is too long gets an error that names the limit',
  async (platform) => {
    const path = `/v1/${platform}/hashtag?tag=`;
    expect((await ask(path + 'a'.repeat(100))).status).toBe(200);
    const { status, json } = await ask(path + 'a'.repeat(101));
    const message = 'must be one hashtag: 1 to 100 letters, digits, underscores or emoji, with or without #';
    expect([status, json.error.details]).toEqual([400, [{ parameter: 'tag', message }]]);
  },
);

test.each([
  ['development', 'test_key', 'live_key'],
  ['production', 'live_key', 'test_key'],
] as const)(
  'a cursor of a %s key is refused with a key of the other kind before anything else, even for an estimate',
  async (kind, sent, other) => {
    const path = '/v1/photo/posts?handle=nasa';
    const first = await service.ask(path, keys[sent]);
    const page = `${path}&cursor=${first.json.data.pagination.next_cursor}`;
    const empty = await service.workspace(0);
    for (const query of ['', '&estimate=true']) {
      const { status, json } = await service.ask(page + query, empty[other]);
      const message = `belongs to a ${kind} key: start again without cursor`;
      expect([status, json.error.details]).toEqual([400, [{ parameter: 'cursor', message }]]);
    }
  },
);

describe('an empty cursor', () => {
  const path = '/v1/photo/posts?handle=nasa';
  const emptyCursor =
    'must not be empty: leave it out for the first page; a next_cursor of null means that the list has ended';

  test.each(['live_key', 'test_key'] as const)(
    'an empty cursor with the %s is refused without a charge and says what to send, also for an estimate',
    async (kind) => {
      const before = await readBalance(service.db.sql, keys.workspace_id);
      for (const query of ['&cursor=', '&cursor', '&cursor=&estimate=true']) {
        const { status, headers, json } = await service.ask(path + query, keys[kind]);
        expect([status, json.error.code, headers.get('x-credits-charged')]).toEqual([400, 'INVALID_INPUT', '0']);
        expect(json.error.details).toEqual([{ parameter: 'cursor', message: emptyCursor }]);
      }
      expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(before);
    },
  );

  test('an empty cursor of an MCP tool call is refused without a charge and says what to send', async () => {
    const { error, text, meta } = await call(service, keys.live_key, 'posts', {
      what: 'photo',
      handle: 'nasa',
      cursor: '',
    });
    expect([error?.code, meta.credits_charged]).toEqual(['INVALID_INPUT', 0]);
    expect(text).toContain(`cursor: ${emptyCursor}.`);
  });
});

const served = catalog.filter((route): route is SourcedRoute => route.availability !== 'planned');

test.each(served.map((route) => [route.path, route] as const))(
  'invisible characters around an identifier of %s are ignored',
  (_, route) => {
    const required = Object.entries(route.required ?? {});
    const [first] = Object.entries(route.identifiers);
    for (const [name, { example }] of [...Object.entries(route.identifiers), ...required]) {
      if (['q', 'query', 'companyName'].includes(name)) continue;
      const others = Object.hasOwn(route.identifiers, name) || !first ? required : [...required, first];
      const query = Object.fromEntries(others.map(([other, parameter]) => [other, [parameter.example]]));
      const paramsOf = (value: string) => readRequest(route, { ...query, [name]: [value] }, cursors).params;
      expect(paramsOf(`\u200e\ufeff${example}\u200b\u200d`)).toEqual(paramsOf(example));
    }
  },
);

test('an invisible character inside a handle or an id is ignored, and a joiner inside a handle is refused', async () => {
  const handle = (text: string) => ask(`/v1/photo/profile?handle=${encodeURIComponent(text)}`);
  expect((await handle('@\u2060na\u200bsa')).json.data).toEqual((await handle('nasa')).json.data);
  expect((await handle('na\u200dsa')).status).toBe(400);
});

describe('an empty value', () => {
  test.each(served.map((route) => [route.path, route] as const))(
    'an empty value is refused for every parameter of %s',
    (_, route) => {
      const { identifiers } = route;
      const [first] = Object.entries(identifiers);
      const names = [...Object.keys(identifiers), ...Object.keys(parametersOf(route))];
      const accepted = names.filter((name) => {
        const others = Object.entries(route.required ?? {});
        if (first && !Object.hasOwn(identifiers, name)) others.push(first);
        const query = Object.fromEntries(others.map(([key, { example }]) => [key, [example]]));
        return isAccepted(route, { ...query, [name]: [''] });
      });
      expect(accepted).toEqual([]);
    },
  );

  function isAccepted(route: SourcedRoute, query: Query): boolean {
    try {
      return readRequest(route, query, cursors) !== null;
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_INPUT' });
      return false;
    }
  }
});

describe('a boolean parameter', () => {
  const path = '/v1/photo/profile?handle=nasa&trim=';
  test.each(['true', 'True', 'TRUE', '1'])('the text %s of a boolean parameter is true', async (written) => {
    expect((await ask(path + written)).text.length).toBe((await ask(`${path}true`)).text.length);
  });
  test.each(['false', 'False', 'FALSE', '0'])('the text %s of a boolean parameter is false', async (written) => {
    const { status, json } = await ask(path + written);
    expect([status, json.data]).toEqual([200, (await ask('/v1/photo/profile?handle=nasa')).json.data]);
  });
  test.each(['', 'yes', 'on', '2', 'constructor'])('the text %s of a boolean parameter is refused', async (written) => {
    const { status, json } = await ask(path + written);
    expect([status, json.error.details]).toEqual([400, [{ parameter: 'trim', message: 'must be true or false' }]]);
  });
});

describe('the id of an Instagram post', () => {
  test.each([29, 30, 31, 32])(
    'the id of an Instagram post of %i characters is that of a private share: 403, as its description says',
    async (length) => {
      const { status, headers, json } = await ask(`/v1/photo/post?id=${'C'.repeat(length)}`);
      expect([status, json.error.code, headers.get('x-credits-charged')]).toEqual([403, 'SOURCE_RESTRICTED', '0']);
      expect(json.error.message).toContain('privately shared');
    },
  );
  test('the id of a privately shared post does not hide the other wrong parameters', async () => {
    const { status, json } = await ask(`/v1/photo/post/children?id=${'C'.repeat(32)}&limit=99&trims=true`);
    expect([status, json.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(json.error.details.map(({ parameter }: { parameter: string }) => parameter)).toEqual(['trims', 'limit']);
  });
  test.each([28, 5])('the id of an Instagram post of %i characters is answered', async (length) => {
    expect((await ask(`/v1/photo/post?id=${'C'.repeat(length)}`)).status).toBe(200);
  });
  test('the id of an Instagram post of 33 characters is malformed', async () => {
    expect((await ask(`/v1/photo/post?id=${'C'.repeat(33)}`)).json.error.code).toBe('INVALID_INPUT');
  });
  test('an Instagram media id with its owner is answered at 31 characters', async () => {
    expect((await ask('/v1/photo/post?id=3012345678901234567_12345678901')).status).toBe(200);
  });
});

test.each(['%00', '%0a', '%7f', '%c2%85'])(
  'a control character (%s) in a search text is refused',
  async (character) => {
    const { status, json } = await ask(`/v1/longvideo/search?query=tide${character}pool`);
    const message = 'must not contain control characters, such as line breaks';
    expect([status, json.error.details]).toEqual([400, [{ parameter: 'query', message }]]);
  },
);
