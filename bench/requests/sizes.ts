/** Number of workspaces. The number is high as in real use, where each workspace may send one request per second. */
export const workspaces = 128;
/** Number of credits, more than any benchmark charges. */
export const plenty = 1_000_000_000;
/** Number of account handles whose answers are in the cache before the measurement. */
export const cachedHandleCount = 1_000;
