import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { openWith, startCountingServer } from '../real-server.ts';
import { cells, save, view } from './import-calls.ts';

const hourMs = 3_600_000;
const slowTimeoutMs = 180_000;
const urls = ['an.invented.person', 'another.invented.person'].map((name) => `https://www.instagram.com/${name}/`);

function log(file: SpreadsheetFile): { what: string; ok: number; failed: number; message: string }[] {
  return (file.run('sidebarRuns', []) as { runs: ReturnType<typeof log> }).runs;
}

test(
  'a scheduled import writes values of the real server into a closed file, and its log and card say when the server stopped',
  async () => {
    const server = await startCountingServer({ credits: 10 });
    const file = await openWith(server.live_key, server.base_url);
    file.type('A1', 'Profile', ...urls);
    const id = save(file, {
      ...{ source: cells('A2:A3'), fields: ['followers', 'username'] },
      ...{ schedule: { every_hours: 1, weekday: 1 }, max_age: 'fresh' },
    });
    file.pass(hourMs);
    expect(file.fireTriggers()).toEqual(['done']);
    expect(file.values('A1:D3')).toEqual([
      ['Profile', 'Status', 'Followers', 'Username'],
      [urls[0], 'OK', 4_321, 'an.invented.person'],
      [urls[1], 'OK', 4_321, 'another.invented.person'],
    ]);
    expect(log(file)[0]).toMatchObject({ ok: 2, failed: 0, message: 'Finished.' });
    expect(await server.upstreamCallsAfter(0)).toBe(2);
    await server.stop();
    file.pass(hourMs);
    const [failure] = file.fireTriggers();
    expect(failure).not.toBe('done');
    expect(log(file)[0]?.message).toContain('server');
    expect(view(file, id).stopped).toContain('server');
    expect(file.values('C2:C3').flat()).toEqual([4_321, 4_321]);
  },
  slowTimeoutMs,
);
