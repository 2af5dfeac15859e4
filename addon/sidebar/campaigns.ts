import type { CampaignChoice } from '../report-sheet/campaigns.ts';
import { callServer } from './call.ts';
import { byId, setOptions, showFailure } from './elements.ts';
import { createQueue } from './order.ts';

const inOrder = createQueue();

/**
 * Loads the campaigns of the workspace, shows them in a select element and returns them. On failure, shows the error
 * and returns null.
 */
export async function showCampaigns(selectId: string, errorId: string): Promise<CampaignChoice[] | null> {
  const select = byId(selectId, HTMLSelectElement);
  const reply = await inOrder(() => callServer('sidebarCampaigns'));
  showFailure(errorId, reply);
  const campaigns = reply.ok ? reply.campaigns : [];
  setOptions(
    selectId,
    campaigns.map(({ id, name, status }) => [id, status === 'active' ? name : `${name} (${status})`] as const),
    // The campaign that is chosen now: the user may have changed it while the campaigns were loading.
    select.value,
  );
  select.disabled = campaigns.length === 0;
  return reply.ok ? campaigns : null;
}
