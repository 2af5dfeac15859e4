import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyDataFolder, tidyUp } from '../harness/data-folder.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { runProgram } from '../harness/service-process.ts';
import { attachProcess, killProcesses, openFolder } from '../setup/processes.ts';

test('a pipeline whose METRICS_PORT another program uses does not start, and begins no job that it could not finish', async () => {
  const folder = await openFolder();
  const dataDir = join(folder, 'data');
  const other = createServer().listen(0, '127.0.0.1');
  try {
    await Promise.all([once(other, 'listening'), copyDataFolder(dataDir)]);
    const { port } = other.address() as AddressInfo;
    const { ended } = runProgram(['pipeline/main.ts'], {
      DATA_DIR: dataDir,
      UPSTREAM_REPLAY: await writeInventedManifest(folder),
      METRICS_PORT: String(port),
      METRICS_TOKEN: 'invented',
    });
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining(`The port ${port} of METRICS_PORT cannot be used`)]);
    const database = await attachProcess(dataDir);
    expect(await database.ask('select count(*) from jobs.job')).toBe('0');
    expect(await database.ask('stop')).toBe('stopped');
  } finally {
    other.close();
    await killProcesses();
    await tidyUp(folder, dataDir);
  }
}, 60_000);
