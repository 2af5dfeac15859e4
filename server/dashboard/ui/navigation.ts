import { html, raw } from 'hono/html';
import { type IconName, icon } from '../../design/icons.ts';
import type { Piece } from './components.ts';
import type { MenuEntry } from './section.ts';

/**
 * Groups of the dashboard's menu, in order. Each group has a heading, and the path and icon of its entries. Menu
 * entries that are not listed here come last.
 */
const groups: readonly (readonly [heading: string, entries: readonly (readonly [path: string, icon: IconName])[]])[] = [
  ['', [['/dashboard', 'house']]],
  [
    'Tracking and reports',
    [
      ['/dashboard/tracking', 'activity'],
      ['/dashboard/campaigns', 'megaphone'],
      ['/dashboard/alerts', 'bell'],
      ['/dashboard/batches', 'list-checks'],
    ],
  ],
  [
    'Spreadsheets',
    [
      ['/addon', 'puzzle'],
      ['/dashboard/links', 'link'],
      ['/dashboard/imports', 'file-spreadsheet'],
    ],
  ],
  [
    'Developers',
    [
      ['/dashboard/playground', 'terminal'],
      ['/dashboard/keys', 'key-round'],
    ],
  ],
  [
    'Workspace',
    [
      ['/dashboard/people', 'users'],
      ['/dashboard/credits', 'wallet'],
      ['/dashboard/usage', 'chart-column'],
      ['/dashboard/settings', 'settings'],
      ['/dashboard/admin', 'shield'],
    ],
  ],
];

/** Returns the menu entry that a page belongs to. */
export function currentEntry(menu: readonly MenuEntry[], here: string): MenuEntry | undefined {
  return menu.findLast(({ path }) => here === path || (path !== '/dashboard' && here.startsWith(`${path}/`)));
}

/** Returns the navigation of the dashboard in groups. */
export function navigation(menu: readonly MenuEntry[], here: string): Piece {
  const current = currentEntry(menu, here);
  const listed = new Set(groups.flatMap(([, entries]) => entries.map(([path]) => path)));
  const others = menu.filter(({ path }) => !listed.has(path)).map(({ path }) => [path, 'circle'] as const);
  const links = [...groups, ['More', [...others, ['/docs', 'file-text']]] as const].map(([heading, entries]) => {
    const found = entries.flatMap(([path, name]) => {
      const label = path === '/docs' ? 'Docs' : menu.find((entry) => entry.path === path)?.label;
      if (!label) return [];
      return html`<a href="${path}"${raw(path === current?.path ? ' aria-current="page"' : '')}>${icon(name)}${label}</a>`;
    });
    return found.length > 0 ? html`${heading ? html`<p>${heading}</p>` : null}${found}` : null;
  });
  return html`<nav aria-label="Dashboard">${links}</nav>`;
}
