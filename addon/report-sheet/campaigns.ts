import { noKey, unreadable } from '../formulas/tables.ts';
import { askAll, asObject } from '../platform/client.ts';
import { failureSentence } from '../platform/failure-sentence.ts';
import { PlainError } from '../platform/page-call.ts';
import { actionServer } from '../platform/platform.ts';

export type CampaignChoice = { id: string; name: string; status: string };

/** The campaigns of the workspace for a picker, newest first. @throws PlainError in plain words. */
export function listCampaigns(): { ok: true; campaigns: CampaignChoice[] } {
  const { key, network, origin } = actionServer();
  if (key === null) throw new PlainError(failureSentence(noKey));
  const [answer] = askAll([`${origin}/v1/workflows/campaigns`], key, network);
  if (answer?.ok === false) throw new PlainError(failureSentence(answer.failure));
  const items = asObject(answer?.data)?.items;
  if (!Array.isArray(items)) throw new PlainError(failureSentence(unreadable));
  const campaigns = items.flatMap((item: unknown): CampaignChoice[] => {
    const { id, name, status } = asObject(item) ?? {};
    return typeof id === 'string' ? [{ id, name: String(name ?? ''), status: String(status ?? '') }] : [];
  });
  return { ok: true, campaigns };
}
