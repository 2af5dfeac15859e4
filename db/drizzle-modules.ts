import { createRequire, registerHooks } from 'node:module';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';

const folder = '/node_modules/drizzle-orm/';
let registered = false;

/**
 * Makes the import of drizzle-orm faster. Must be called before the import. For each of about a hundred modules, Node
 * looks up the format in the package.json of drizzle-orm and parses its 179 kB again, which took 2 seconds and 250 MB.
 * All these modules are ES modules, so this function skips the lookup. See docs/adr/0131-quick-import-of-drizzle.md.
 */
export function quickenDrizzle(): void {
  if (registered) return;
  registered = true;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      if (!specifier.startsWith('.') || !parentURL?.includes(folder)) return next(specifier, context);
      const { href: url } = new URL(specifier, parentURL);
      return url.endsWith('.js') ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
    },
  });
}

/**
 * Returns the Drizzle query builder for a connection pool. Loads the CommonJS build of Drizzle: its ES modules take
 * half a second to load, six times as long, because Node reads the package file of Drizzle for each module.
 */
export function buildQueries(sql: Sql): PostgresJsDatabase {
  const { drizzle } = createRequire(import.meta.url)(
    'drizzle-orm/postgres-js',
  ) as typeof import('drizzle-orm/postgres-js');
  // Gives Drizzle a copy of the connection options, because Drizzle removes the type conversions from them. Other users
  // of the pool keep the conversions.
  const options = { ...sql.options, parsers: {}, serializers: {} };
  return drizzle({ client: Object.create(sql, { options: { value: options } }) as Sql });
}
