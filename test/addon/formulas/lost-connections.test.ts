import { expect, test } from 'vitest';
import { openWith, startCountingServer } from '../real-server.ts';
import type { Break } from './breaking-proxy.ts';

const slowTimeoutMs = 180_000;
const profile = (name: string) => `https://www.instagram.com/${name}/`;

test(
  'however a connection to the real server breaks, formulas show their values, and each value is fetched and charged once',
  async () => {
    const server = await startCountingServer({ credits: 100 });
    const file = await openWith(server.live_key, server.proxy_url);
    let fetched = 0;
    const cases = (['before', 'during', 'after'] as const).flatMap((breaks): [Break, string][] => [
      [breaks, '1d'],
      [breaks, 'fresh'],
    ]);
    for (const [breaks, maxAge] of cases) {
      await server.breakNext(breaks);
      expect(file.cell('SOCIAL_FOLLOWERS', [profile(`${breaks}.${maxAge}`), '', maxAge])).toBe(4_321);
      fetched += 1;
      expect([breaks, maxAge, await server.upstreamCallsAfter(0), await server.spent()]).toEqual([
        ...[breaks, maxAge],
        ...[fetched, fetched],
      ]);
    }
    // Each request has about 40 of these URLs, so the formula sends two requests at once, and the connection of one of
    // them breaks.
    const column = Array.from({ length: 60 }, (_, index) => [profile(`a.longer.invented.name.${index}`)]);
    await server.breakNext('after', 'never');
    expect(file.cell('SOCIAL_PROFILE', [column, 'followers', 'fresh'])).toEqual(column.map(() => ['OK', 4_321]));
    expect(await server.upstreamCallsAfter(0)).toBe(fetched + 60);
    expect(await server.spent()).toBe(fetched + 60);
    await server.breakNext('after');
    expect(file.cell('SOCIAL_POSTS', [profile('posts'), 1, 'likes', 'fresh'])).toEqual([['OK', 10]]);
    expect(await server.upstreamCallsAfter(0)).toBe(fetched + 61);
    expect(await server.spent()).toBe(fetched + 62);
  },
  slowTimeoutMs,
);
