import { z } from 'zod';
import { coreFields } from './core.ts';
import {
  count,
  decimal,
  flag,
  identifier,
  itemCore,
  itemFields,
  mediaVariants,
  profileCore,
  profileFields,
  text,
  url,
} from './shared.ts';

export const photoProfileRecord = z
  .strictObject({
    ...profileFields,
    account_type: identifier.describe('type of the account; null when the platform does not show it'),
    category: text,
    follower_count_is_rounded: flag,
    bio_links: z.array(z.strictObject({ url, title: text })).nullable(),
  })
  .meta({ id: 'PhotoProfile' })
  .register(coreFields, { fields: profileCore });
export type PhotoProfile = z.infer<typeof photoProfileRecord>;

export const photoChild = z
  .strictObject({
    id: identifier,
    position: count.describe('position in the carousel, from 0'),
    media_type: z.enum(['image', 'video']).nullable(),
    media_url: url,
    video_url: url,
    width: decimal,
    height: decimal,
  })
  .meta({ id: 'PhotoChild' })
  .register(coreFields, { fields: ['media_url', 'video_url', 'media_type'] });
export type PhotoChild = z.infer<typeof photoChild>;

export const photoItem = z
  .strictObject({
    ...itemFields,
    author_id: identifier,
    author_display_name: text,
    author_verified: flag,
    author_avatar_url: url,
    platform_content_id: identifier.describe('numeric ID of the post on Instagram; id has the code in its URL'),
    caption: text,
    media_type: z.enum(['image', 'video', 'carousel']).nullable().describe('null when unknown'),
    media_product_type: identifier.describe('kind of post as Instagram names it, such as clips for a reel'),
    width: decimal,
    height: decimal,
    video_url: url.describe('URL of the video file; it may expire'),
    comments_enabled: flag,
    paid_partnership: flag.describe('null when the source did not say'),
    accessibility_caption: text,
    location: z.strictObject({ id: identifier, name: text, slug: text }).nullable(),
    tagged_users: z.array(z.strictObject({ id: identifier, username: identifier, display_name: text })).nullable(),
    media_assets: mediaVariants,
    children: z.array(photoChild).nullable().describe('items of the carousel, in order; null for other posts'),
  })
  .meta({ id: 'PhotoItem' })
  .register(coreFields, { fields: itemCore });
export type PhotoItem = z.infer<typeof photoItem>;
