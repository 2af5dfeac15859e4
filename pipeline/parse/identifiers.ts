/**
 * Describes one kind of identifier, such as an Instagram handle: the pattern of accepted values, and a function that
 * returns the normalized form. The normalized form is used to request, cache and track the account or post.
 */
export interface IdentifierFormat {
  pattern: RegExp;
  normalize: (value: string) => string;
}

const unchanged = (value: string): string => value;
const composed = (value: string): string => value.normalize('NFC');
const lowerHandle = (value: string): string => composed(value).replace(/^@/, '').toLowerCase();
const lowerTag = (value: string): string => composed(value).replace(/^#/, '').toLowerCase();

const longDigits: IdentifierFormat = { pattern: /^\d{10,24}$/, normalize: unchanged };

export const photoHandleFormat: IdentifierFormat = { pattern: /^@?[A-Za-z0-9._]{1,30}$/, normalize: lowerHandle };
/**
 * Identifier of an Instagram post: its shortcode (as in `/p/CODE/`) or its media ID. {@link parsePhotoPostId} in
 * `urls.ts` distinguishes the two forms.
 */
export const photoPostIdFormat: IdentifierFormat = { pattern: /^[A-Za-z0-9_-]{5,32}$/, normalize: unchanged };

export const shortvideoHandleFormat: IdentifierFormat = { pattern: /^@?[A-Za-z0-9._]{2,24}$/, normalize: lowerHandle };
export const shortvideoVideoIdFormat = longDigits;
export const shortvideoPlaylistIdFormat = longDigits;
export const shortvideoSoundIdFormat: IdentifierFormat = { pattern: /^\d{5,24}$/, normalize: unchanged };
/**
 * Name of a TikTok hashtag. Accepts letters, marks and digits of any script, and emoji, but no characters that have a
 * meaning in a URL path.
 */
export const shortvideoTagFormat: IdentifierFormat = {
  pattern: /^#?[\p{L}\p{M}\p{Nd}_\p{Extended_Pictographic}\p{Emoji_Modifier}\u200c\u200d]{1,100}$/u,
  normalize: lowerTag,
};

export const longvideoVideoIdFormat: IdentifierFormat = { pattern: /^[A-Za-z0-9_-]{11}$/, normalize: unchanged };
export const longvideoPlaylistIdFormat: IdentifierFormat = { pattern: /^[A-Za-z0-9_-]{2,64}$/, normalize: unchanged };
export const channelIdFormat: IdentifierFormat = { pattern: /^UC[A-Za-z0-9_-]{22}$/, normalize: unchanged };
export const channelHandleFormat: IdentifierFormat = {
  pattern: /^@?[\p{L}\p{M}\p{Nd}_.·-]{3,30}$/u,
  normalize: lowerHandle,
};
/** Legacy user name of a YouTube channel, which exists only in URLs of the form `/user/name`. */
export const channelUsernameFormat: IdentifierFormat = { pattern: /^[A-Za-z0-9]{1,20}$/, normalize: unchanged };
/** Custom name of a YouTube channel in a URL of the form `/c/name` or `/name`. */
export const channelCustomNameFormat: IdentifierFormat = {
  pattern: /^[\p{L}\p{M}\p{Nd}_.·-]{1,100}$/u,
  normalize: composed,
};
/** ID of a top-level comment. The ID of a reply has a dot. */
export const longvideoCommentIdFormat: IdentifierFormat = { pattern: /^[A-Za-z0-9_-]{16,64}$/, normalize: unchanged };

/** Numeric ID of a Facebook page. */
export const pageIdFormat: IdentifierFormat = { pattern: /^\d{5,20}$/, normalize: unchanged };

export const microblogHandleFormat: IdentifierFormat = { pattern: /^@?[A-Za-z0-9_]{1,15}$/, normalize: unchanged };
/** ID on X (Twitter). The digits are stored as text, because JavaScript numbers cannot hold these IDs exactly. */
export const microblogIdFormat: IdentifierFormat = { pattern: /^\d{1,19}$/, normalize: unchanged };
