/** The address of the API, `https://host`, without a final slash. The build inserts it. */
declare const API_ORIGIN: string;

/** How the add-on is installed, see `installKind`. The build inserts it. */
declare const INSTALL: 'bound' | 'addon';

/** All code of the add-on, which entry-points.js calls. */
declare const Addon_: typeof import('./menu-entries.ts');
