import { z } from 'zod';
import { count, decimal, flag, itemFields, mediaVariants, profileFields, text } from './shared.ts';

export const photoProfile = z
  .strictObject({
    ...profileFields,
    account_type: text.describe('type of the account; null when the platform does not show it'),
    category: text,
    follower_count_is_rounded: flag,
    bio_links: z.array(z.strictObject({ url: text, title: text })).nullable(),
  })
  .meta({ id: 'PhotoProfile' });
export type PhotoProfile = z.infer<typeof photoProfile>;

export const photoChild = z
  .strictObject({
    id: text,
    position: count.describe('position in the carousel, from 0'),
    media_type: z.enum(['image', 'video']).nullable(),
    media_url: text,
    video_url: text,
    width: decimal,
    height: decimal,
  })
  .meta({ id: 'PhotoChild' });
export type PhotoChild = z.infer<typeof photoChild>;

export const photoItem = z
  .strictObject({
    ...itemFields,
    author_id: text,
    author_display_name: text,
    author_verified: flag,
    author_avatar_url: text,
    platform_content_id: text.describe('numeric ID of the post on Instagram; id has the code in its URL'),
    caption: text,
    media_type: z.enum(['image', 'video', 'carousel']).nullable().describe('null when unknown'),
    media_product_type: text.describe('kind of post as Instagram names it, such as clips for a reel'),
    width: decimal,
    height: decimal,
    video_url: text.describe('URL of the video file; it may expire'),
    comments_enabled: flag,
    paid_partnership: flag.describe('null when the source did not say'),
    accessibility_caption: text,
    location: z.strictObject({ id: text, name: text, slug: text }).nullable(),
    tagged_users: z.array(z.strictObject({ id: text, username: text, display_name: text })).nullable(),
    media_assets: mediaVariants,
    children: z.array(photoChild).nullable().describe('items of the carousel, in order; null for other posts'),
  })
  .meta({ id: 'PhotoItem' });
export type PhotoItem = z.infer<typeof photoItem>;
