import type { Field } from './fields.ts';

/** Fields that are dates: ISO 8601 in the API, UTC serial numbers in a sheet. */
export const dateFields: readonly string[] = ['created_at_platform', 'published_at', 'retrieved_at'];

const special: Record<string, string> = {
  url: 'URL',
  account_id: 'Account ID',
  id: 'ID',
  author_id: 'Author ID',
  profile_url: 'Profile URL',
  external_url: 'External URL',
  avatar_url: 'Avatar URL',
  media_url: 'Media URL',
  created_at_platform: 'Created on platform',
};

/** How a field is called in a heading or beside a checkbox; dates say that they are UTC. */
export function fieldLabel(field: Field | string): string {
  const words = special[field] ?? field.charAt(0).toUpperCase() + field.slice(1).replace(/_/g, ' ');
  return dateFields.includes(field) ? `${words} (UTC)` : words;
}
