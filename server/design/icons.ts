import { html, raw } from 'hono/html';
import shapes from './icon-shapes.json' with { type: 'json' };

export type IconName = keyof typeof shapes.icons;

/**
 * Returns an icon of the icon set Lucide, hidden from screen readers. The text beside the icon, or the label of its
 * button, must say what the icon means.
 */
export function icon(name: IconName, className = '') {
  return html`<svg class="icon ${className}" viewBox="0 0 24 24" aria-hidden="true">${raw(shapes.icons[name])}</svg>`;
}

const platforms: Readonly<Record<string, string>> = shapes.platforms;

/**
 * Returns the logo of a platform by its code, such as `photo`, or null when there is no logo. The name of the platform
 * must be beside the logo.
 */
export function platformMark(platform: string) {
  const shape = platforms[platform];
  return shape ? html`<svg class="mark ${platform}" viewBox="0 0 24 24" aria-hidden="true">${raw(shape)}</svg>` : null;
}

/** SVG shapes of the Tidemark logo: a tide that rises to a mark. */
export const logoShapes =
  '<rect width="32" height="32" rx="8" fill="#2563d9"/><path d="M5 21.5c3.7 0 3.7-2.6 7.3-2.6s3.7 2.6 7.4 2.6 3.6-2.6 7.3-2.6" fill="none" stroke="#fff" stroke-opacity=".65" stroke-width="2.6" stroke-linecap="round"/><path d="M5 15.5c3.7 0 3.7-2.6 7.3-2.6s3.7 2.6 7.4 2.6 3.6-2.6 7.3-2.6" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><path d="M19.7 8.2h7.3" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>';

export function logo() {
  return html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true">${raw(logoShapes)}</svg>`;
}
