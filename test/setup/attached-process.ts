import { createInterface } from 'node:readline';
import postgres from 'postgres';
import { startEmbedded } from '../../db/embedded/embedded.ts';
import { reasonOf } from '../../db/start-error.ts';

// This program attaches to a data folder and runs one command per line of stdin. Tests kill it to see how other
// processes on the same data folder react.
const [dataDir = '', systemFolder = '', account] = process.argv.slice(2);
if (account) dropPrivileges(Number(account));

const log = { info: report, warn: report, error: report };
const embedded = await startEmbedded({
  data_dir: dataDir,
  ...(systemFolder ? { system_folder: systemFolder } : {}),
  log,
  durability: 'off',
}).catch((error: unknown) => {
  answer(`refused: ${reasonOf(error)}`);
  process.exit(1);
});
const sql = postgres({ ...embedded.connection, max: 1, backoff: () => 0.02, onnotice() {} });
answer('attached');
for await (const line of createInterface({ input: process.stdin })) answer(await runCommand(line).catch(reasonOf));

async function runCommand(line: string): Promise<string> {
  if (line === 'stop') {
    await sql.end();
    await embedded.stop();
    process.stdin.destroy();
    return 'stopped';
  }
  const [row] = await sql.unsafe(line).values();
  return String(row ?? 'done');
}

function dropPrivileges(id: number): void {
  process.setgroups?.([id]);
  process.setgid?.(id);
  process.setuid?.(id);
}

function answer(text: string): void {
  process.stdout.write(`${text}\n`);
}

function report(details: object, message: string): void {
  process.stderr.write(`${message} ${JSON.stringify(details)}\n`);
}
