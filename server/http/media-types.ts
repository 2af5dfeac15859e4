/**
 * The media type of an estimate, so that the API document can say of each route what it answers and what its estimate is.
 * It begins like that of JSON and ends in `+json`: clients recognise JSON by the one or by the other.
 */
export const estimateMediaType = 'application/json-estimate+json';
