import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { openWith, startCountingServer } from '../real-server.ts';

const rows = 1_000;
const rowsPerFormula = 50;
const credits = 1_200;
const minuteMs = 60_000;
const sheetTimeoutMs = 180_000;

/** URLs that are too long for one request to contain 50 of them. */
const urls = Array.from({ length: rows }, (_, index) => `https://www.instagram.com/an.invented.person.nr.${index}/`);

/** Counts equal rows of an area, so that 1,000 failed rows are one line in the output of the test. */
function counts(file: SpreadsheetFile, area: string): Record<string, number> {
  const kinds = Map.groupBy(file.values(area), (cells) => cells.join(' '));
  return Object.fromEntries([...kinds].map(([kind, of]) => [kind, of.length]));
}

test(
  'a sheet of 1,000 rows fills with fewer than 60 requests, and reopening it costs 0 credits and no upstream request',
  async () => {
    const server = await startCountingServer({ credits });
    const file = await openWith(server.live_key, server.base_url);
    const end = rows + 1;
    file.type('A2', ...urls);
    for (let row = 2; row <= end; row += rowsPerFormula) {
      file.type(`B${row}`, `=SOCIAL_PROFILE(A${row}:A${row + rowsPerFormula - 1}, "followers,cached,username")`);
    }
    const names = urls.map((url) => new URL(url).pathname.replaceAll('/', ''));
    expect(counts(file, `B2:D${end}`)).toEqual({ 'OK 4321 false': rows });
    expect(file.values(`E2:E${end}`).flat()).toEqual(names);
    const firstFill = file.world().url_fetches;
    expect(firstFill).toBeLessThan(60);
    expect(await server.upstreamCallsAfter(minuteMs)).toBe(rows);
    file.type('G1', '=SOCIAL_CREDITS()');
    expect(file.values('G1')).toEqual([[credits - rows]]);

    file.pass(minuteMs);
    file.reopen();
    expect(counts(file, `B2:D${end}`)).toEqual({ 'OK 4321 true': rows });
    expect(file.values(`E2:E${end}`).flat()).toEqual(names);
    expect(file.world().url_fetches).toBe(firstFill + 2);
    expect(await server.upstreamCallsAfter(minuteMs)).toBe(rows);
    expect(file.values('G1')).toEqual([[credits - rows]]);

    file.type('H2', `=SOCIAL_PROFILE(A2:A${end}, "followers,cached")`);
    expect(counts(file, `H2:J${end}`)).toEqual({ 'OK 4321 true': rows });
    expect(await server.upstreamCallsAfter(0)).toBe(rows);
  },
  sheetTimeoutMs,
);

test(
  '2,000 new URLs in one formula fill up to the limit of requests, and the message of the other rows points to imports',
  async () => {
    const server = await startCountingServer({ credits: 2 * credits });
    const file = await openWith(server.live_key, server.base_url);
    const many = Array.from({ length: 2 * rows }, (_, index) => [
      `https://www.instagram.com/an.invented.person.nr.${index}/`,
    ]);
    const table = file.cell('SOCIAL_PROFILE', [many, 'followers,message']) as unknown[][];
    const kinds = Map.groupBy(table, ([status]) => String(status));
    expect([...kinds.keys()].toSorted()).toEqual(['OK', 'RATE_LIMITED']);
    expect(kinds.get('OK')?.length).toBeGreaterThanOrEqual(rows);
    expect(new Set(kinds.get('OK')?.map(([, followers]) => followers))).toEqual(new Set([4_321]));
    const [message] = new Set(kinds.get('RATE_LIMITED')?.map((cells) => cells[2]));
    expect(message).toMatch(
      /^A formula gets about 1,000 new rows a minute\. For more, open the sidebar and make an import\./,
    );
    expect(await server.upstreamCallsAfter(0)).toBe(kinds.get('OK')?.length);
  },
  sheetTimeoutMs,
);
