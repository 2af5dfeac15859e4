import { join } from 'node:path';

/**
 * Makes the processes of a test run share their compiled modules. Compiling takes two thirds of the startup time, and
 * the tests start Node several hundred times.
 */
export function useCompileCache(): void {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');
}
