/** The message of the error SOURCE_RESTRICTED when a video has no comments because its owner turned comments off. */
export const commentsOff = 'Comments are turned off for this video, so there is nothing to return.';

/** The message of the error SOURCE_RESTRICTED when YouTube shows a live chat instead of the comments of a video. */
export const chatInstead = 'This video is a live broadcast: YouTube shows its chat instead of comments.';

/** The message of the error SOURCE_RESTRICTED when the page of a video has neither its title nor its comments. */
export const commentsNotShown = 'YouTube shows this video without its comments, so there is nothing to return.';
