import { createHash } from 'node:crypto';
import type { UpstreamAnswer, UpstreamRequest } from '../../pipeline/network/fetcher.ts';
import { dig } from '../../pipeline/parse/values.ts';
import { isSecretName, type RemoveSecrets, removed } from './secrets.ts';

type Conditions = Record<string, string | number | boolean | null>;

/** A request with its recorded answer, in the format that `pipeline/network/recorded-fetcher.ts` reads. */
export interface ManifestEntry {
  method: 'GET' | 'POST';
  url: string;
  match: 'pattern';
  query?: Conditions;
  body?: Conditions;
  status: number;
  headers: Record<string, string>;
  file?: string;
  example: { url: string; body?: Record<string, unknown> };
}

/** Parameters that do not change which record is requested: parts, field lists, limits, languages, signatures. */
const unimportant = new Set(
  [
    'part fields $fields tweet.fields user.fields media.fields expansions limit count maxResults max_results prettyPrint',
    'alt hl gl aid fmt user_id expire signature sig pot ei sparams lsig opi caps xoaf xowf ipbits',
  ]
    .join(' ')
    .split(' '),
);
/**
 * Names of parameters that continue or filter a list. A recording without them must not answer a request that has them.
 */
const variants = ['continuation', 'params'];
/** The headers of answers that sources read. Other headers are not recorded. */
const keptHeaders = new Set([
  'content-type',
  'location',
  'retry-after',
  'x-rate-limit-reset',
  'x-business-use-case-usage',
]);

/** Returns true when the name or the value of a parameter or member is a credential. */
type IsSecret = (name: string, value: unknown) => boolean;

/**
 * Returns the manifest entry for a request and its answer, without secrets. `ownId`, the operator's account id, is
 * replaced in URL paths.
 */
export function entryOf(
  { method = 'GET', url, body }: UpstreamRequest,
  { status, headers, body: answer }: UpstreamAnswer,
  removeSecrets: RemoveSecrets,
  ownId: string | null,
): ManifestEntry {
  const isSecret: IsSecret = (name, value) =>
    isSecretName(name) || (typeof value === 'string' && removeSecrets(value) !== value);
  const { address, path } = withoutOwnId(new URL(url), ownId);
  const query = [...address.searchParams].filter(([name, value]) => !isSecret(name, value) && isImportant(name, value));
  const sent = conditionsOf(body, isSecret);
  const kept = Object.entries(headers).filter(([name]) => keptHeaders.has(name.toLowerCase()));
  const entry = {
    method,
    url: `^${escaped(address.origin)}${path}${queryPattern(address)}$`,
    match: 'pattern' as const,
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(sent && { body: sent }),
  };
  return {
    ...entry,
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), removeSecrets(value)])),
    ...(answer.length > 0 && { file: fileName(address, identityOf(entry), answer) }),
    example: { url: exampleUrl(address, isSecret), ...(sent && { body: exampleBody(sent) }) },
  };
}

/** Returns a text that is equal for two entries of the same request. */
export function identityOf({ method, url, match, query, body }: Partial<ManifestEntry>): string {
  return JSON.stringify([method, match, url, query ?? {}, body ?? {}]);
}

/**
 * Returns the URL with 0 instead of the operator's account id in its path, and a pattern of the path that matches any
 * account id.
 */
function withoutOwnId(address: URL, ownId: string | null): { address: URL; path: string } {
  const parts = address.pathname.split('/');
  const pattern = parts.map((part) => (part === ownId ? '\\d+' : escaped(part))).join('/');
  const pathname = parts.map((part) => (part === ownId ? '0' : part)).join('/');
  return { address: new URL(`${address.origin}${pathname}${address.search}`), path: pattern };
}

/**
 * Returns true when a parameter changes which record is requested. In the Graph API, `fields` can name the record, as
 * in `business_discovery.username(handle){…}`.
 */
function isImportant(name: string, value: string): boolean {
  return !unimportant.has(name) || (name === 'fields' && value.startsWith('business_discovery'));
}

/**
 * Returns a pattern for the query of this URL. The pattern accepts the parameters of the URL in any order and with any
 * values, but no other parameters.
 */
function queryPattern({ searchParams }: URL): string {
  const names = [...searchParams.keys()].flatMap((name) => [name, encodeURIComponent(name)]);
  return names.length === 0 ? '' : `(?:\\?(?:(?:${[...new Set(names)].map(escaped).join('|')})=[^&]*(?:&|$))*)?`;
}

function exampleUrl(address: URL, isSecret: IsSecret): string {
  const url = new URL(address);
  for (const [name, value] of [...url.searchParams]) if (isSecret(name, value)) url.searchParams.set(name, removed);
  return url.href;
}

/**
 * Returns the text, number and boolean members of a JSON body. For YouTube, adds the client name, because YouTube
 * answers a web page differently from an app.
 */
function conditionsOf(body: string | undefined, isSecret: IsSecret): Conditions | undefined {
  const sent: unknown = body === undefined ? undefined : JSON.parse(body);
  if (typeof sent !== 'object' || sent === null) return undefined;
  const plain = Object.entries(sent).filter(
    ([name, value]) => ['string', 'number', 'boolean'].includes(typeof value) && !isSecret(name, value),
  );
  const client = dig(sent, 'context', 'client', 'clientName');
  const absent = variants.filter((name) => !Object.hasOwn(sent, name)).map((name) => [name, null] as const);
  return Object.fromEntries([
    ...plain,
    ...absent,
    ...(typeof client === 'string' ? [['context.client.clientName', client] as const] : []),
  ]);
}

function exampleBody(sent: Conditions): Record<string, unknown> {
  const { 'context.client.clientName': clientName, ...plain } = sent;
  const members = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== null));
  return clientName === undefined ? members : { ...members, context: { client: { clientName } } };
}

function fileName({ pathname }: URL, identity: string, answer: Buffer): string {
  const subject = pathname.split('/').findLast((part) => part !== '') ?? 'answer';
  const readable = subject.replace(/[^\w.-]+/g, '_').slice(0, 60);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8);
  return `${readable}-${hash}.${/^\s*[{[]/.test(answer.subarray(0, 64).toString('latin1')) ? 'json' : 'txt'}`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
