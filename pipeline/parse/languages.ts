/** Matches the language codes that requests can have: two letters, or Chinese with its script. */
export const languagePattern = /^(?:[a-z]{2}|zh-Hans|zh-Hant)$/;
