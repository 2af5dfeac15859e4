import { correctFutureTimes, countFutureTimes } from '../../db/clock/future-times.ts';
import { type Command, lines } from './command.ts';

const none = 'No stored time is in the future.';

export const clockShow: Command = {
  name: 'clock show',
  usage: '',
  does: 'counts the rows that wait because their time is in the future, as after a clock was ahead and was set back',
  args: [],
  options: [],
  async run({ db, now }) {
    const rows = await countFutureTimes(db.sql, now());
    return { json: { now: now(), rows }, text: textOf(now(), rows) };
  },
};

export const clockCorrect: Command = {
  name: 'clock correct',
  usage: '',
  does: 'corrects these rows; only when the clock of this machine is right now: see `clock show`',
  args: [],
  options: [],
  async run({ db, now }) {
    const corrected = await correctFutureTimes(db.sql, now());
    return { json: { now: now(), corrected }, text: textOf(now(), corrected) };
  },
};

function textOf(now: Date, rows: Record<string, number>): string {
  const clock = `The clock of this machine shows ${now.toISOString()}.`;
  return `${clock}\n${Object.keys(rows).length === 0 ? none : lines(rows)}`;
}
