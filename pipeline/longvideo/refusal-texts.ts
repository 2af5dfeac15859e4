/** The message of the error SOURCE_RESTRICTED when a video has no comments because its owner turned them off. */
export const commentsOff = 'Comments are turned off for this video, so there is nothing to return.';
