import type { DBAdapter } from 'better-auth';
import { hashSecret } from '../../../db/accounts/secrets.ts';

type Adapter = Omit<DBAdapter, 'transaction'>;
type Where = { field: string; value: unknown };
type Row = Record<string, unknown>;

/**
 * Wraps the database adapter of the sign-in library, so that the database stores only the hash of each session token,
 * for which the library has no option. A query by token searches for the hash, and its result contains the original
 * token. A query by another field returns the hash, with which no one can sign in.
 */
export function withHashedSessions<Options>(
  createAdapter: (options: Options) => DBAdapter,
): (options: Options) => DBAdapter {
  return (options) => {
    const adapter = createAdapter(options);
    return {
      ...hashing(adapter),
      transaction: (work) => adapter.transaction((inner) => work(hashing(inner as Adapter) as typeof inner)),
    } as DBAdapter;
  };
}

function hashing(adapter: Adapter): Adapter {
  const wrapped: Record<string, unknown> = { ...adapter };
  for (const method of [
    'create',
    'findOne',
    'findMany',
    'count',
    'update',
    'updateMany',
    'delete',
    'deleteMany',
    'consumeOne',
    'incrementOne',
  ] as const) {
    const call = adapter[method] as ((input: Row) => Promise<unknown>) | undefined;
    if (!call) continue;
    wrapped[method] = async (input: Row) => {
      if (input.model !== 'session') return call(input);
      const { stored, token } = hashedInput(input);
      const result = await call(stored);
      return token !== null && isRow(result) && 'token' in result ? { ...result, token } : result;
    };
  }
  return wrapped as unknown as Adapter;
}

/**
 * Returns a session query in which every token is replaced by its hash. `token` is the original token when the query
 * contains exactly one token, else null.
 */
function hashedInput(input: Row): { stored: Row; token: string | null } {
  let token: string | null = null;
  const hashed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => hashSecret(String(one)));
    token = String(value);
    return hashSecret(token);
  };
  const stored = { ...input };
  if (Array.isArray(input.where)) {
    stored.where = (input.where as Where[]).map((part) =>
      part.field === 'token' ? { ...part, value: hashed(part.value) } : part,
    );
  }
  for (const name of ['data', 'update'] as const) {
    const values = input[name];
    if (isRow(values) && 'token' in values) stored[name] = { ...values, token: hashed(values.token) };
  }
  return { stored, token };
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
