/** The address of the API server, such as `https://host`, without a final slash. The build of the add-on inserts it. */
declare const API_ORIGIN: string;

/** The kind of installation of the add-on, see `installKind`. The build of the add-on inserts it. */
declare const INSTALL: 'bound' | 'addon';

/** The bundle with all code of the add-on. The functions in entry-points.js and sheet-entry-points.js call it. */
declare const Addon_: typeof import('./menu-entries.ts');
