import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { readBalance } from '../../db/money/ledger.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createTestDatabase } from '../setup/test-database.ts';
import { writeAddon } from './built-addon.ts';
import type { Break } from './formulas/breaking-proxy.ts';
import { openFile, type SpreadsheetFile } from './harness/file.ts';

/** Starts the real service in a separate process, with a real database and a fake upstream that counts its requests. */
export async function startCountingServer({ credits }: { credits: number }) {
  const database = await createTestDatabase();
  const { live_key, workspace_id } = await inTransaction(database.sql, (tx) =>
    createWorkspace(tx, { name: 'sheet', credits }),
  );
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'formulas', 'counting-server.ts'), database.database_url],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const stop = async (): Promise<void> => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  onTestFinished(async () => {
    await stop();
    await database.close();
  });
  const lines = createInterface({ input: child.stdout });
  const { base_url, proxy_url } = await nextLine(lines);
  /** Moves the server's clock forward and returns the number of upstream requests. */
  const upstreamCallsAfter = async (waitMs: number): Promise<number> => {
    child.stdin.write(`${waitMs}\n`);
    return Number((await nextLine(lines)).asked);
  };
  /** Breaks the connections of the next requests to `proxy_url`, one for each. */
  const breakNext = async (...breaks: Break[]): Promise<void> => {
    child.stdin.write(`${JSON.stringify(breaks)}\n`);
    await nextLine(lines);
  };
  /** Returns the credits that the workspace has spent. */
  const spent = async (): Promise<number> => credits - ((await readBalance(database.sql, workspace_id)) ?? 0);
  return {
    ...{ base_url: String(base_url), proxy_url: String(proxy_url), live_key },
    ...{ upstreamCallsAfter, breakNext, spent, stop },
  };
}

async function nextLine(lines: Interface): Promise<Record<string, unknown>> {
  const [line] = await once(lines, 'line');
  return JSON.parse(line);
}

export async function openWith(key: string, origin: string): Promise<SpreadsheetFile> {
  const outDir = await mkdtemp(join(tmpdir(), 'addon-'));
  await writeAddon(origin, outDir);
  const file = await openFile(outDir);
  onTestFinished(async () => {
    await file.close();
    await rm(outDir, { recursive: true });
  });
  file.world().properties.document.api_key = key;
  // Sets the sheet's clock to the current time, because the age of a row is the sheet's time minus the time of the
  // server.
  file.pass(Date.now() - file.world().now_ms);
  return file;
}
