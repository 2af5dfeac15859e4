import { cachedHandleCount } from './sizes.ts';

const pathsOfCached = 64;
let handles = 0;

export const profilePath = (handle: string): string => `/v1/photo/profile?handle=${handle}`;

/** Returns paths of profiles that were never requested before, so that their answers are not in the cache. */
export const newHandles = (length: number) =>
  Array.from({ length }, () => profilePath(`new${(handles++).toString(36)}`));

/** Returns paths of profiles whose answers are in the cache. */
export const manyCached = (length: number) =>
  Array.from({ length }, () => {
    handles += 1;
    return `${profilePath(`cached${(handles * 7919) % cachedHandleCount}`)}&cache_max_age=30d`;
  });

/** Returns paths of cached profiles for one connection, which requests them repeatedly. */
export const cachedHandles = () => manyCached(pathsOfCached);
