import type { Log } from '../../db/log.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { reasonOf, StartError } from '../../db/start-error.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { ConfigError } from '../../pipeline/config.ts';
import { NoRecordingError } from '../../pipeline/network/recorded-fetcher.ts';
import { readConfig } from '../../server/config.ts';
import { backup, restore } from './backup.ts';
import { clockCorrect, clockShow } from './clock.ts';
import {
  type Command,
  type OfflineCommand,
  type ReadCall,
  type Result,
  readCall,
  UsageError,
  usageText,
} from './command.ts';
import { creditsGrant } from './credits.ts';
import { doctor } from './doctor.ts';
import { importList, importPause, importResume, importRun } from './imports.ts';
import { jobsList, jobsRun } from './jobs.ts';
import { keysCreate, keysList, keysRevoke } from './keys.ts';
import { ledgerCheck, ledgerShow } from './ledger.ts';
import { linkCreate, linkList, linkRevoke } from './links.ts';
import { isNewDatabase, newDatabase } from './new-database.ts';
import { adminAdd, adminList, adminRemove } from './people/admins.ts';
import { signInLink } from './people/sign-in-link.ts';
import { twoFactorOff } from './people/two-factor-off.ts';
import { canaryList, canaryRun } from './sources/canary.ts';
import { collectCommand, collectRecorded } from './sources/collect.ts';
import { pagesList, pagesVerify } from './sources/pages.ts';
import { quota } from './sources/quota.ts';
import {
  trackingAdd,
  trackingCheck,
  trackingList,
  trackingPause,
  trackingRemove,
  trackingResume,
  trackingSettings,
} from './tracking.ts';
import { cleanupCommand, databaseDistribute } from './upkeep.ts';
import { workspaceCreate, workspaceList, workspaceShow, workspaceTier } from './workspaces.ts';

const commands: readonly (Command | OfflineCommand)[] = [
  workspaceCreate,
  workspaceList,
  workspaceShow,
  workspaceTier,
  signInLink,
  adminAdd,
  adminRemove,
  adminList,
  twoFactorOff,
  keysCreate,
  keysList,
  keysRevoke,
  linkCreate,
  linkList,
  linkRevoke,
  importList,
  importRun,
  importPause,
  importResume,
  creditsGrant,
  ledgerShow,
  ledgerCheck,
  collectRecorded,
  collectCommand,
  pagesVerify,
  pagesList,
  trackingAdd,
  trackingList,
  trackingCheck,
  trackingPause,
  trackingResume,
  trackingRemove,
  trackingSettings,
  quota,
  canaryRun,
  canaryList,
  jobsList,
  jobsRun,
  databaseDistribute,
  cleanupCommand,
  clockShow,
  clockCorrect,
  backup,
  restore,
  doctor,
];

interface OperatorProcess {
  env: Record<string, string | undefined>;
  log: Log;
  /** Prints a line to standard output. */
  print(line: string): void;
  /** Prints a line to standard error. */
  printError(line: string): void;
}

/** Runs one command and returns its exit code. Prints errors that an operator can correct; throws all others. */
export async function runOperator(args: string[], host: OperatorProcess): Promise<number> {
  try {
    return await run(args, host);
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null) throw error;
    host.printError(sentence);
    return 2;
  }
}

function sentenceOf(error: unknown): string | null {
  if (error instanceof StartError || error instanceof ConfigError || error instanceof UsageError) return error.message;
  if (error instanceof NoRecordingError)
    return `UPSTREAM_REPLAY replaces the network, and ${error.message}: unset it, or ask for something that was recorded.`;
  if (!isUnavailable(error)) return null;
  return `The database stopped answering: ${reasonOf(error)}. Run the command again when the database is available.`;
}

async function run(args: string[], { env, log, print, printError }: OperatorProcess): Promise<number> {
  if (args.length === 0) throw new UsageError(usageText(commands));
  if (args.includes('--help')) {
    print(usageText(commands));
    return 0;
  }
  const call = readCall(commands, args);
  const result = await runCommand(call, { env, log, printError });
  print(call.json ? JSON.stringify(result.json) : result.text);
  return result.exit_code ?? 0;
}

async function runCommand(
  { command, ...call }: ReadCall<Command | OfflineCommand>,
  { env, log, printError }: Omit<OperatorProcess, 'print'>,
): Promise<Result> {
  if ('runOffline' in command) return command.runOffline({ args: call.args, env, log });
  const config = readConfig(env);
  const isNew = await isNewDatabase(config);
  const db = await openDatabase({ ...config, role: 'operator' }, log);
  if (isNew) printError(newDatabase(config));
  try {
    await migrate(db.sql);
    return await command.run({ ...call, db, config, now: () => new Date() });
  } finally {
    await db.close();
  }
}
