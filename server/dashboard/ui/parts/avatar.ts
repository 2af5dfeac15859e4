import { html } from 'hono/html';
import { platformMark } from '../../../design/icons.ts';
import type { Piece } from '../components.ts';
import { platformNames } from '../platform-names.ts';

/**
 * Returns the picture of a person or account from this server, or the initials of the name. `src` is a path that begins
 * with `/`.
 */
export function avatar(name: string, src: string | null = null, size: '' | 'large' = ''): Piece {
  const pixels = size === 'large' ? 64 : 32;
  if (src)
    return html`<img class="avatar ${size}" src="${src}" alt="" width="${pixels}" height="${pixels}" loading="lazy">`;
  return html`<span class="avatar ${size} tone-${toneOf(name)}" aria-hidden="true">${initials(name.replace(/^@/, ''))}</span>`;
}

/** Returns a wide picture of a post or video from this server, or a colored box with the initials of its name. */
export function thumbnail(name: string, src: string | null): Piece {
  if (src) return html`<img class="thumbnail" src="${src}" alt="" width="320" height="180" loading="lazy">`;
  return html`<div class="thumbnail avatar tone-${toneOf(name)}" aria-hidden="true">${initials(name)}</div>`;
}

/** Returns the name of a platform, such as Instagram, with its logo. */
export function platform(code: string): Piece {
  return html`<span class="who">${platformMark(code)}${platformNames[code] ?? code}</span>`;
}

/** Returns the first letters of the first two words of a name. */
function initials(name: string): string {
  const names = name.split(/[\s._-]+/).filter(Boolean);
  return names
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('');
}

const tones = 6;

/** Returns the number of the avatar color for a name, from 1 to 6. The same name always has the same color. */
function toneOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return (sum % tones) + 1;
}
