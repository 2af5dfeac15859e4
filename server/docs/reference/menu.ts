import { html, raw } from 'hono/html';
import { catalog } from '../../data/catalog.ts';
import type { Route } from '../../data/route.ts';
import type { Html } from '../layout.ts';

/** Returns the path of the documentation page of an API route. */
export const routeAddress = (path: string) => `/docs/api${path}`;

const platformTitles: Readonly<Record<string, string>> = {
  photo: 'Instagram',
  shortvideo: 'TikTok',
  longvideo: 'YouTube',
  adlibrary: 'Meta Ad Library',
  microblog: 'X',
};

/** Returns all API routes, grouped by the name of their platform. */
export function routesByPlatform(): Map<string, Route[]> {
  return Map.groupBy(catalog, ({ path }) => {
    const platform = path.split('/')[2] ?? '';
    return platformTitles[platform] ?? platform;
  });
}

/** Returns the menu of the reference. `here` is the path of the route that the page shows. */
export function referenceMenu(here: string): Html | Promise<Html> {
  const item = ({ path, summary }: Route) =>
    html`<li><a href="${routeAddress(path)}"${path === here ? raw(' aria-current="page"') : ''}>${summary.split(';')[0]}</a></li>`;
  return html`<nav class="side" aria-label="API reference"><h2>API reference</h2><ul><li><a href="/docs/api">All routes and prices</a></li></ul>${[
    ...routesByPlatform(),
  ].map(([title, routes]) => html`<h2>${title}</h2><ul>${routes.map(item)}</ul>`)}</nav>`;
}
