import type { Hono } from 'hono';
import { RequestError } from './errors.ts';
import { nearest } from './nearest.ts';

/** Path segment of each platform, by names that a client may use instead, such as `instagram`. */
const segments: Readonly<Record<string, string>> = {
  instagram: 'photo',
  tiktok: 'shortvideo',
  youtube: 'longvideo',
  facebook: 'adlibrary',
  twitter: 'microblog',
  x: 'microblog',
};

/**
 * Returns the HTTP methods that a path supports. Data and workflow routes refuse HEAD, because the client would pay for
 * an answer without a body.
 */
export function methodsOf(path: string): readonly string[] {
  const canCharge = /^\/v\d+\//.test(path) && path !== '/v1/credit/balance' && path !== '/v1/status';
  return canCharge ? ['GET'] : ['GET', 'HEAD'];
}

/** The paths that error messages can suggest, and the Hono applications that have the routes of the service. */
export interface KnownRoutes {
  paths: readonly string[];
  apps: Hono[];
}

/**
 * Returns the error METHOD_NOT_ALLOWED when the path exists. Otherwise returns ROUTE_NOT_FOUND, which suggests the most
 * similar path.
 */
export function unknownRouteError(method: string, path: string, { paths, apps }: KnownRoutes): RequestError {
  const allowed = allowedMethods(apps, path);
  if (allowed.length > 0 && !allowed.includes(method)) {
    const allow = allowed.join(', ');
    const message = `This path answers ${allow.replace(/, (?=\w+$)/, ' and ')} only, not ${method}. If a program sent this, show it to your developer.`;
    return new RequestError('METHOD_NOT_ALLOWED', { message, headers: { allow } });
  }
  const isRoute = apiPath.test(path);
  const suggested = suggestionFor(path, isRoute ? paths.filter((known) => apiPath.test(known)) : paths);
  const list = isRoute ? 'the list of routes is at /docs/api.' : 'the list is at /docs.';
  return new RequestError('ROUTE_NOT_FOUND', {
    message: `There is no such path: ${suggested ? `did you mean ${suggested}?` : list}`,
  });
}

/** Returns the methods that this path supports. Routes with a wildcard, such as `/dashboard/*`, do not count. */
function allowedMethods(apps: readonly Hono[], path: string): string[] {
  const isRouted = (method: string) =>
    apps.some(({ router }) => router.match(method, path)[0].some(([[, route]]) => !route.path.endsWith('*')));
  return [...(isRouted('GET') ? methodsOf(path) : []), ...(isRouted('POST') ? ['POST'] : [])];
}

/** Matches the paths of the routes of the API, which are never pages for people. */
const apiPath = /^\/v\d+(?:\/|$)/;

function suggestionFor(path: string, paths: readonly string[]): string | null {
  const named = path
    .split('/')
    .map((segment) => (Object.hasOwn(segments, segment) ? segments[segment] : segment))
    .join('/');
  return paths.includes(named) ? named : nearest(named, paths);
}
