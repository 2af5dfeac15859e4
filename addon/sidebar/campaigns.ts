import type { CampaignChoice } from '../report-sheet/campaigns.ts';
import { callServer } from './call.ts';
import { byId, setOptions, showFailure } from './elements.ts';

/**
 * Loads the campaigns of the workspace, shows them in a select element and returns them. On failure, shows the error
 * and returns null.
 */
export async function showCampaigns(selectId: string, errorId: string): Promise<CampaignChoice[] | null> {
  const select = byId(selectId, HTMLSelectElement);
  const before = select.value;
  const reply = await callServer('sidebarCampaigns');
  showFailure(errorId, reply);
  const campaigns = reply.ok ? reply.campaigns : [];
  setOptions(
    selectId,
    campaigns.map(({ id, name, status }) => [id, status === 'active' ? name : `${name} (${status})`] as const),
    before,
  );
  select.disabled = campaigns.length === 0;
  return reply.ok ? campaigns : null;
}
