import { createRequire, registerHooks } from 'node:module';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql, TransactionSql } from 'postgres';

const folder = '/node_modules/drizzle-orm/';
let registered = false;

/**
 * Makes the import of drizzle-orm faster. Must be called before the import. For each of about a hundred modules, Node
 * would read the format in drizzle-orm's package.json and parse this file of 179 kB again, which took 2 seconds and 250
 * MB. All these modules are ES modules, so this function skips the lookup (docs/adr/0131-quick-import-of-drizzle.md).
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
 * Loads the CommonJS build of Drizzle. Loading its ES modules would take six times as long (half a second), because
 * Node reads Drizzle's package.json for each module.
 */
export function loadDrizzle(): typeof import('drizzle-orm/postgres-js') {
  return createRequire(import.meta.url)('drizzle-orm/postgres-js');
}

/** Returns the Drizzle query builder for a connection pool. */
export function buildQueries(sql: Sql): PostgresJsDatabase {
  const { drizzle } = loadDrizzle();
  // Gives Drizzle a copy of the connection options, because Drizzle removes the type conversions from these options,
  // and other users of the pool need them.
  const options = { ...sql.options, parsers: {}, serializers: {} };
  return drizzle({ client: Object.create(preparing(sql), { options: { value: options } }) as Sql });
}

type Transaction = (tx: TransactionSql) => Promise<unknown>;

/**
 * Returns a client that prepares each parameterized SQL statement once per connection, as the driver does for all other
 * statements of the service. Without this, PostgreSQL parses each statement of Drizzle every time, and the driver waits
 * for the parameter types before it sends the parameters.
 */
function preparing<Client extends Sql | TransactionSql>(client: Client): Client {
  const unsafe: Sql['unsafe'] = (text, params = [], options = {}) =>
    client.unsafe(text, params, { ...options, prepare: params.length > 0 });
  const begin = (work: Transaction) => (client as Sql).begin((tx) => work(preparing(tx)));
  const savepoint = (work: Transaction) => (client as TransactionSql).savepoint((tx) => work(preparing(tx)));
  return Object.create(client, { unsafe: { value: unsafe }, begin: { value: begin }, savepoint: { value: savepoint } });
}
