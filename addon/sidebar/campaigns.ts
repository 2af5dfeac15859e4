import type { CampaignChoice } from '../report-sheet/campaigns.ts';
import { callServer } from './call.ts';
import { byId, setOptions, setText } from './elements.ts';

/** Fills a list with the campaigns of the workspace and returns them; shows the error and returns null on failure. */
export async function showCampaigns(selectId: string, errorId: string): Promise<CampaignChoice[] | null> {
  const select = byId(selectId, HTMLSelectElement);
  const before = select.value;
  const reply = await callServer('sidebarCampaigns');
  setText(errorId, reply.ok ? '' : reply.message);
  const campaigns = reply.ok ? reply.campaigns : [];
  setOptions(
    selectId,
    campaigns.map(({ id, name, status }) => [id, status === 'active' ? name : `${name} (${status})`] as const),
    before,
  );
  select.disabled = campaigns.length === 0;
  return reply.ok ? campaigns : null;
}
