import { parseArgs } from 'node:util';
import { collect } from '../pipeline/collect/collect.ts';
import { ConfigError } from '../pipeline/config.ts';
import { SourceError } from '../pipeline/errors.ts';
import { ReplayMiss } from '../pipeline/network/replay.ts';
import { createSources } from '../pipeline/start.ts';
import { readConfig } from '../server/config.ts';
import { UsageError } from './operator/command.ts';
import { collectorNamed, collectors, valuesOf } from './operator/sources/collectors.ts';
import { openRecordingFolder } from './recording/folder.ts';
import { createRecorder } from './recording/recorder.ts';

const usage = 'Usage: npm run record -- COLLECTOR name=value… --out FOLDER [--only dot.path]';
const wrongUse = (problem: string) => new UsageError(`${problem}\n${usage}`);

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (![ConfigError, UsageError, ReplayMiss].some((known) => error instanceof known)) throw error;
  console.error((error as Error).message);
  process.exitCode = 2;
}

/** Runs one collector and stores the answers that its sources got; returns the exit code. */
async function run(args: string[]): Promise<number> {
  const { collector, params, out, only } = readCall(args);
  const config = readConfig(process.env);
  const sources = createSources(config, () => new Date());
  const folder = await openRecordingFolder(out);
  const recorder = createRecorder(sources.fetch, config.sources, only);
  const context = { ...sources, fetch: recorder.fetch, signal: new AbortController().signal };
  const { text, exitCode } = await outcome(() => collect(collector, params, context));
  const exchanges = recorder.exchanges();
  if (exchanges.length === 0) throw new UsageError(`${text}\nNo source answered, so nothing was stored.`);
  await folder.add(exchanges);
  console.log(text);
  for (const { entry, body } of exchanges) {
    console.error(`${entry.method} ${entry.example.url} ${entry.status} ${entry.file ?? '-'} (${body.length} bytes)`);
  }
  return exitCode;
}

function readCall(args: string[]) {
  const { positionals, values } = parsed(args);
  const [name, ...pairs] = positionals;
  if (name === undefined)
    throw wrongUse(`The name of the collector is missing. Use one of:\n${[...collectors.keys()].join('\n')}`);
  const collector = collectorNamed(name);
  if (!values.out) throw wrongUse('--out is missing: add the folder in which the answers will be stored.');
  if (values.only?.split('.').includes(''))
    throw wrongUse(
      `--only must be names of JSON fields with dots between them, such as data.user, not "${values.only}".`,
    );
  const params = collector.params.safeParse(valuesOf(pairs, wrongUse));
  if (params.success) return { collector, params: params.data, out: values.out, only: values.only };
  const issues = params.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw wrongUse(issues.join('\n'));
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { out: { type: 'string' }, only: { type: 'string' } } });
  } catch (error) {
    throw wrongUse((error as Error).message);
  }
}

/** Returns the record as text. When all sources failed, it returns their error, because such answers are worth recording too. */
async function outcome(call: () => Promise<{ record: unknown }>): Promise<{ text: string; exitCode: number }> {
  try {
    return { text: JSON.stringify((await call()).record, null, 2), exitCode: 0 };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { code, message, reason } = error;
    return { text: `${code}: ${message}${reason ? ` (${reason})` : ''}`, exitCode: 1 };
  }
}
