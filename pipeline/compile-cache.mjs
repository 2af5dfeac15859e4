// Loaded with `node --import` before a server. Node stores the compiled modules in a folder, so that later starts do not compile them
// again and do not load the TypeScript compiler. Without write access to the folder, Node stores nothing.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../node_modules/.cache/compiled'));
