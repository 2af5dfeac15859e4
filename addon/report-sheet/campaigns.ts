import { noKey, unreadable } from '../formulas/tables.ts';
import { asObject, fetchAnswers } from '../platform/client.ts';
import { FailureError } from '../platform/page-call.ts';
import { actionServer } from '../platform/platform.ts';

export type CampaignChoice = { id: string; name: string; status: string };

/**
 * Requests the campaigns of the user's workspace from the server and returns them, newest first.
 *
 * @throws PlainError when the server does not return them.
 */
export function listCampaigns(): { ok: true; campaigns: CampaignChoice[] } {
  const { key, network, origin } = actionServer();
  if (key === null) throw new FailureError(noKey);
  const [answer] = fetchAnswers([`${origin}/v1/workflows/campaigns`], key, network);
  if (answer?.ok === false) throw new FailureError(answer.failure);
  const items = asObject(answer?.data)?.items;
  if (!Array.isArray(items)) throw new FailureError(unreadable);
  const campaigns = items.flatMap((item: unknown): CampaignChoice[] => {
    const { id, name, status } = asObject(item) ?? {};
    return typeof id === 'string' ? [{ id, name: String(name ?? ''), status: String(status ?? '') }] : [];
  });
  return { ok: true, campaigns };
}
