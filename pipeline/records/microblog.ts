import { z } from 'zod';
import { coreFields } from './core.ts';
import { count, flag, identifier, itemFields, mediaVariants, profileCore, profileFields, text, url } from './shared.ts';

export const microblogProfileRecord = z
  .strictObject({ ...profileFields })
  .meta({ id: 'MicroblogProfile' })
  .register(coreFields, { fields: profileCore });
export type MicroblogProfile = z.infer<typeof microblogProfileRecord>;

export const microblogPostRecord = z
  .strictObject({
    ...itemFields,
    text: text.describe('full text with complete links; for a repost, the text of the original post'),
    shares: count.describe('number of reposts and quotes'),
    repost_of: identifier.describe('ID of the original post, when this is a repost'),
    quote_of: identifier.describe('ID of the post that this one quotes'),
    reply_to: identifier.describe('ID of the post that this one replies to'),
    author_id: identifier,
    author_display_name: text,
    author_verified: flag,
    author_avatar_url: url,
    media_assets: mediaVariants,
  })
  .meta({ id: 'MicroblogPost' })
  .register(coreFields, { fields: ['text', 'published_at', 'likes'] });
export type MicroblogPost = z.infer<typeof microblogPostRecord>;

export const microblogCommunityRecord = z
  .strictObject({
    id: identifier,
    name: text,
    description: text,
    access: identifier.describe('who can see the community'),
    join_policy: identifier.describe('who can join the community'),
    member_count: count,
    created_at: identifier,
  })
  .meta({ id: 'MicroblogCommunity' })
  .register(coreFields, { fields: ['name', 'description', 'member_count'] });
export type MicroblogCommunity = z.infer<typeof microblogCommunityRecord>;
