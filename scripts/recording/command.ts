import { parseArgs } from 'node:util';
import { collect } from '../../pipeline/collect/collect.ts';
import { ConfigError } from '../../pipeline/config.ts';
import { createSources } from '../../pipeline/create-sources.ts';
import { SourceError } from '../../pipeline/errors.ts';
import { NoRecordingError } from '../../pipeline/network/recorded-fetcher.ts';
import { readConfig } from '../../server/config.ts';
import { UsageError } from '../operator/command.ts';
import { collectorNamed, collectors, paramsOf } from '../operator/sources/collectors.ts';
import { openRecordingFolder } from './folder.ts';
import { createRecorder } from './recorder.ts';

const usage = 'Usage: npm run record -- COLLECTOR name=value… --out FOLDER [--only dot.path]';
const wrongUse = (problem: string) => new UsageError(`${problem}\n${usage}`);

/** The environment and the output of the process that runs the command. */
interface RecordProcess {
  env: NodeJS.ProcessEnv;
  print(text: string): void;
  printError(text: string): void;
}

/** Runs `npm run record` with these arguments. Returns the exit code: 2 for a wrong argument or setting. */
export async function runRecord(args: readonly string[], io: RecordProcess): Promise<number> {
  try {
    return await run(args, io);
  } catch (error) {
    if (![ConfigError, UsageError, NoRecordingError].some((known) => error instanceof known)) throw error;
    io.printError((error as Error).message);
    return 2;
  }
}

/** Runs one collector and stores the answers that its sources got; returns the exit code. */
async function run(args: readonly string[], { env, print, printError }: RecordProcess): Promise<number> {
  const { collector, params, out, only } = readCall(args);
  const config = readConfig(env);
  const sources = createSources(config, () => new Date());
  const folder = await openRecordingFolder(out);
  const recorder = createRecorder(sources.fetch, config.sources, only);
  const context = { ...sources, fetch: recorder.fetch, signal: new AbortController().signal };
  const { text, exitCode } = await outcome(() => collect(collector, params, context));
  const exchanges = recorder.exchanges();
  if (exchanges.length === 0)
    throw new UsageError(
      `${text}\nNo source answered, so nothing was stored: check the parameters, or try again later.`,
    );
  await folder.add(exchanges);
  print(text);
  for (const { entry, body } of exchanges) {
    printError(`${entry.method} ${entry.example.url} ${entry.status} ${entry.file ?? '-'} (${body.length} bytes)`);
  }
  return exitCode;
}

function readCall(args: readonly string[]) {
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
  const params = collector.params.safeParse(paramsOf(pairs, wrongUse));
  if (params.success) return { collector, params: params.data, out: values.out, only: values.only };
  const issues = params.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw wrongUse(issues.join('\n'));
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { out: { type: 'string' }, only: { type: 'string' } },
    });
  } catch (error) {
    throw wrongUse((error as Error).message);
  }
}

/**
 * Returns the record as text. When all sources failed, returns their error, because such answers are worth recording
 * too.
 */
async function outcome(call: () => Promise<{ record: unknown }>): Promise<{ text: string; exitCode: number }> {
  try {
    return { text: JSON.stringify((await call()).record, null, 2), exitCode: 0 };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { code, message, reason } = error;
    return { text: `${code}: ${message}${reason ? ` (${reason})` : ''}`, exitCode: 1 };
  }
}
