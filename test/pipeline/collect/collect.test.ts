import { describe, expect, test } from 'vitest';
import { collect } from '../../../pipeline/collect/collect.ts';
import { SourceError, type SourceErrorCode } from '../../../pipeline/errors.ts';
import { ask, collectorOf, contextWith, type Keyless, never, official, record, refusal, source } from './collecting.ts';

describe('the order of the sources', () => {
  test('collect returns the answer of the first source that succeeds, with its name and time', async () => {
    expect(await ask([source('tiktok-web', { record }), never('tiktok-embed')])).toEqual({
      record,
      source: 'tiktok-web',
      retrieved_at: '2026-11-20T10:00:00.000Z',
      partial: false,
      quality: {},
      warnings: [],
      next: null,
    });
  });

  test.each<SourceErrorCode>([
    'SOURCE_RESTRICTED',
    'SOURCE_CAPACITY',
    'SOURCE_TIMEOUT',
    'SOURCE_UNAVAILABLE',
    'SOURCE_RESPONSE_CHANGED',
    'SOURCE_NOT_CONFIGURED',
  ])('a failed request (%s) tries the next source', async (code) => {
    const answer = await ask([source('tiktok-web', refusal(code)), source('tiktok-embed', { record })]);
    expect(answer.source).toBe('tiktok-embed');
  });

  test.each([
    refusal('RESOURCE_NOT_FOUND'),
    refusal('INVALID_INPUT'),
    refusal('SOURCE_RESTRICTED', { about: 'resource' }),
    refusal('SOURCE_RESTRICTED', { about: 'block' }),
  ])('an error about the $about ($code) is final', async (said) => {
    await expect(ask([source('tiktok-web', said), never('tiktok-embed')])).rejects.toBe(said);
  });

  test('when all sources fail, the last error decides the status, and every error is reported', async () => {
    const failures: string[] = [];
    const context = contextWith({ refused: (name, { code }) => failures.push(`${name} ${code}`) });
    const last = refusal('SOURCE_RESTRICTED');
    const sources = [source('tiktok-web', refusal('SOURCE_TIMEOUT')), source('tiktok-embed', last)];
    await expect(ask(sources, context)).rejects.toBe(last);
    expect(failures).toEqual(['tiktok-web SOURCE_TIMEOUT', 'tiktok-embed SOURCE_RESTRICTED']);
  });

  test('only a successful answer is reported to `answered`, with its collector and source', async () => {
    const answered: string[] = [];
    const context = contextWith({ answered: (collector, answer) => answered.push(`${collector} ${answer.source}`) });
    await ask([source('tiktok-web', refusal('SOURCE_TIMEOUT')), source('tiktok-embed', { record })], context);
    expect(answered).toEqual(['invented tiktok-embed']);
  });

  test('a resource that a source does not cover is requested from the next source, and never hides a failure', async () => {
    const beyond = refusal('SOURCE_NOT_CONFIGURED', { about: 'reach' });
    const failed = refusal('SOURCE_UNAVAILABLE');
    expect((await ask([source('tiktok-web', beyond), source('tiktok-embed', { record })])).source).toBe('tiktok-embed');
    const [first, second] = [source('tiktok-web', beyond), source('tiktok-embed', failed)];
    await expect(ask([first, second])).rejects.toBe(failed);
    await expect(ask([second, first])).rejects.toBe(failed);
    await expect(ask([first])).rejects.toBe(beyond);
  });

  test('an internal error of a source is rethrown unchanged, and no other source is tried', async () => {
    const bug = new TypeError('a bug');
    await expect(ask([source('tiktok-web', bug), never('tiktok-embed')])).rejects.toBe(bug);
  });

  test('an error of a source keeps its cause', async () => {
    const cause = new Error('reset');
    await expect(ask([source('tiktok-web', refusal('SOURCE_UNAVAILABLE', { cause }))])).rejects.toMatchObject({
      cause,
    });
  });
});

describe('sources that cannot be used', () => {
  test('a source without credentials and a source that is switched off are skipped', async () => {
    const sources = [
      official(new Error('this source must not be used')),
      never('tiktok-web'),
      source('tiktok-embed', { record }),
    ];
    const answer = await ask(sources, contextWith({}, { KEYLESS_SOURCES: '-tiktok-web' }));
    expect(answer.source).toBe('tiktok-embed');
  });

  test('an official source with credentials answers for every value of KEYLESS_SOURCES', async () => {
    const answer = await ask(
      [official({ record })],
      contextWith({}, { YOUTUBE_API_KEY: 'key', KEYLESS_SOURCES: 'off' }),
    );
    expect(answer.source).toBe('youtube-data');
  });

  test('missing credentials of all sources, or no source at all, is SOURCE_NOT_CONFIGURED', async () => {
    await expect(ask([official({ record })])).rejects.toMatchObject({ code: 'SOURCE_NOT_CONFIGURED' });
    await expect(ask([])).rejects.toMatchObject({ code: 'SOURCE_NOT_CONFIGURED' });
  });

  test('a source that is switched off is SOURCE_UNAVAILABLE', async () => {
    const failure = ask([official({ record }), never('tiktok-web')], contextWith({}, { KEYLESS_SOURCES: 'off' }));
    await expect(failure).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', retry_after_seconds: null });
  });

  test('the error of a source that was tried takes precedence over skipped sources', async () => {
    const failing = source('tiktok-web', refusal('SOURCE_RESTRICTED'));
    const failure = ask([failing, never('tiktok-embed')], contextWith({}, { KEYLESS_SOURCES: 'tiktok-web' }));
    await expect(failure).rejects.toMatchObject({ code: 'SOURCE_RESTRICTED' });
  });
});

