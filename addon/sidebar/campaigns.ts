import type { CampaignChoice } from '../report-sheet/campaigns.ts';
import { ask } from './call.ts';
import { byId, setOptions, setText } from './elements.ts';

/** Fills a list with the campaigns of the workspace and gives them; says why when there are none to show. */
export async function campaignOptions(select_id: string, error_id: string): Promise<CampaignChoice[] | null> {
  const select = byId(select_id, HTMLSelectElement);
  const before = select.value;
  const reply = await ask('sidebarCampaigns');
  setText(error_id, reply.ok ? '' : reply.message);
  const campaigns = reply.ok ? reply.campaigns : [];
  setOptions(
    select_id,
    campaigns.map(({ id, name, status }) => [id, status === 'active' ? name : `${name} (${status})`] as const),
    before,
  );
  select.disabled = campaigns.length === 0;
  return reply.ok ? campaigns : null;
}
