import { readCanaries } from '../../../db/requests/canary.ts';
import { checkSubject } from '../../../pipeline/canary/canary.ts';
import { readSubjects } from '../../../pipeline/canary/subjects.ts';
import { createSources, openQuota } from '../../../pipeline/create-sources.ts';
import { type Command, textTable } from '../command.ts';

export const canaryRun: Command = {
  name: 'canary run',
  usage: '',
  does: 'asks the sources for each well-known subject now, and compares the answers; exit code 1 when one is not right; charges nothing',
  args: [],
  options: [],
  async run({ config, now, db }) {
    const sources = { ...createSources(config, now), quota: openQuota(config, db.sql) };
    const rows = [];
    for (const subject of config.canary?.subjects ?? readSubjects(null)) {
      const checked = await checkSubject(subject, { sources, signal: new AbortController().signal });
      rows.push({
        collector: subject.collector,
        subject: subject.name,
        ...checked,
        state: checked.state ?? 'no source',
      });
    }
    const isWrong = rows.some(({ state }) => state === 'wrong' || state === 'failed');
    return { json: rows, text: textTable(rows), exit_code: isWrong ? 1 : 0 };
  },
};

export const canaryList: Command = {
  name: 'canary list',
  usage: '',
  does: 'shows the last result of each canary subject, and when it was last right',
  args: [],
  options: [],
  async run({ db }) {
    const rows = await readCanaries(db.sql);
    return { json: rows, text: textTable(rows) };
  },
};
