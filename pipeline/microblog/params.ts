import { z } from 'zod';
import { page } from '../collect/page.ts';

/**
 * Matches an ID of X (Twitter). These IDs are strings of digits, because JavaScript numbers cannot hold them exactly.
 */
export const idPattern = /^[0-9]{1,19}$/;

const handle = z
  .string()
  .regex(/^@?[A-Za-z0-9_]{1,15}$/, 'must be 1 to 15 letters, digits or underscores')
  .describe('account name, with or without @');
const id = z.string().regex(idPattern, 'must be 1 to 19 digits');

export const profileParams = z.strictObject({ handle });
export type ProfileParams = z.infer<typeof profileParams>;

export const userPostsParams = z.strictObject({
  handle,
  ...page,
  limit: z.int().min(1).max(100).default(10),
});
export type UserPostsParams = z.infer<typeof userPostsParams>;

export const postParams = z.strictObject({ id });
export type PostParams = z.infer<typeof postParams>;

export const communityParams = z.strictObject({ id });
export type CommunityParams = z.infer<typeof communityParams>;
