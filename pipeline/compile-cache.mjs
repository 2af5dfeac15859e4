// Node loads this file with `--import` before it loads a server. The file makes Node store compiled modules in a
// folder, so that later starts need not compile the modules again or load the TypeScript compiler. Without write access
// to the folder, nothing is stored and the start still works. The file also makes the lookup of modules faster.
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { quickResolve } from './quick-imports.mjs';

enableCompileCache(process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../node_modules/.cache/compiled'));

registerHooks({ resolve: quickResolve });
