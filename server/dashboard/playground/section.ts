import { html } from 'hono/html';
import { type KeyRow, listKeys, workingKeyHash } from '../../../db/accounts/keys.ts';
import { hourMs, minuteMs } from '../../../db/durations.ts';
import { digestId, isId, newId } from '../../../db/ids.ts';
import { readBalance } from '../../../db/money/ledger.ts';
import type { Query } from '../../http/query.ts';
import type { SectionDeps } from '../deps.ts';
import { card, code, notice } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { type FormVisit, type Page, PageNotFound, type Section, text, type Visit } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { answerFile, answerPiece, fieldErrors, type PlaygroundAnswer } from './answer.ts';
import { callForm, routePiece, samplesPiece } from './form.ts';
import { historyEntry, historyPiece, playgroundPath } from './history.ts';
import { fieldName, firstValues, type PlayCall, type PlayRoute, playRoutes, routePicker, valuesIn } from './routes.ts';

type PlaygroundDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url' | 'callAs'>;

const area = '/dashboard/playground';
/**
 * Number of hours for which submitting the same form page again costs nothing. It is less than the 24 hours for which
 * answers are stored.
 */
const onceHours = 23;

/** Creates the playground: a form that calls any API route with a key of the workspace. */
export function playgroundSection(deps: PlaygroundDeps): Section {
  return {
    menu: { path: area, label: 'Playground' },
    pages: { [area]: (visit) => emptyPage(visit, deps) },
    forms: { [area]: (visit) => call(visit, deps) },
  };
}

async function emptyPage({ url, visitor }: Visit, deps: PlaygroundDeps): Promise<Page> {
  const route = routeAt(url.searchParams.get('route') ?? playRoutes[0]?.path);
  const keys = await workingKeys(visitor.workspace_id, deps);
  const key = keys.find(({ kind }) => kind === 'test') ?? keys.find((one) => route && mayCall(one, route)) ?? keys[0];
  const filled = valuesIn(route, url.searchParams);
  const values = filled.length > 0 ? filled : firstValues(route, key === undefined || key.kind === 'test');
  return page({ route, values, key_id: key?.key_id ?? '' }, { keys, visitor }, deps);
}

/** Returns false for a key that the API refuses on a route: a sheet key on a data route, or a key without its scope. */
function mayCall({ kind, scopes }: KeyRow, { path, group }: PlayRoute): boolean {
  const isData = group !== 'Account' && !path.startsWith('/v1/workflows/');
  return !(isData && kind === 'sheet') && (scopes?.includes(isData ? 'data' : 'workflows') ?? true);
}

/** The working API keys of the workspace, and the user who sees the playground. */
interface Sender {
  keys: readonly KeyRow[];
  visitor: Visitor;
}

function page(
  shownCall: PlayCall,
  { keys, visitor }: Sender,
  { now, base_url }: PlaygroundDeps,
  shown: { answer?: PlaygroundAnswer; problem?: Problem; balance?: number | null } = {},
): Page {
  const { answer } = shown;
  const refused = answer ? fieldErrors(answer, shownCall.route) : [];
  const content = html`<p>For developers: try a request to the API as a form, and see its answer, its price and the code for it. With a development key it is free.</p>
${notice(shown.problem ?? null, 'bad')}${refused.map(({ parameter, message }) => notice(at(fieldName(parameter), sentence(message)), 'bad'))}${routePicker(shownCall.route)}
${card('Request', html`${routePiece(shownCall.route)}${callForm(shownCall, keys, { once: newId(now()), visitor })}`)}
${answer ? answerPiece(answer, shownCall, historyEntry(shownCall, answer)) : null}
${historyPiece(visitor)}
${card('Code for this request', samplesPiece(shownCall, base_url))}
${card('Share this request', html`<p>The link opens this form with your values. It has no key and sends nothing by itself.</p>${code('share', 'Link', base_url + playgroundPath(shownCall))}`)}`;
  return { title: 'Playground', content, status: shown.problem ? 400 : 200, balance: shown.balance ?? null };
}

async function call(visit: FormVisit, deps: PlaygroundDeps): Promise<Page | Response> {
  const { form, visitor } = visit;
  const route = routeAt(text(form, 'route'));
  const sentCall = { route, values: valuesIn(route, form), key_id: text(form, 'key') };
  const own = await listKeys(deps.db.sql, visitor.workspace_id, deps.now());
  if (!own.some(({ key_id }) => key_id === sentCall.key_id)) throw new PageNotFound();
  const sender = { keys: working(own, deps.now()), visitor };
  const hash = await workingKeyHash(deps.db.sql, visitor.workspace_id, sentCall.key_id, deps.now());
  if (hash === null)
    return page(sentCall, sender, deps, { problem: at('key', 'This key no longer works. Choose another one.') });
  const once = text(form, 'once');
  if (!isYoung(once, deps.now())) {
    const problem = 'This page was open for too long. Check the values and send them again.';
    return page(sentCall, sender, deps, { problem });
  }
  const act = text(form, 'act');
  const answer = await send(sentCall, { hash, once, estimate: act === 'estimate', visit }, deps);
  if (act === 'download' && answer.status === 200) return answerFile(answer, route);
  // Reads the balance again, because the earlier balance does not include the charge of this call.
  const balance = await readBalance(deps.db.sql, visitor.workspace_id);
  return page(sentCall, sender, deps, { answer, balance });
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

interface SendOptions {
  hash: string;
  once: string;
  estimate: boolean;
  visit: Visit;
}

// Sends an API call. Its idempotency key is made from the form page, the route, the parameters and the API key, so the
// same call sent twice from one page is charged once, and a changed call counts as a new one.
async function send(
  { route, values, key_id }: PlayCall,
  options: SendOptions,
  deps: PlaygroundDeps,
): Promise<PlaygroundAnswer> {
  const { hash, once, estimate, visit } = options;
  const query: Query = estimate ? { estimate: ['true'] } : {};
  for (const [name, value] of values) query[name] = [...(query[name] ?? []), value];
  const idempotencyKey = `playground-${digestId(JSON.stringify([once, route.path, values, key_id]))}`;
  const sent = { path: route.path, query, request_id: visit.request_id, idempotency_key: idempotencyKey };
  const started = performance.now();
  const { response } = await deps.callAs(hash, { ...sent, address: visit.address }, (reply) => reply.text());
  const body = await response.text();
  const durationMs = performance.now() - started;
  return { status: response.status, headers: response.headers, body, duration_ms: durationMs, estimate, once };
}

function routeAt(path: string | undefined): PlayRoute {
  const route = playRoutes.find((known) => known.path === path);
  if (!route) throw new PageNotFound();
  return route;
}

async function workingKeys(workspaceId: string, { db, now }: PlaygroundDeps): Promise<KeyRow[]> {
  return working(await listKeys(db.sql, workspaceId, now()), now());
}

function working(keys: readonly KeyRow[], now: Date): KeyRow[] {
  return keys.filter(({ revoked_at, expires_at }) => !revoked_at && (!expires_at || expires_at > now));
}

/**
 * Returns true when the form page with this id was created in the last 23 hours. The id begins with the time when the
 * page was created.
 */
function isYoung(once: string, now: Date): boolean {
  if (!isId(once)) return false;
  const ageMs = now.getTime() - Number.parseInt(once.replace('-', '').slice(0, 12), 16);
  return ageMs >= -minuteMs && ageMs < onceHours * hourMs;
}
