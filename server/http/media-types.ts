/**
 * Media type of an estimate. It differs from the media type of an answer, so that the OpenAPI document can describe
 * both for one route. It begins with `application/json` and ends with `+json`, because some clients check the beginning
 * and others the end.
 */
export const estimateMediaType = 'application/json-estimate+json';
