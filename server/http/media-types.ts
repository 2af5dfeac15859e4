/**
 * The media type of an estimate. It lets the API document describe answers and estimates of one route separately.
 * It begins with `application/json` and ends with `+json`, because clients recognize JSON by either.
 */
export const estimateMediaType = 'application/json-estimate+json';
