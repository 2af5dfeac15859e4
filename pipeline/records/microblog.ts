import { z } from 'zod';
import { coreFields } from './core.ts';
import { count, flag, identifier, itemFields, mediaVariants, profileCore, profileFields, text, url } from './shared.ts';

export const microblogProfile = z
  .strictObject({ ...profileFields })
  .meta({ id: 'MicroblogProfile' })
  .register(coreFields, { fields: profileCore });
export type MicroblogProfile = z.infer<typeof microblogProfile>;

export const microblogPost = z
  .strictObject({
    ...itemFields,
    text: text.describe('in full, with links written out; of a repost that of the post itself'),
    shares: count.describe('reposts and quotes'),
    repost_of: identifier.describe('ID of the post that this one repeats'),
    quote_of: identifier.describe('ID of the post that this one quotes'),
    reply_to: identifier.describe('ID of the post that this one answers'),
    author_id: identifier,
    author_display_name: text,
    author_verified: flag,
    author_avatar_url: url,
    media_assets: mediaVariants,
  })
  .meta({ id: 'MicroblogPost' })
  .register(coreFields, { fields: ['text', 'published_at', 'likes'] });
export type MicroblogPost = z.infer<typeof microblogPost>;

export const microblogCommunity = z
  .strictObject({
    id: identifier,
    name: text,
    description: text,
    access: identifier.describe('who sees it'),
    join_policy: identifier.describe('who may join'),
    member_count: count,
    created_at: identifier,
  })
  .meta({ id: 'MicroblogCommunity' })
  .register(coreFields, { fields: ['name', 'description', 'member_count'] });
export type MicroblogCommunity = z.infer<typeof microblogCommunity>;
