import { ask } from './call.ts';
import { campaignOptions } from './campaigns.ts';
import { busy, byId, onSubmit, setText } from './elements.ts';

/** Makes the report section work. @returns what runs when it comes up. */
export function startReport(): () => void {
  onSubmit('report-form', () => void insert());
  return () => void load();
}

async function load(): Promise<void> {
  setText('report-state', 'Reading your campaigns…');
  setText('report-done', '');
  const campaigns = await campaignOptions('report-campaign', 'report-error');
  const none = campaigns !== null && campaigns.length === 0;
  setText('report-state', none ? 'This workspace has no campaign yet. Make one on your dashboard.' : '');
  byId('report-insert', HTMLButtonElement).disabled = campaigns === null || none;
}

async function insert(): Promise<void> {
  const campaign = byId('report-campaign', HTMLSelectElement).value;
  setText('report-done', '');
  const reply = await busy('report-insert', 'Inserting…', () => ask('sidebarInsertReport', campaign, null));
  setText('report-error', reply.ok ? '' : reply.message);
  setText('report-done', reply.ok ? reply.message : '');
}
