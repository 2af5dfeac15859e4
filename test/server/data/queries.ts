import type { Route } from '../../../server/data/route.ts';

/**
 * Returns an example query string for an API route, such as `?handle=nasa`: the shortest one that the server accepts,
 * built from the route's examples in `server/data/catalog.ts`.
 */
export function exampleQuery(route: Route): string {
  const [name, parameter] = Object.entries(route.identifiers)[0] ?? [];
  const query = new URLSearchParams();
  if (name && parameter) query.set(name, parameter.example);
  for (const [required, { example }] of Object.entries(route.required ?? {})) query.set(required, example);
  return query.toString();
}
