/** `https://host` of the API, without a final slash. The build writes it into the bundle. */
declare const API_ORIGIN: string;

/** The bundle, as the functions in entry-points.js see it. */
declare const Addon_: typeof import('./menu-entries.ts');
