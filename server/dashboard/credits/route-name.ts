import { playRoutes } from '../playground/routes.ts';

/**
 * Returns the name of the data of an API route for people, such as "Instagram profile" for `/v1/photo/profile`. Returns
 * null for a path that is not a route.
 */
export function routeName(path: string): string | null {
  return playRoutes.find((route) => route.path === path)?.summary ?? null;
}
