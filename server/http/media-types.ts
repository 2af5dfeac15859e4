/**
 * Media type of an estimate, so that the OpenAPI document can describe the answers and the estimates of one route separately. It begins
 * with `application/json` and ends with `+json`, because some clients check for one and some for the other.
 */
export const estimateMediaType = 'application/json-estimate+json';
