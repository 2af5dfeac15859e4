import type { Role } from '../../../db/accounts/roles.ts';

export const roleNames: Readonly<Record<Role, string>> = { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' };
export const roleChoices: readonly (readonly [Role, string])[] = [
  ['editor', 'Editor: tracks, imports, reports; spends credits'],
  ['viewer', 'Viewer: reads everything, changes nothing'],
  ['owner', 'Owner: also keys, payments, people and settings'],
];
