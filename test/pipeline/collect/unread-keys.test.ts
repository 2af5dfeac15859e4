import { afterEach, expect, test, vi } from 'vitest';
import { collect } from '../../../pipeline/collect/collect.ts';
import { SourceError } from '../../../pipeline/errors.ts';
import { dig, firstCharacter } from '../../../pipeline/parse/values.ts';
import { recordedCalls } from '../../../scripts/operator/sources/recorded.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { describeRecorded, recordedFetcher, recordedManifest } from '../../recorded.ts';
import { contextWith } from './collecting.ts';

const { parse } = JSON;
const sourcesWithUnreadKeys = ['youtube-web', 'instagram-web'];

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns a view of a JSON value that calls `read` for each member that is read, with the member's path and value. */
function watched<T>(value: T, path: string[], read: (path: string[], value: unknown) => void): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol') return member;
      read([...path, key], member);
      return watched(member, [...path, key], read);
    },
  });
}

describeRecorded('unread keys', () => {
  test.each(sourcesWithUnreadKeys)('%s never reads a value that it leaves out of a recorded answer', async (name) => {
    const replay = recordedFetcher();
    const wronglyLeftOut = new Set<string>();
    let read = 0;
    let whole: unknown;
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      const value = parse(text, reviver);
      const sent = whole;
      return watched(value, [], (path, member) => {
        read++;
        if (member === null && (dig(sent, ...path) ?? null) !== null) wronglyLeftOut.add(path.join('.'));
      });
    });
    for (const { collector, params, sources } of recordedCalls(recordedManifest)) {
      const found = catalog.find((route) => route.collector?.name === collector)?.collector;
      const parameters = { limit: 20, cursor: null, region: null, author: null, ...params };
      const input = [parameters, params]
        .map((one) => found?.params.safeParse(one).data)
        .find((one) => one !== undefined);
      if (!found || input === undefined || !sources.has(name)) continue;
      const own = { ...found, sources: found.sources.filter((source) => source.name === name) };
      const context = contextWith({
        async fetch(request, signal) {
          const answer = await replay(request, signal);
          whole = firstCharacter(answer.body) === '{' ? parse(answer.body.toString()) : null;
          return answer;
        },
      });
      await collect(own, input, context).catch((error: unknown) => expect(error).toBeInstanceOf(SourceError));
    }
    expect([...wronglyLeftOut]).toEqual([]);
    expect(read).toBeGreaterThan(1_000);
  });
});
