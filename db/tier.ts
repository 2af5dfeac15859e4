/** The tiers (subscription levels) of a workspace, lowest first. */
export const tierNames = ['air', 'pro', 'pro_max', 'ultra'] as const;
export type Tier = (typeof tierNames)[number];

export function isTier(text: string): text is Tier {
  return (tierNames as readonly string[]).includes(text);
}
