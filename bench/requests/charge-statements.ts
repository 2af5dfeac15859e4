import postgres from 'postgres';
import { hashSecret } from '../../db/accounts/secrets.ts';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { createAdmission } from '../../db/requests/admission.ts';
import { createCharger } from '../../db/requests/charges.ts';
import { makeWorkspaces } from './workspaces.ts';

const bodyCharacters = 1_500;
const windowSeconds = 60;
/** Placeholder. Every charge replaces it with a new UUID. */
const newUuid = '00000000-0000-7000-8000-000000000000';

/**
 * Returns the SQL statements of one charged request as the service sends them, with literals for parameters.
 * `:workspace` stands for the number of a workspace, from 1.
 */
export async function chargeStatements(url: string): Promise<string[]> {
  const keys = await makeWorkspaces(url);
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  const admit = createAdmission(db, { window_seconds: windowSeconds, now: () => new Date() });
  const admissions = await Promise.all(keys.map((key) => admit({ hash: hashSecret(key), counts: 'request' })));
  await db.close();
  const each = (values: (string | undefined)[], type: string) =>
    `(array['${values.join("','")}']::${type}[])[:workspace]`;
  const hashes = keys.map(hashSecret);
  const workspaceIds = admissions.map((admission) => admission?.workspace_id);
  const keyIds = admissions.map((admission) => admission?.key_id);
  const varying = new Map([
    [hashes[0], each(hashes, 'text')],
    [workspaceIds[0], each(workspaceIds, 'uuid')],
    [keyIds[0], each(keyIds, 'uuid')],
    [newUuid, 'gen_random_uuid()'],
  ]);
  return recordStatements(
    url,
    (value) => varying.get(value),
    (pipelined) => chargeOnce(pipelined, keys[0] ?? ''),
  );
}

async function chargeOnce(pipelined: postgres.Sql, key: string): Promise<void> {
  const db = { pipelined, apart: pipelined };
  const admission = await createAdmission(db, { window_seconds: windowSeconds, now: () => new Date() })({
    hash: hashSecret(key),
    counts: 'request',
  });
  if (!admission) throw new Error('The API key that the benchmark created is not in the database.');
  const charged = await createCharger(
    db,
    () => new Date(),
  )({
    ...{ charge_id: newUuid, cache_key: newUuid, request_id: newUuid },
    ...{ workspace_id: admission.workspace_id, key_id: admission.key_id, route: '/v1/photo/profile', cost: 1 },
    answer: { body: 'x'.repeat(bodyCharacters), meta: '{}', retrieved_at: new Date() },
    replay: null,
  });
  if (charged.outcome !== 'charged')
    throw new Error(`The benchmark could not charge a request: ${JSON.stringify(charged)}`);
}

/** Returns the SQL expression for a value that differs in every charge. Returns undefined for any other value. */
type Varying = (value: string) => string | undefined;

/** Returns the statements that `work` sends to the database, with literals for parameters. */
async function recordStatements(
  url: string,
  varying: Varying,
  work: (pipelined: postgres.Sql) => Promise<void>,
): Promise<string[]> {
  const statements: string[] = [];
  const { options } = parseDatabaseUrl(url);
  const pipelined = postgres(parseDatabaseUrl(url).url, {
    ...options,
    max: 1,
    debug: (_connection, query, parameters) => statements.push(inlineParameters(query, parameters, varying)),
  });
  // Makes the driver send the queries that it sends before its first statement, because they are not part of the
  // charge.
  await pipelined`select`;
  statements.length = 0;
  await work(pipelined);
  await pipelined.end();
  return statements;
}

function inlineParameters(query: string, parameters: readonly unknown[], varying: Varying): string {
  const filled = query.replace(/\$(\d+)/g, (_, number) => literal(parameters[Number(number) - 1], varying));
  return filled.replace(/\s+/g, ' ');
}

// pgbench reads a colon as the beginning of a variable, so timestamps are written as expressions.
function literal(value: unknown, varying: Varying): string {
  if (Array.isArray(value)) return `array[${value.map((element) => literal(element, varying)).join(', ')}]`;
  if (value === null) return 'null';
  if (value instanceof Date) return value > new Date() ? "(now() + interval '1 minute')" : 'now()';
  if (typeof value !== 'string') return String(value);
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return 'now()';
  return varying(value) ?? `'${value}'`;
}
