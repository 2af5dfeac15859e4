import type { Route } from './route.ts';

/**
 * Returns true for a route that customers of this server may use: it is available or a preview, and not only for
 * operators.
 */
export function isOffered(route: Route): boolean {
  const { availability } = route;
  return (
    (availability === 'available' || availability === 'preview') && !('operators_only' in route && route.operators_only)
  );
}

/**
 * Returns true for a route that can return live data. Any other route answers requests for new data with error 503, or
 * 501 when it is planned.
 */
export const hasLiveData = (route: Route): boolean => isOffered(route) && hasSource(route);

/** Returns false for a route without sources. Such a route answers with an error until a source exists. */
export function hasSource({ collector }: Route): boolean {
  return collector !== undefined && collector.sources.length > 0;
}
