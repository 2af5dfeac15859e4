/** `https://host` of the API without a final slash: the build writes it into the bundle. */
declare const API_ORIGIN: string;

/** The bundle of index.ts, as the stubs of functions.js see it. */
declare const Addon_: typeof import('./index.ts');
