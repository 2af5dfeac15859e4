import { beforeEach, describe, expect, test } from 'vitest';
import { type Breakers, createBreakers } from '../../../pipeline/collect/breaker.ts';
import { SourceError, type SourceErrorCode } from '../../../pipeline/errors.ts';

const minuteMs = 60_000;
let clock: number;
let breakers: Breakers;
const pass = (ms: number) => {
  clock += ms;
};
const fail = (code: SourceErrorCode = 'SOURCE_TIMEOUT', times = 1, retryAfterSeconds?: number) => {
  for (let i = 0; i < times; i++) {
    breakers.report(
      'tiktok-web',
      new SourceError(code, retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    );
  }
};
const refusal = () => breakers.refusal('tiktok-web');

beforeEach(() => {
  clock = Date.parse('2026-11-20T10:00:00Z');
  breakers = createBreakers({ now: () => new Date(clock) });
});

describe('opening the circuit breaker of a source', () => {
  test.each<SourceErrorCode>(['SOURCE_RESTRICTED', 'SOURCE_TIMEOUT', 'SOURCE_UNAVAILABLE', 'SOURCE_CAPACITY'])(
    'five %s in a row open the circuit breaker of a source for a minute',
    (code) => {
      fail(code, 4);
      expect(refusal()).toBeNull();
      fail(code);
      expect(refusal()).toMatchObject({ retry_after_seconds: 60 });
      pass(59_001);
      expect(refusal()).toMatchObject({ retry_after_seconds: 1 });
    },
  );

  test('a pause ends at once when the clock was hours ahead during its start and is set back', () => {
    pass(5 * 60 * minuteMs);
    fail('SOURCE_TIMEOUT', 5);
    expect(refusal()).toMatchObject({ retry_after_seconds: 60 });
    pass(-5 * 60 * minuteMs);
    expect(refusal()).toBeNull();
    expect(refusal()).toMatchObject({ code: 'SOURCE_UNAVAILABLE', retry_after_seconds: 30 });
  });

  test('a block counts as a failure for the circuit breaker, although it is final for its request', () => {
    for (let i = 0; i < 5; i++) breakers.report('tiktok-web', new SourceError('SOURCE_RESTRICTED', { about: 'block' }));
    expect(refusal()).toMatchObject({ retry_after_seconds: 60 });
  });

  test('an open circuit breaker returns SOURCE_CAPACITY after a throttle and SOURCE_UNAVAILABLE after other failures', () => {
    fail('SOURCE_RESTRICTED', 5);
    expect(refusal()?.code).toBe('SOURCE_UNAVAILABLE');
    breakers.report('tiktok-embed', new SourceError('SOURCE_CAPACITY', { retry_after_seconds: 5 }));
    expect(breakers.refusal('tiktok-embed')?.code).toBe('SOURCE_CAPACITY');
  });

  test.each<SourceErrorCode>(['SOURCE_RESPONSE_CHANGED', 'SOURCE_NOT_CONFIGURED'])(
    '%s never opens the circuit breaker of a source',
    (code) => {
      fail(code, 20);
      expect(refusal()).toBeNull();
    },
  );

  test('a success or an error about the resource resets the failures that the circuit breaker counted', () => {
    fail('SOURCE_TIMEOUT', 4);
    breakers.report('tiktok-web', new SourceError('RESOURCE_NOT_FOUND'));
    fail('SOURCE_TIMEOUT', 4);
    breakers.report('tiktok-web', new SourceError('SOURCE_RESTRICTED', { about: 'resource' }));
    fail('SOURCE_TIMEOUT', 4);
    breakers.report('tiktok-web', null);
    fail('SOURCE_TIMEOUT', 4);
    expect(refusal()).toBeNull();
  });

  test('a throttle with a wait opens the circuit breaker immediately for that time, at most a day', () => {
    fail('SOURCE_CAPACITY', 1, 300);
    expect(refusal()).toEqual({ code: 'SOURCE_CAPACITY', retry_after_seconds: 300, block: false });
    fail('SOURCE_CAPACITY', 1, 10);
    expect(refusal()).toMatchObject({ retry_after_seconds: 300 });
    fail('SOURCE_CAPACITY', 1, 1e9);
    expect(refusal()).toMatchObject({ retry_after_seconds: 86_400 });
  });

  test('the circuit breaker says that a block paused its source', () => {
    for (let time = 0; time < 5; time += 1) {
      breakers.report('tiktok-web', new SourceError('SOURCE_RESTRICTED', { about: 'block' }));
    }
    expect(breakers.refusal('tiktok-web')).toMatchObject({ code: 'SOURCE_UNAVAILABLE', block: true });
  });

  test('each source has its own circuit breaker', () => {
    fail('SOURCE_TIMEOUT', 5);
    expect(breakers.refusal('tiktok-embed')).toBeNull();
  });
});

describe('closing the circuit breaker of a source', () => {
  beforeEach(() => {
    fail('SOURCE_TIMEOUT', 5);
    pass(minuteMs);
  });

  test('after the pause of the circuit breaker, one caller may probe the source and the others are refused', () => {
    expect(refusal()).toBeNull();
    expect(refusal()).not.toBeNull();
    breakers.report('tiktok-web', null);
    expect([refusal(), refusal()]).toEqual([null, null]);
  });

  test('each failed probe doubles the pause of the circuit breaker, up to a quarter of an hour', () => {
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      expect(refusal()).toBeNull();
      fail();
      const seconds = refusal()?.retry_after_seconds ?? 0;
      pauses.push(seconds);
      pass(seconds * 1000);
    }
    expect(pauses).toEqual([120, 240, 480, 900, 900, 900]);
  });

  test('a successful probe resets the doubled pauses of the circuit breaker', () => {
    refusal();
    fail();
    pass(2 * minuteMs);
    refusal();
    breakers.report('tiktok-web', null);
    fail('SOURCE_TIMEOUT', 5);
    expect(refusal()).toMatchObject({ retry_after_seconds: 60 });
  });

  test('a changed answer of the source closes the circuit breaker', () => {
    refusal();
    fail('SOURCE_RESPONSE_CHANGED');
    expect([refusal(), refusal()]).toEqual([null, null]);
  });

  test('after a probe that reports nothing, the circuit breaker allows another probe', () => {
    expect(refusal()).toBeNull();
    pass(29_000);
    expect(refusal()).not.toBeNull();
    pass(1_000);
    expect(refusal()).toBeNull();
  });
});

test('the circuit breaker ignores late results of requests from before it opened', () => {
  fail('SOURCE_TIMEOUT', 20);
  breakers.report('tiktok-web', null);
  expect(refusal()).toMatchObject({ retry_after_seconds: 60 });
});

test('the state of the circuit breakers lists every source with its failures and the end of its pause', () => {
  breakers.report('youtube-web', null);
  fail('SOURCE_RESTRICTED', 5);
  const closed = { source: 'youtube-web', state: 'closed', consecutive_failures: 0, code: null, open_until: null };
  const open = {
    state: 'open',
    consecutive_failures: 5,
    code: 'SOURCE_RESTRICTED',
    open_until: '2026-11-20T10:01:00.000Z',
  };
  expect(breakers.state()).toEqual([closed, { source: 'tiktok-web', ...open }]);
  pass(minuteMs);
  refusal();
  expect(breakers.state()[1]).toMatchObject({ state: 'probing' });
});

test('a disabled circuit breaker never refuses a request', () => {
  breakers = createBreakers({ enabled: false });
  fail('SOURCE_CAPACITY', 50, 600);
  expect(refusal()).toBeNull();
  expect(breakers.state()).toEqual([]);
});
