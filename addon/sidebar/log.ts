import type { Run } from '../refresh/runs.ts';
import { ask } from './call.ts';
import { byId, counted, element, setText } from './elements.ts';
import { timeWords } from './time-words.ts';

/** Shows what was done in this file lately, newest first. */
export async function showLog(): Promise<void> {
  setText('log-state', 'Reading the log…');
  const reply = await ask('sidebarRuns');
  setText('log-error', reply.ok ? '' : reply.message);
  const runs = reply.ok ? reply.runs : [];
  setText('log-state', reply.ok && runs.length === 0 ? 'Nothing was filled, refreshed or inserted here yet.' : '');
  byId('log-runs', HTMLOListElement).replaceChildren(...runs.map(runElement));
}

function runElement(run: Run): HTMLLIElement {
  const item = document.createElement('li');
  item.append(element('p', run.what));
  const failed = run.failed === 0 ? '' : `, ${run.failed} failed`;
  const paid = run.credits === null ? '' : ` · ${counted(run.credits, 'credit', 'credits')}`;
  const rows = `${counted(run.rows, 'row', 'rows')}: ${run.ok} ok${failed}${paid}`;
  item.append(element('p', rows, 'hint'), element('p', timeWords(run.at), 'hint'));
  if (run.message !== '') item.append(element('p', run.message, 'hint'));
  return item;
}
