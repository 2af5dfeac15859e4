import { type Columns, postColumns, profileColumns } from '../formulas/fields.ts';

/**
 * The settings of one kind of import. `formula`: the formula with the same data, whose API route estimates the cost.
 * `id`: the field that permanently identifies an account or post. `step_max`: maximum number of URLs or handles that
 * one step of a run requests.
 */
type Kind = {
  label: string;
  unit: 'profile' | 'post';
  formula: string;
  path: string;
  columns: Columns;
  usual: readonly string[];
  id: string;
  per_request_max: number;
  at_once: number;
  step_max: number;
};

export const importKinds = {
  profiles: {
    ...{ label: 'Profiles', unit: 'profile', formula: 'SOCIAL_PROFILE', path: '/v1/workflows/profile' },
    ...{ columns: profileColumns, usual: [...profileColumns.usual, 'followers_quality', 'retrieved_at'] },
    ...{ id: 'account_id', per_request_max: 50, at_once: 2, step_max: 20 },
  },
  posts: {
    ...{ label: 'Posts and videos', unit: 'post', formula: 'SOCIAL_POST', path: '/v1/workflows/post' },
    ...{ columns: postColumns, usual: postColumns.usual },
    ...{ id: 'id', per_request_max: 50, at_once: 2, step_max: 20 },
  },
  latest: {
    ...{ label: 'Latest posts of profiles', unit: 'profile', formula: 'SOCIAL_POSTS', path: '/v1/workflows/posts' },
    ...{ columns: postColumns, usual: postColumns.usual },
    ...{ id: 'id', per_request_max: 1, at_once: 5, step_max: 10 },
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof importKinds;
export const kindNames = Object.keys(importKinds) as KindName[];

export function kindOf(name: KindName): Kind {
  return importKinds[name];
}

/**
 * Returns the fields that a user can choose for an import. The add-on adds `url`, `status` and `credits_charged` itself
 * when it needs them.
 */
export function choosableFields(name: KindName): string[] {
  return kindOf(name).columns.known.filter((field) => !['url', 'status', 'credits_charged'].includes(field));
}
