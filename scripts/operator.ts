import { destination } from 'pino';
import { openDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { StartError } from '../db/start-error.ts';
import { ConfigError } from '../pipeline/config.ts';
import { createLog } from '../pipeline/log.ts';
import { readConfig } from '../server/config.ts';
import { collectCommand, collectRecorded } from './operator/collect.ts';
import { type Command, readCall, UsageError, usageText } from './operator/command.ts';
import { creditsGrant, ledgerCheck } from './operator/credits.ts';
import { jobsList, jobsRun } from './operator/jobs.ts';
import { keysCreate, keysList, keysRevoke } from './operator/keys.ts';
import { pagesList, pagesVerify } from './operator/pages.ts';
import { quota } from './operator/quota.ts';
import { signInLink } from './operator/sign-in-link.ts';
import {
  trackingAdd,
  trackingCheck,
  trackingList,
  trackingPause,
  trackingRemove,
  trackingResume,
  trackingSettings,
} from './operator/tracking.ts';
import { cleanup } from './operator/upkeep.ts';
import { workspaceCreate, workspaceList, workspaceShow, workspaceTier } from './operator/workspaces.ts';

const commands: readonly Command[] = [
  workspaceCreate,
  workspaceList,
  workspaceShow,
  workspaceTier,
  signInLink,
  keysCreate,
  keysList,
  keysRevoke,
  creditsGrant,
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
  jobsList,
  jobsRun,
  cleanup,
];

const log = createLog({ level: 'warn', to: destination(2) });

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError || error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function run(words: string[]): Promise<number> {
  if (words.length === 0) throw new UsageError(usageText(commands));
  if (words.includes('--help')) {
    console.log(usageText(commands));
    return 0;
  }
  const call = readCall(commands, words);
  const config = readConfig(process.env);
  const db = await openDatabase({ ...config, role: 'operator' }, log);
  try {
    await migrate(db.sql);
    const result = await call.command.run({ ...call, db, config, now: () => new Date() });
    console.log(call.json ? JSON.stringify(result.json) : result.text);
    return result.exit_code ?? 0;
  } finally {
    await db.close();
  }
}
