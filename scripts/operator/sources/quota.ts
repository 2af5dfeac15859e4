import { type QuotaUsage, readQuota } from '../../../db/requests/quota.ts';
import { quotaSource } from '../../../pipeline/create-sources.ts';
import { dataApiName } from '../../../pipeline/longvideo/data-api/client.ts';
import { dailyBudgets, quotaDay, quotaReset } from '../../../pipeline/longvideo/data-api/quota.ts';
import { type Command, lines, textTable } from '../command.ts';

export const quota: Command = {
  name: 'quota',
  usage: '',
  does: 'shows today’s use of the official YouTube quota by bucket and method, and what is left',
  args: [],
  options: [],
  async run({ db, config, now }) {
    const at = now();
    const about = { source: quotaSource(config, dataApiName), day: quotaDay(at), resets_at: quotaReset(at) };
    const usage = await readQuota(db.sql, about.source, about.day);
    const buckets = Object.entries(dailyBudgets(config.sources)).map(([bucket, budget]) =>
      bucketOf(budget, usage.find((used) => used.bucket === bucket) ?? { bucket, units: 0, methods: {} }),
    );
    const methods = buckets.flatMap(({ bucket, methods }) =>
      Object.entries(methods).map(([method, units]) => ({ method, bucket, units })),
    );
    const rows = buckets.map(({ methods: _, ...row }) => row);
    return { json: { ...about, buckets }, text: [lines(about), textTable(rows), textTable(methods)].join('\n\n') };
  },
};

function bucketOf(budget: number, { bucket, units, methods }: QuotaUsage) {
  const counted = Object.values(methods).reduce((sum, each) => sum + each, 0);
  return {
    bucket,
    budget,
    used: counted,
    left: Math.max(0, budget - units),
    // `units` becomes the whole budget when the source refuses a call. If this server's own count is lower,
    // the source allows less than the budget, or another program uses the same API key.
    said_spent: units > counted,
    methods,
  };
}
