/**
 * Lists every SOCIAL_ formula (custom function for Google Sheets). The build creates the functions for Google Sheets
 * from this list. The sidebar and docs/addon.md also show it.
 */
export { offer as SOCIAL_COMMENTS } from './social-comments.ts';
export { offer as SOCIAL_CREDITS } from './social-credits.ts';
export { offer as SOCIAL_FOLLOWERS } from './social-followers.ts';
export { offer as SOCIAL_LIKES } from './social-likes.ts';
export { offer as SOCIAL_POST } from './social-post.ts';
export { offer as SOCIAL_POSTS } from './social-posts.ts';
export { offer as SOCIAL_PROFILE } from './social-profile.ts';
export { offer as SOCIAL_REPORT } from './social-report.ts';
export { offer as SOCIAL_TRACKED } from './social-tracked.ts';
export { offer as SOCIAL_VIEWS } from './social-views.ts';
