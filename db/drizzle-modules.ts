import { createRequire, registerHooks } from 'node:module';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';

const folder = '/node_modules/drizzle-orm/';
let registered = false;

/**
 * Makes the import of drizzle-orm faster. Must be called before the import. Node looks up the format of a module in the
 * nearest package.json, and parses this file again for each module. The package.json of drizzle-orm has 179 kB, and a
 * hundred modules need it: that took 2 seconds and 250 MB. All modules of drizzle-orm are ES modules, so this function
 * skips the lookup. See docs/adr/0131-quick-import-of-drizzle.md.
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
 * Returns the Drizzle query builder for a client. It loads the CommonJS build of Drizzle. The ES modules of Drizzle take half a second to
 * load, six times as long, because Node reads the package file of Drizzle for each module.
 */
export function buildQueries(sql: Sql): PostgresJsDatabase {
  const { drizzle } = createRequire(import.meta.url)(
    'drizzle-orm/postgres-js',
  ) as typeof import('drizzle-orm/postgres-js');
  // Drizzle removes the type conversions from its options. It gets a copy of the options, so that other clients keep the conversions.
  const options = { ...sql.options, parsers: {}, serializers: {} };
  return drizzle({ client: Object.create(sql, { options: { value: options } }) as Sql });
}
