import { z } from 'zod';
import { count, flag, itemFields, mediaVariants, profileFields, text } from './shared.ts';

export const microblogProfile = z.strictObject({ ...profileFields }).meta({ id: 'MicroblogProfile' });
export type MicroblogProfile = z.infer<typeof microblogProfile>;

export const microblogPost = z
  .strictObject({
    ...itemFields,
    text: text.describe('full text with complete links; for a repost, the text of the original post'),
    shares: count.describe('number of reposts and quotes'),
    repost_of: text.describe('ID of the original post, when this is a repost'),
    quote_of: text.describe('ID of the post that this one quotes'),
    reply_to: text.describe('ID of the post that this one replies to'),
    author_id: text,
    author_display_name: text,
    author_verified: flag,
    author_avatar_url: text,
    media_assets: mediaVariants,
  })
  .meta({ id: 'MicroblogPost' });
export type MicroblogPost = z.infer<typeof microblogPost>;

export const microblogCommunity = z
  .strictObject({
    id: text,
    name: text,
    description: text,
    access: text.describe('who can see the community'),
    join_policy: text.describe('who can join the community'),
    member_count: count,
    created_at: text,
  })
  .meta({ id: 'MicroblogCommunity' });
export type MicroblogCommunity = z.infer<typeof microblogCommunity>;
