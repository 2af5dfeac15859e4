import { type Platform, platforms } from '../../pipeline/rows/profile-address.ts';
import { catalog } from './catalog.ts';
import type { SourcedRoute } from './route.ts';

/** Returns the route with this path from the catalog. Throws when the path is unknown or only planned. */
export function sourcedRoute(path: string): SourcedRoute {
  const route = catalog.find((row) => row.path === path);
  if (!route || route.availability === 'planned') throw new Error(`The catalog has no available route ${path}.`);
  return route;
}

/** Returns the catalog route of each platform, given the paths of these routes. */
export function sourcedRoutes(routes: Readonly<Record<Platform, { path: string }>>): Record<Platform, SourcedRoute> {
  const rows = platforms.map((platform) => [platform, sourcedRoute(routes[platform].path)]);
  return Object.fromEntries(rows) as Record<Platform, SourcedRoute>;
}
