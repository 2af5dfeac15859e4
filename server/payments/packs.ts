import type { Pack } from '../../db/money/purchases.ts';
import { tiers } from '../../pipeline/tiers.ts';

/**
 * Price and credits of a pack, which is an amount of credits that a user buys at once. The credits never expire, and
 * the price does not include tax.
 */
interface PackOffer {
  name: string;
  price_usd: number;
  credits: number;
}

export const packs: Readonly<Record<Pack, PackOffer>> = {
  pro: { name: tiers.pro.name, price_usd: 20, credits: 10_000 },
  pro_max: { name: tiers.pro_max.name, price_usd: 40, credits: 25_000 },
  ultra: { name: tiers.ultra.name, price_usd: 100, credits: 75_000 },
};

export const packNames = Object.keys(packs) as Pack[];

export function isPack(text: string): text is Pack {
  return Object.hasOwn(packs, text);
}
