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

export const microblogProfileParams = z.strictObject({ handle });
export type MicroblogProfileParams = z.infer<typeof microblogProfileParams>;

export const microblogUserPostsParams = z.strictObject({
  handle,
  ...page,
  limit: z.int().min(1).max(100).default(10),
});
export type MicroblogUserPostsParams = z.infer<typeof microblogUserPostsParams>;

export const microblogPostParams = z.strictObject({ id });
export type MicroblogPostParams = z.infer<typeof microblogPostParams>;

export const microblogCommunityParams = z.strictObject({ id });
export type MicroblogCommunityParams = z.infer<typeof microblogCommunityParams>;
