import { z } from 'zod';
import { page } from '../collect/page.ts';
import { microblogHandleFormat, microblogIdFormat } from '../parse/identifiers.ts';

const handle = z
  .string()
  .regex(microblogHandleFormat.pattern, 'must be 1 to 15 letters, digits or underscores')
  .describe('account name, with or without @');
const id = z.string().regex(microblogIdFormat.pattern, 'must be 1 to 19 digits');

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