describe('circuit breakers of sources', () => {
  test('a source is paused after five failures, and the error says when to try again', async () => {
    const context = contextWith();
    let requests = 0;
    const counted: Keyless = {
      ...never('tiktok-web'),
      collect: async () => {
        requests++;
        throw refusal('SOURCE_UNAVAILABLE');
      },
    };
    for (let i = 0; i < 7; i++) await expect(ask([counted], context)).rejects.toThrow(SourceError);
    expect(requests).toBe(5);
    await expect(ask([counted], context)).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      retry_after_seconds: 60,
    });
    expect((await ask([counted, source('tiktok-embed', { record })], context)).source).toBe('tiktok-embed');
  });

  test('a source that is paused after a throttle gives SOURCE_CAPACITY, with the shortest wait of all sources', async () => {
    const context = contextWith();
    const throttled = (name: string, retryAfterSeconds: number) =>
      source(name, refusal('SOURCE_CAPACITY', { retry_after_seconds: retryAfterSeconds }));
    const sources = [throttled('tiktok-web', 300), throttled('tiktok-embed', 90)];
    await expect(ask(sources, context)).rejects.toMatchObject({ retry_after_seconds: 90 });
    await expect(ask(sources, context)).rejects.toMatchObject({ code: 'SOURCE_CAPACITY', retry_after_seconds: 90 });
  });

  test('a block is final for its request, even while it pauses its source, so no other source is tried', async () => {
    const blocked = source('tiktok-web', refusal('SOURCE_RESTRICTED', { about: 'block' }));
    const context = contextWith();
    for (let time = 0; time < 6; time += 1) {
      await expect(ask([blocked, never('tiktok-embed')], context)).rejects.toMatchObject({
        code: 'SOURCE_RESTRICTED',
        about: 'block',
      });
    }
    expect(context.breakers.state()).toMatchObject([{ source: 'tiktok-web', state: 'open' }]);
  });

  test('successes and errors about the resource are also reported to the circuit breaker', async () => {
    const context = contextWith();
    for (const answer of [{ record }, refusal('RESOURCE_NOT_FOUND')]) {
      for (let i = 0; i < 4; i++) await ask([source('tiktok-web', refusal('SOURCE_TIMEOUT'))], context).catch(() => {});
      await ask([source('tiktok-web', answer)], context).catch(() => {});
    }
    expect(context.breakers.state()).toMatchObject([{ state: 'closed', consecutive_failures: 0 }]);
  });
});

describe('cursors of sources', () => {
  test('the next cursor has the name of its source', async () => {
    const { next } = await ask([source('tiktok-web', { record, next: { offset: 20 } })]);
    expect(next).toEqual({ source: 'tiktok-web', at: { offset: 20 } });
  });

  test('a cursor is used only by the source that made it', async () => {
    const params = { handle: 'tidepool', cursor: { source: 'tiktok-embed', at: { after: '9' } } };
    const sources = [never('tiktok-web'), source('tiktok-embed', { record })];
    expect((await ask(sources, contextWith(), params)).source).toBe('tiktok-embed');
    const failing = [source('tiktok-embed', refusal('SOURCE_TIMEOUT')), never('tiktok-web')];
    await expect(ask(failing, contextWith(), params)).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' });
    expect((await ask([source('tiktok-web', { record })], contextWith(), { handle: 'a', cursor: null })).source).toBe(
      'tiktok-web',
    );
  });

  test('a cursor of a source that no longer exists is INVALID_INPUT', async () => {
    const params = { handle: 'tidepool', cursor: { source: 'other', at: {} } };
    await expect(ask([never('tiktok-web')], contextWith(), params)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('time limits of sources', () => {
  const deaf = source('tiktok-web', { record }, { collect: () => new Promise(() => {}) });
  const within = (limits: { total_ms: number; source_ms: number }, sources: Keyless[], context = contextWith()) =>
    collect(collectorOf(...sources), { handle: 'tidepool' }, context, limits);

  test('a source that takes too long is SOURCE_TIMEOUT and leaves time for the next one', async () => {
    const answer = await within({ total_ms: 60_000, source_ms: 10 }, [deaf, source('tiktok-embed', { record })]);
    expect(answer.source).toBe('tiktok-embed');
  });

  test('no other source is tried after the total time limit', async () => {
    let wasUsed = false;
    const next = source(
      'tiktok-embed',
      { record },
      {
        collect: async () => {
          wasUsed = true;
          return { record };
        },
      },
    );
    await expect(within({ total_ms: 10, source_ms: 60_000 }, [deaf, next])).rejects.toMatchObject({
      code: 'SOURCE_TIMEOUT',
    });
    expect(wasUsed).toBe(false);
  });

  test('a disconnected caller ends the request, and that is not a failure of the source', async () => {
    const caller = new AbortController();
    const context = contextWith({ signal: caller.signal });
    const failure = within({ total_ms: 60_000, source_ms: 60_000 }, [deaf, never('tiktok-embed')], context);
    caller.abort();
    await expect(failure).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' });
    expect(context.breakers.state()).toEqual([]);
  });

  test('a source receives the abort signal of its own time limit', async () => {
    const listening = source(
      'tiktok-web',
      { record },
      {
        collect: (_, { signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
    );
    await expect(within({ total_ms: 10, source_ms: 10 }, [listening])).rejects.toMatchObject({
      code: 'SOURCE_TIMEOUT',
    });
  });
});
