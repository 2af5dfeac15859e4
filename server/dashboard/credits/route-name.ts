import { playRoutes } from '../playground/routes.ts';

/**
 * Returns a readable name of an API route, such as "Instagram profile" for `/v1/photo/profile`. Returns null for a path
 * that is not a route.
 */
export function routeName(path: string): string | null {
  return playRoutes.find((route) => route.path === path)?.summary ?? null;
}
