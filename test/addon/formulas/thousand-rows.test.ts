import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { buildAddon } from '../../../scripts/build-addon.ts';
import { createTestDatabase } from '../../setup/test-database.ts';
import { openFile, type SpreadsheetFile } from '../harness/file.ts';

const rows = 1_000;
const rowsPerFormula = 50;
const credits = 1_200;
const minuteMs = 60_000;
const sheetTimeoutMs = 180_000;

/** So long that a request cannot contain 50 of them. */
const urls = Array.from({ length: rows }, (_, index) => `https://www.instagram.com/an.invented.person.nr.${index}/`);

/** Starts the real service in a separate process, with a real database and an upstream that counts requests. */
async function startServer() {
  const database = await createTestDatabase();
  const { live_key } = await inTransaction(database.sql, (tx) => createWorkspace(tx, { name: 'sheet', credits }));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'counting-server.ts'), database.database_url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
    await database.close();
  });
  const lines = createInterface({ input: child.stdout });
  const { base_url } = await nextLine(lines);
  /** Moves the server's clock forward and returns the number of upstream requests. */
  const upstreamCallsAfter = async (waitMs: number): Promise<number> => {
    child.stdin.write(`${waitMs}\n`);
    return Number((await nextLine(lines)).asked);
  };
  return { base_url: String(base_url), live_key, upstreamCallsAfter };
}

async function nextLine(lines: Interface): Promise<Record<string, unknown>> {
  const [line] = await once(lines, 'line');
  return JSON.parse(line);
}

async function openWith(key: string, origin: string): Promise<SpreadsheetFile> {
  const outDir = await mkdtemp(join(tmpdir(), 'addon-'));
  await buildAddon({ origin, out_dir: outDir, install: 'addon' });
  const file = await openFile(outDir);
  onTestFinished(async () => {
    await file.close();
    await rm(outDir, { recursive: true });
  });
  file.world().properties.document.api_key = key;
  // The age of stored rows is the difference between the clocks of the sheet and the server.
  file.pass(Date.now() - file.world().now_ms);
  return file;
}

/** Counts the rows of an area by their first cell, so that 1,000 failures are one line. */
function counts(file: SpreadsheetFile, area: string): Record<string, number> {
  const kinds = Map.groupBy(file.values(area), (cells) => cells.join(' '));
  return Object.fromEntries([...kinds].map(([kind, of]) => [kind, of.length]));
}

test(
  'a sheet of 1,000 rows fills with fewer than 60 requests, and reopening it costs 0 credits and no upstream request',
  async () => {
    const server = await startServer();
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
