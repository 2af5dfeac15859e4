import type { Pack } from '../db/purchases.ts';

/** What a pack gives and costs: bought once, never renewed, never expiring; the price is without tax. */
export interface PackOffer {
  name: string;
  price_usd: number;
  credits: number;
}

export const packs: Readonly<Record<Pack, PackOffer>> = {
  pro: { name: 'Pro', price_usd: 20, credits: 10_000 },
  pro_max: { name: 'Pro Max', price_usd: 40, credits: 25_000 },
  ultra: { name: 'Ultra', price_usd: 100, credits: 75_000 },
};

export const packNames = Object.keys(packs) as Pack[];

export function isPack(text: string): text is Pack {
  return Object.hasOwn(packs, text);
}
