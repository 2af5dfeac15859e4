import type { Run } from '../platform/runs.ts';
import { callServer } from './call.ts';
import { byId, counted, createElement, setText, showFailure } from './elements.ts';
import { localTime } from './local-time.ts';
import { createQueue } from './order.ts';

const inOrder = createQueue();

/** Loads and shows the log of this spreadsheet (imports, refreshes, reports), newest entry first. */
export async function showLog(): Promise<void> {
  setText('log-state', 'Loading the log…');
  const reply = await inOrder(() => callServer('sidebarRuns'));
  showFailure('log-error', reply);
  const runs = reply.ok ? reply.runs : [];
  setText('log-state', reply.ok && runs.length === 0 ? 'No import, refresh or report has run in this file yet.' : '');
  byId('log-runs', HTMLOListElement).replaceChildren(...runs.map(runElement));
}

/** Returns a list item that describes one entry of the log: an import, a refresh, a freeze or a report. */
export function runElement(run: Run): HTMLLIElement {
  const item = document.createElement('li');
  item.append(createElement('p', run.what));
  const failed = run.failed === 0 ? '' : `, ${run.failed} failed`;
  const paid = run.credits === null ? '' : ` · ${counted(run.credits, 'credit', 'credits')}`;
  const rows = `${counted(run.rows, 'row', 'rows')}: ${run.ok} OK${failed}${paid}`;
  item.append(createElement('p', rows, 'hint'), createElement('p', localTime(run.at), 'hint'));
  if (run.message !== '') item.append(createElement('p', run.message, 'hint'));
  return item;
}
