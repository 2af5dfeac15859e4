import { z } from 'zod';
import { metrics } from '../../db/schema/metrics.ts';
import { postColumns, profileColumns } from '../../pipeline/rows/columns.ts';
import { platforms } from '../../pipeline/rows/profile-address.ts';
import { maxHistoryDays } from '../../pipeline/tiers.ts';
import { trackedColumns } from '../../pipeline/tracking/tracked-row.ts';
import { choice, flag, integer, listPattern, type Parameter } from '../data/parameter.ts';
import { cacheMaxAge, limit } from '../data/parameters.ts';
import { nearest } from '../http/nearest.ts';

/** Maximum number of `url` parameters in one request. */
export const maxUrls = 50;
/** Maximum number of `item` parameters in one request. */
export const maxItems = 20;
const defaultDays = 30;

const format = { ...choice(['json', 'csv'], 'json', 'csv returns the same rows as CSV'), example: 'csv' };
const fresh = flag('fetches new data: it is charged; must not be combined with cache_max_age');
const estimate = flag('returns only the maximum cost; fetches nothing, 0 credits');
const maxAge = {
  ...cacheMaxAge,
  description: 'maximum age of a cached answer; such an answer is free. The default is 1d',
};

const platform = (what: string): Parameter => choice(platforms, null, `platform, when url is only ${what}`);

/**
 * Returns a schema with a pattern for the OpenAPI document: a comma-separated list of `names`. The server does not use
 * the pattern, because it names each unknown name in its error.
 */
const withNames = <T extends z.ZodType>(schema: T, names: readonly string[]): T =>
  schema.meta({ pattern: listPattern(names.join('|')).source });

const fields = (columns: readonly string[], example: string): Parameter => ({
  schema: withNames(z.string().max(1_000, 'must be at most 1000 characters'), columns),
  description: 'only these columns: comma-separated, in this order',
  example,
});

const url = (description: string, example: string): Parameter => ({ schema: z.string(), description, example });

/** Parameters of `/v1/workflows/profile`. `url` is required. */
export const profileWorkflowParameters: Record<string, Parameter> = {
  url: {
    ...url(
      `URL of a profile on any platform, up to ${maxUrls} times; with platform also a handle`,
      'https://www.instagram.com/tidemark.sample/',
    ),
    repeated: maxUrls,
  },
  platform: platform('a handle'),
  fields: fields(profileColumns, 'username,followers'),
  format,
  cache_max_age: maxAge,
  fresh,
  estimate,
};

/** Parameters of `/v1/workflows/posts`. `url` is required. */
export const postsWorkflowParameters: Record<string, Parameter> = {
  url: url(
    'URL of a profile on any platform; with platform also a handle',
    'https://www.instagram.com/tidemark.sample/',
  ),
  platform: platform('a handle'),
  limit: { ...limit, description: 'number of newest posts' },
  fields: fields(postColumns, 'published_at,views,likes'),
  format,
  cache_max_age: maxAge,
  fresh,
  estimate,
};

/** Parameters of `/v1/workflows/post`. `url` is required. */
export const postWorkflowParameters: Record<string, Parameter> = {
  url: {
    ...url(
      `URL of a post or video on any platform, up to ${maxUrls} times; with platform also an ID`,
      'https://www.instagram.com/p/CExample123/',
    ),
    repeated: maxUrls,
  },
  platform: platform('an ID'),
  fields: fields(postColumns, 'author,views,likes'),
  format,
  cache_max_age: maxAge,
  fresh,
  estimate,
};

const metricNames = z.string().transform((text, context) => {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  for (const name of names) {
    if ((metrics as readonly string[]).includes(name)) continue;
    const near = nearest(name, metrics);
    context.addIssue(near ? `${name} is not a metric: did you mean ${near}?` : `must be one of ${metrics.join(', ')}`);
  }
  return names;
});

const metric: Parameter = {
  schema: withNames(metricNames, metrics),
  description: `comma-separated: ${metrics.join(', ')}; by default all that the item has`,
  example: 'followers',
};

/** Parameters of `/v1/workflows/tracked`. `item` is required. */
export const trackedWorkflowParameters: Record<string, Parameter> = {
  item: {
    schema: z.string(),
    description: `ID or URL of an item that the workspace tracks, up to ${maxItems} times`,
    example: 'https://www.instagram.com/tidemark.sample/',
    repeated: maxItems,
  },
  metric,
  days: integer(1, maxHistoryDays, defaultDays, 'how many days back from now, at most the history of the tier'),
  fields: fields(trackedColumns, 'observed_at,metric,value'),
  format,
};
