import type { Route } from '../../../server/data/route.ts';

/** Returns the shortest valid query of a route, from the examples in its catalog row. */
export function exampleQuery(route: Route): string {
  const [name, parameter] = Object.entries(route.identifiers)[0] ?? [];
  const query = new URLSearchParams();
  if (name && parameter) query.set(name, parameter.example);
  for (const [required, { example }] of Object.entries(route.required ?? {})) query.set(required, example);
  return query.toString();
}
