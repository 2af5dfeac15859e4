import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { freezeReport } from '../../../db/campaigns/reports.ts';
import { newId } from '../../../db/ids.ts';
import type { Tier } from '../../../db/tier.ts';
import { inTransaction } from '../../../db/transaction.ts';

import { createCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { buildReport, type Report } from '../../../pipeline/report/report.ts';
import { type ServiceProcess, startService } from '../../harness/service-process.ts';
import { example } from '../../pipeline/report/report-example.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { writeAddon } from '../built-addon.ts';
import { openFile, type People, type SpreadsheetFile } from '../harness/file.ts';
import { setKey } from '../spreadsheet-setup.ts';

const weekMs = 7 * 86_400_000;

export type OwnCampaign = { workspace_id: string; live_key: string; test_key: string; campaign_id: string };

/**
 * Starts the real server with its own database for one test file, and opens files with the add-on built for that
 * server.
 */
export function setUpReport() {
  const opened: SpreadsheetFile[] = [];
  const state: { database?: TestDatabase; service?: ServiceProcess; dist?: string } = {};
  beforeAll(async () => {
    state.database = await createTestDatabase();
    state.service = await startService({ DATABASE_URL: state.database.database_url, PIPELINE: 'off' });
    state.dist = await mkdtemp(join(tmpdir(), 'addon-'));
    await writeAddon(state.service.base_url, state.dist);
  });
  afterEach(async () => {
    for (const file of opened.splice(0)) await file.close();
  });
  afterAll(async () => {
    await state.service?.kill();
    await state.database?.close();
    if (state.dist !== undefined) await rm(state.dist, { recursive: true });
  });
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The set-up has not started');
    return part;
  };
  return {
    get sql() {
      return started(state.database).sql;
    },
    /** Creates a workspace with one campaign. */
    async campaign(name = 'Autumn at sea', tier: Tier = 'pro_max'): Promise<OwnCampaign> {
      const { sql } = started(state.database);
      const keys = await inTransaction(sql, (tx) => createWorkspace(tx, { name: 'Harbor Agency', credits: 10, tier }));
      const owner = { workspace_id: keys.workspace_id, tier: 'pro_max' as const, now: new Date() };
      const wish = { name, starts_on: '2026-11-02', ends_on: null, item_ids: [] };
      return { ...keys, campaign_id: await createCampaign(sql, owner, wish) };
    },
    /** Stores this report as the report of a finished week of the campaign. */
    async finish({ workspace_id, campaign_id }: OwnCampaign, report: Report): Promise<string> {
      const reportId = newId();
      const frozen = {
        ...{ workspace_id, campaign_id, report_id: reportId },
        period_start: new Date(report.period_start),
        period_end: new Date(report.period_start + weekMs),
        body: JSON.stringify({ ...report, report_id: reportId }),
      };
      await freezeReport(started(state.database).sql, frozen);
      return reportId;
    },
    async open(key: string | null, people?: People): Promise<SpreadsheetFile> {
      const file = await openFile(started(state.dist), people);
      opened.push(file);
      if (key !== null) setKey(file, 'YES', key);
      return file;
    },
  };
}

/**
 * Returns the example report. With `weeks`, moves its dates that many weeks later and increases its followers and
 * views.
 */
export function exampleReport(weeks = 0, name = 'Autumn at sea'): Report {
  const later = (at: Date): Date => new Date(at.getTime() + weeks * weekMs);
  return buildReport({
    ...example,
    campaign: { ...example.campaign, name },
    period_start: example.period_start + weeks * weekMs,
    generated_at: example.generated_at + weeks * weekMs,
    observations: [
      ...(weeks === 0 ? [] : example.observations),
      ...example.observations.map((one) => ({
        ...one,
        observed_at: later(one.observed_at),
        followers: one.followers === null ? null : one.followers + weeks,
        views: one.views === null ? null : one.views * (weeks + 1),
      })),
    ],
    missed: example.missed.map((one) => ({ ...one, attempted_at: later(one.attempted_at) })),
  });
}

/** The add-on's reply to a call from the sidebar. */
export type Reply = { ok: boolean; message: string; sheet: string };

/** Calls a function of the add-on as the sidebar does. */
export function ask(file: SpreadsheetFile, name: string, ...args: unknown[]): Reply {
  return file.run(name, args) as Reply;
}
