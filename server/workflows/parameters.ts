import { z } from 'zod';
import { metrics } from '../../db/tracking/checks.ts';
import { platforms } from '../../pipeline/rows/profile-address.ts';
import { longestHistoryDays } from '../../pipeline/tiers.ts';
import { choice, type Parameter, truth, whole } from '../data/parameter.ts';
import { cacheMaxAge, limit } from '../data/parameters.ts';
import { nearest } from '../http/nearest.ts';

/** Rows that one request may ask for by address. */
export const maxUrls = 50;
const maxItems = 20;
const defaultDays = 30;

const format = { ...choice(['json', 'csv'], 'json', 'csv gives the same rows as CSV'), example: 'csv' };
const fresh = truth('asks for fresh data; must not be combined with cache_max_age');
const estimate = truth('answers with what it would cost at most, now: no source is asked, 0 credits');
const cache_max_age = { ...cacheMaxAge, description: 'oldest cached answer to accept, 1d when not sent' };

const platform = (what: string): Parameter => choice(platforms, null, `the platform of ${what} sent as url`);

const fields = (example: string): Parameter => ({
  schema: z.string().max(1_000, 'must be at most 1000 characters'),
  description: 'comma list of columns, in the order wanted',
  example,
});

const url = (description: string, example: string): Parameter => ({ schema: z.string(), description, example });

/** Parameters of the profile workflow; `url` is required. */
export const profileWorkflowParameters: Record<string, Parameter> = {
  url: {
    ...url(
      `profile URL of any platform, up to ${maxUrls} times; with platform= a handle`,
      'https://www.instagram.com/tidemark.sample/',
    ),
    repeated: maxUrls,
  },
  platform: platform('handles'),
  fields: fields('username,followers'),
  format,
  cache_max_age,
  fresh,
  estimate,
};

/** Parameters of the workflow of a profile's newest posts; `url` is required. */
export const postsWorkflowParameters: Record<string, Parameter> = {
  url: url('profile URL of any platform; with platform= a handle', 'https://www.instagram.com/tidemark.sample/'),
  platform: platform('a handle'),
  limit: { ...limit, description: 'newest posts wanted' },
  fields: fields('published_at,views,likes'),
  format,
  cache_max_age,
  fresh,
  estimate,
};

/** Parameters of the workflow of posts by address; `url` is required. */
export const postWorkflowParameters: Record<string, Parameter> = {
  url: {
    ...url(
      `URL of a post or video of any platform, up to ${maxUrls} times; with platform= an id`,
      'https://www.instagram.com/p/CExample123/',
    ),
    repeated: maxUrls,
  },
  platform: platform('ids'),
  fields: fields('author,views,likes'),
  format,
  cache_max_age,
  fresh,
  estimate,
};

const metric: Parameter = {
  schema: z.string().transform((text, context) => {
    const names = [...new Set(text.split(',').map((name) => name.trim()))];
    for (const name of names) {
      if ((metrics as readonly string[]).includes(name)) continue;
      const near = nearest(name, metrics);
      context.addIssue(near ? `${name} is not a metric: did you mean ${near}?` : `must be of ${metrics.join(', ')}`);
    }
    return names;
  }),
  description: `comma list of ${metrics.join(', ')}; without it those that the item can have`,
  example: 'followers',
};

/** Parameters of the workflow of what tracking observed; `item` is required. */
export const trackedWorkflowParameters: Record<string, Parameter> = {
  item: {
    schema: z.string(),
    description: `id or URL of a tracked item of the workspace, up to ${maxItems} times`,
    example: 'https://www.instagram.com/tidemark.sample/',
    repeated: maxItems,
  },
  metric,
  days: whole(1, longestHistoryDays, defaultDays, 'days back from now, cut to the history of the tier'),
  fields: fields('observed_at,metric,value'),
  format,
};
