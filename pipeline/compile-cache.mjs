// Loaded with `node --import` before a server. Node stores the compiled modules, so that later starts neither compile them nor
// load the compiler of TypeScript. Without write access to the folder, nothing is stored.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../node_modules/.cache/compiled'));
