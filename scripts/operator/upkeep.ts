import { distributeTables } from '../../db/distribution/distribute.ts';
import { removeOld } from '../../pipeline/jobs/cleanup.ts';
import { type Command, lines, wholeNumber, wrongUse } from './command.ts';

export const cleanupCommand: Command = {
  name: 'cleanup',
  usage: '',
  does: 'deletes expired data: cached answers, sessions, old history and delivery logs',
  args: [],
  options: [],
  async run({ db, now }) {
    const removed = await removeOld(db.sql, now());
    return { json: removed, text: lines(removed) };
  },
};

const defaultShards = 32;
const maxShards = 1_024;

export const databaseDistribute: Command = {
  name: 'database distribute',
  usage: `[--shards ${defaultShards}]`,
  does: 'distributes the tables over the nodes of the Citus cluster of DATABASE_URL',
  args: [],
  options: ['shards'],
  async run({ db, options }) {
    const shards = wholeNumber(databaseDistribute, '--shards', options.shards ?? String(defaultShards));
    if (shards < 1 || shards > maxShards) {
      throw wrongUse(databaseDistribute, `--shards must be between 1 and ${maxShards}, not ${shards}.`);
    }
    const done = await distributeTables(db.sql, { shards });
    return { json: done, text: lines({ ...done, left_out: done.left_out.join(', ') || 'none' }) };
  },
};
