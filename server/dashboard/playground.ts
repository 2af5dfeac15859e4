import { html } from 'hono/html';
import { digestId, newId } from '../../db/ids.ts';
import { type KeyRow, listKeys, workingKeyHash } from '../../db/keys.ts';
import { isId } from '../../pipeline/campaigns.ts';
import type { SectionDeps } from './deps.ts';
import { type Answered, answerFile, answerPiece } from './playground-answer.ts';
import { callForm, routePiece, samplesPiece } from './playground-form.ts';
import { type Call, firstValues, type PlayRoute, playRoutes, routePicker, valuesIn } from './playground-routes.ts';
import { type FormVisit, type Page, PageNotFound, type Section, text, type Visit } from './section.ts';
import { card, notice } from './ui.ts';

type PlaygroundDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url' | 'answerAs'>;

const area = '/dashboard/playground';
/** A replay is kept for 24 hours: what is sent again within this is certainly not paid again. */
const once_hours = 23;

/** Any route as a form, asked with a key of the workspace on the way that every request takes. */
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
  const key = keys.find(({ kind }) => kind === 'test') ?? keys[0];
  const given = valuesIn(route, url.searchParams);
  const values = given.length > 0 ? given : firstValues(route, key === undefined || key.kind === 'test');
  return page({ route, values, key_id: key?.key_id ?? '' }, keys, deps);
}

function page(
  asked: Call,
  keys: readonly KeyRow[],
  { now, base_url }: PlaygroundDeps,
  shown: { answer?: Answered; problem?: string } = {},
): Page {
  const content = html`${notice(shown.problem ?? null, 'bad')}${routePicker(asked.route)}
${card('Request', html`${routePiece(asked.route)}${callForm(asked, keys, newId(now()))}`)}
${shown.answer ? answerPiece(shown.answer, asked) : null}
${card('The same call elsewhere', samplesPiece(asked, base_url))}`;
  return { title: 'Playground', content, status: shown.problem ? 400 : 200 };
}

async function call(visit: FormVisit, deps: PlaygroundDeps): Promise<Page | Response> {
  const { form, visitor } = visit;
  const route = routeAt(text(form, 'route'));
  const asked = { route, values: valuesIn(route, form), key_id: text(form, 'key') };
  const own = await listKeys(deps.db.sql, visitor.workspace_id, deps.now());
  if (!own.some(({ key_id }) => key_id === asked.key_id)) throw new PageNotFound();
  const keys = working(own, deps.now());
  const hash = await workingKeyHash(deps.db.sql, visitor.workspace_id, asked.key_id, deps.now());
  if (hash === null) return page(asked, keys, deps, { problem: 'This key no longer works: choose another one.' });
  const once = text(form, 'once');
  if (!isYoung(once, deps.now())) {
    const problem = 'This page was open for too long: look at the values and send them again.';
    return page(asked, keys, deps, { problem });
  }
  const act = text(form, 'act');
  const answer = await ask(asked, { hash, once, estimate: act === 'estimate', request_id: visit.request_id }, deps);
  if (act === 'download' && answer.status === 200) return answerFile(answer, route);
  return page(asked, keys, deps, { answer });
}

interface Asking {
  hash: string;
  once: string;
  estimate: boolean;
  request_id: string;
}

// The key of a replay names the whole call, so that a page may be sent twice and, after going back, changed and sent again.
async function ask({ route, values, key_id }: Call, asking: Asking, deps: PlaygroundDeps): Promise<Answered> {
  const { hash, once, estimate, request_id } = asking;
  const query = new URLSearchParams(values.map(([...pair]) => pair));
  if (estimate) query.set('estimate', 'true');
  const idempotency_key = `playground-${digestId(JSON.stringify([once, route.path, values, key_id]))}`;
  const headers = { 'x-request-id': request_id, 'idempotency-key': idempotency_key };
  const started = performance.now();
  const response = await deps.answerAs(hash, new Request(`${deps.base_url}${route.path}?${query}`, { headers }));
  const body = await response.text();
  const duration_ms = performance.now() - started;
  return { status: response.status, headers: response.headers, body, duration_ms, estimate, once };
}

function routeAt(path: string | undefined): PlayRoute {
  const route = playRoutes.find((known) => known.path === path);
  if (!route) throw new PageNotFound();
  return route;
}

async function workingKeys(workspace_id: string, { db, now }: PlaygroundDeps): Promise<KeyRow[]> {
  return working(await listKeys(db.sql, workspace_id, now()), now());
}

function working(keys: readonly KeyRow[], now: Date): KeyRow[] {
  return keys.filter(({ revoked_at, expires_at }) => !revoked_at && (!expires_at || expires_at > now));
}

/** Whether a page was made in the last hours; its mark begins with the time. */
function isYoung(once: string, now: Date): boolean {
  if (!isId(once)) return false;
  const age_ms = now.getTime() - Number.parseInt(once.replace('-', '').slice(0, 12), 16);
  return age_ms >= -60_000 && age_ms < once_hours * 3_600_000;
}
