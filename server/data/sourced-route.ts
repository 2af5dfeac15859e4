import { type Platform, platforms } from '../../pipeline/rows/profile-address.ts';
import { catalog } from './catalog.ts';
import type { SourcedRoute } from './route.ts';

/** Returns the route with this path from the catalog. Throws when the path is unknown or only planned. */
export function sourcedRoute(path: string): SourcedRoute {
  const route = catalog.find((row) => row.path === path);
  if (!route || route.availability === 'planned') throw new Error(`The catalog has no available route ${path}.`);
  return route;
}

/** Returns a catalog route for each platform. `paths` has the path of each route. */
export function routesByPlatform(paths: Readonly<Record<Platform, string>>): Record<Platform, SourcedRoute> {
  const rows = platforms.map((platform) => [platform, sourcedRoute(paths[platform])]);
  return Object.fromEntries(rows) as Record<Platform, SourcedRoute>;
}
