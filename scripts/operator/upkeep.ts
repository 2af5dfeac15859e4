import { removeOld } from '../../pipeline/jobs/cleanup.ts';
import { type Command, lines } from './command.ts';

export const cleanup: Command = {
  name: 'cleanup',
  usage: '',
  does: 'deletes expired data: stored answers, sessions, old history and delivery logs',
  words: [],
  options: [],
  async run({ db, now }) {
    const removed = await removeOld(db.sql, now());
    return { json: removed, text: lines(removed) };
  },
};
