import { html } from 'hono/html';
import { listedRuns, type RunProgress, stagesBeforeWriting } from '../../../db/deliveries/sheet-import-runs.ts';
import type { SheetImport } from '../../../db/deliveries/sheet-imports.ts';
import { waitingReasons } from '../batches/detail.ts';
import { count, form, type Piece, table, tag, time } from '../ui/components.ts';
import { liveAttributes } from '../ui/parts/live.ts';
import { outcomeTag } from './google.ts';

const stageLabels = { reading: 'reading links', fetching: 'getting rows', writing: 'writing', ended: 'ended' };

/** Returns the state of one run of a sheet import: its stage and why it waits, or its result. */
export function runState({ stage, outcome, message, waiting_for, waiting_cost }: RunProgress): Piece {
  if (outcome !== null) return outcomeTag(outcome, message);
  const waiting = Object.entries(waitingReasons).find(([reason]) => reason === waiting_for)?.[1];
  // A row of latest posts can cost more than one credit, so a run can wait although some credits are left.
  const next = waiting_cost !== null && waiting_cost > 1 ? `: the next line can cost ${waiting_cost} credits` : '';
  if (waiting)
    return html`${tag('waiting', 'warn')} <small>${waiting[0]}${next}. The run continues ${waiting[1]}.</small>`;
  return html`${tag(stageLabels[stage])}${message ? html` <small>${message}</small>` : null}`;
}

/**
 * Returns the last runs of a sheet import. While one of them has not ended, a script in the page refreshes the table.
 */
export function runTable({ import_id }: SheetImport, runs: readonly RunProgress[]): Piece {
  const path = `/dashboard/imports/${import_id}`;
  if (runs.length === 0) return html`<p>No runs yet.</p>`;
  const number = (heading: string) => ({ heading, number: true });
  const rows = runs.map((run) => [
    time(run.started_at),
    run.trigger === 'manual' ? 'a person' : 'the schedule',
    runState(run),
    count(run.total),
    count(run.ok),
    count(run.failed),
    count(run.written_rows),
    count(run.credits),
    html`<div class="row">${stagesBeforeWriting.includes(run.stage) ? form(`${path}/runs/${run.run_id}/cancel`, '', 'Cancel run', 'danger') : null}${run.total > 0 ? html`<a href="${path}/runs/${run.run_id}/rows.csv" download>CSV</a> <a href="${path}/runs/${run.run_id}/rows.xlsx" download>Excel</a>` : null}</div>`,
  ]);
  const columns = [
    { heading: 'Started', time: true },
    'Started by',
    { heading: 'Result', long: true },
    ...['Lines', 'Succeeded', 'Failed', 'Rows written', 'Credits'].map(number),
    { heading: '', corner: true },
  ];
  const isLive = runs.some(({ finished_at }) => finished_at === null);
  const live = isLive
    ? liveAttributes({ id: 'import-runs', path, also: ['import-facts', 'import-actions', 'balance'] })
    : null;
  return html`<div id="import-runs"${live}>${table(`Last ${listedRuns} runs, newest first`, columns, rows, { as_cards: true })}</div>`;
}
