import type { Field } from './fields.ts';

/** The fields that are dates: ISO 8601 in the API, UTC serial numbers in a sheet. */
export const dateFields: readonly string[] = ['created_at_platform', 'published_at', 'retrieved_at'];

const specialLabels: Record<string, string> = {
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

/** Returns the label of a field for headings and checkboxes; a date has "(UTC)". */
export function fieldLabel(field: Field | string): string {
  const words = specialLabels[field] ?? field.charAt(0).toUpperCase() + field.slice(1).replace(/_/g, ' ');
  return dateFields.includes(field) ? `${words} (UTC)` : words;
}
