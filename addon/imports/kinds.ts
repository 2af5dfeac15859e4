import { type Columns, postColumns, profileColumns } from '../formulas/fields.ts';

/**
 * A kind of import. `formula`: the formula with the same data, whose estimate route gives the cost. `id`: the field that
 * permanently identifies a row. `step_max`: maximum number of entries that one step requests.
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

/** Returns the fields that a user can choose. The add-on adds the other fields when the mode needs them. */
export function choosableFields(name: KindName): string[] {
  return kindOf(name).columns.known.filter((field) => !['url', 'status', 'credits_charged'].includes(field));
}
