import { callServer } from './call.ts';
import { showCampaigns } from './campaigns.ts';
import { byId, onClick, onSubmit, setText, show, showFailure, whileBusy } from './elements.ts';

/** Sets up the section Report of the sidebar. @returns the function to call when the section is shown. */
export function startReport(): () => void {
  onSubmit('report-form', () => void insert());
  onClick('report-retry', () => void whileBusy('report-retry', 'Loading…', load));
  return () => void load();
}

async function load(): Promise<void> {
  setText('report-state', 'Loading your campaigns…');
  setText('report-done', '');
  const campaigns = await showCampaigns('report-campaign', 'report-error');
  const none = campaigns !== null && campaigns.length === 0;
  setText(
    'report-state',
    none ? 'This workspace has no campaigns yet. Create one on your dashboard, then open this section again.' : '',
  );
  show('report-choice', campaigns !== null && !none);
  show('report-retry', campaigns === null);
  show('report-insert', campaigns !== null && !none);
  show('report-create', none);
}

async function insert(): Promise<void> {
  const campaign = byId('report-campaign', HTMLSelectElement).value;
  setText('report-done', '');
  const reply = await whileBusy('report-insert', 'Inserting…', () => callServer('sidebarInsertReport', campaign, null));
  showFailure('report-error', reply);
  setText('report-done', reply.ok ? reply.message : '');
}
