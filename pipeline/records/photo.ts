import { z } from 'zod';
import { count, decimal, flag, itemFields, mediaVariants, profileFields, text } from './shared.ts';

export const photoProfile = z
  .strictObject({
    ...profileFields,
    account_type: text.describe('only when explicitly observable'),
    category: text,
    follower_count_is_rounded: flag,
    bio_links: z.array(z.strictObject({ url: text, title: text })).nullable(),
  })
  .meta({ id: 'PhotoProfile' });
export type PhotoProfile = z.infer<typeof photoProfile>;

export const photoChild = z
  .strictObject({
    id: text,
    position: count.describe('zero-based'),
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
    platform_content_id: text.describe('platform media ID, separate from the shortcode'),
    caption: text,
    media_type: z.enum(['image', 'video', 'carousel']).nullable().describe('null when unknown'),
    media_product_type: text.describe('kept separate from media_type'),
    width: decimal,
    height: decimal,
    video_url: text.describe('may expire'),
    comments_enabled: flag,
    paid_partnership: flag.describe('null when unavailable'),
    accessibility_caption: text,
    location: z.strictObject({ id: text, name: text, slug: text }).nullable(),
    tagged_users: z.array(z.strictObject({ id: text, username: text, display_name: text })).nullable(),
    media_assets: mediaVariants,
    children: z.array(photoChild).nullable().describe('ordered carousel children, null for non-carousels'),
  })
  .meta({ id: 'PhotoItem' });
export type PhotoItem = z.infer<typeof photoItem>;
