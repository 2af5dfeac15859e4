import { html } from 'hono/html';
import { createKey, type KeyRow, listKeys, workingKeyHash } from '../../../db/accounts/keys.ts';
import { digestId, isId, newId } from '../../../db/ids.ts';
import { readBalance } from '../../../db/money/ledger.ts';
import { metricTitle } from '../../../pipeline/report/summary/headline.ts';
import type { Cell, ProfileColumn, ProfileRow } from '../../../pipeline/rows/profile-row.ts';
import type { Html } from '../../docs/layout.ts';
import type { KeyedAnswer } from '../../http/keyed.ts';
import type { AnswerObject } from '../../http/reply.ts';
import type { SectionDeps } from '../deps.ts';
import { card, count, field, notice, type Piece } from '../ui/components.ts';
import { avatar } from '../ui/parts/avatar.ts';
import { type Tile, tiles } from '../ui/parts/blocks.ts';
import { compact } from '../ui/parts/numbers.ts';
import { platformNames } from '../ui/platform-names.ts';
import { sampleButton } from '../ui/sample-banner.ts';
import { type FormVisit, type Page, text } from '../ui/section.ts';

/** Path of the form on the overview that shows the numbers of one profile. */
export const firstProfilePath = '/dashboard/first-profile';
const maxUrl = 500;

type FirstProfileDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url' | 'callAs' | 'media'>;

/**
 * Returns the form with a field for a profile link. Pressing Enter does not send the form, because an answer costs a
 * credit.
 */
export function firstProfileForm(now: Date, { url = '', error = null as string | null } = {}): Piece {
  return html`<section class="card start"><h2>Paste a profile, and see its numbers</h2>
<form method="post" action="${firstProfilePath}"><button disabled hidden></button><input type="hidden" name="once" value="${newId(now)}">
${field('Profile link', 'url', { type: 'text', value: url, error, required: true, maxlength: maxUrl, placeholder: 'https://www.instagram.com/…', hint: 'From Instagram, TikTok or YouTube. 1 credit if we find the profile; errors are free.' })}
<div class="buttons"><button>Show the numbers (1 credit)</button></div></form>${sampleButton()}</section>`;
}

/** Returns the first row of the table in an API answer as an object. Returns null for an error or an empty table. */
function rowOf({ body }: KeyedAnswer<AnswerObject>): ProfileRow | null {
  const { columns, rows } = (body?.data ?? { columns: [], rows: [] }) as { columns: string[]; rows: Cell[][] };
  const cells = rows[0];
  return cells ? (Object.fromEntries(columns.map((name, index) => [name, cells[index]])) as ProfileRow) : null;
}

/**
 * Requests a profile from the API with a key of the workspace, and shows the answer. Creates a key when the workspace
 * has no working key.
 */
export async function showFirstProfile(visit: FormVisit, deps: FirstProfileDeps): Promise<Page> {
  const { visitor, form, request_id, address } = visit;
  const { db, now } = deps;
  const url = text(form, 'url').slice(0, maxUrl);
  const once = text(form, 'once');
  if (url === '') return formPage(url, 'Enter the link of a profile.', now());
  if (!isId(once)) return formPage(url, 'This page is not complete. Send the form again.', now());
  const hash = await ownKeyHash(visitor.workspace_id, deps);
  const idempotencyKey = `first-${digestId(`${once} ${url}`)}`;
  const call = { path: '/v1/workflows/profile', query: { url: [url] }, address };
  const sent = { ...call, request_id, idempotency_key: idempotencyKey };
  const { answer } = await deps.callAs(hash, sent, (reply) => reply.object());
  const row = rowOf(answer);
  if (row?.status !== 'OK') {
    return formPage(url, String(row?.message ?? answer.error?.message ?? 'There was no answer. Try again.'), now());
  }
  const balance = await readBalance(db.sql, visitor.workspace_id);
  return { title: String(row.display_name ?? row.username), content: profilePiece(row, url, deps), balance };
}

function formPage(url: string, error: string, now: Date): Page {
  const content = html`${notice('Nothing was charged.', 'plain')}${firstProfileForm(now, { url, error })}`;
  return { title: 'Overview', content, status: 400 };
}

/** Returns true for a key that returns live data here: not one of a connected app, of other routes or of networks. */
function isUsable({ kind, connected, scopes, networks }: KeyRow): boolean {
  return kind === 'live' && !connected && (scopes?.includes('workflows') ?? true) && networks === null;
}

/**
 * Returns the hash of the first API key of the workspace that works and can be used here. When no such key exists,
 * creates the key "Dashboard".
 */
async function ownKeyHash(workspaceId: string, { db, now }: FirstProfileDeps): Promise<string> {
  const live = (await listKeys(db.sql, workspaceId, now())).filter(isUsable);
  for (const { key_id } of live) {
    const hash = await workingKeyHash(db.sql, workspaceId, key_id, now());
    if (hash !== null) return hash;
  }
  const { key_id } = await createKey(db.sql, workspaceId, { kind: 'live', name: 'Dashboard' });
  const hash = await workingKeyHash(db.sql, workspaceId, key_id, now());
  if (hash === null)
    throw new Error(`The key ${key_id} was created in workspace ${workspaceId}, but it does not work.`);
  return hash;
}

function profilePiece(row: ProfileRow, url: string, { media }: FirstProfileDeps): Html | Promise<Html> {
  const name = String(row.display_name ?? row.username);
  const picture = row.avatar_url ? media.mediaAddress(String(row.avatar_url)) : null;
  const number = (column: ProfileColumn) => (typeof row[column] === 'number' ? compact(row[column]) : count(null));
  const rounded = row.followers_quality === 'rounded';
  const shown: Tile[] = [
    {
      label: metricTitle('followers', [String(row.platform)]),
      value: typeof row.followers === 'number' ? compact(row.followers, rounded) : count(null),
      ...(rounded ? { hint: '≈ rounded by the platform' } : {}),
    },
    { label: 'Following', value: number('following') },
    { label: metricTitle('posts', [String(row.platform)]), value: number('posts') },
    { label: 'Likes', value: number('likes') },
    { label: metricTitle('total_views'), value: number('total_views') },
  ].filter(({ value }) => value !== count(null));
  return html`${card(
    'Your first row',
    html`<div class="who">${avatar(name, picture, 'large')}<span><b><bdi>${name}</bdi></b><br><span class="hint">${platformNames[String(row.platform)] ?? row.platform} · ${row.username}</span></span></div>
${row.bio ? html`<p class="bio" dir="auto">${row.bio}</p>` : null}${tiles(shown)}`,
  )}
${card(
  'What next?',
  html`<div class="buttons"><form method="post" action="/dashboard/tracking"><input type="hidden" name="addresses" value="${url}"><button class="quiet">Track it</button></form>
<a class="button" href="/addon">Get the add-on</a><a class="button quiet" href="/dashboard/batches">Analyze a list</a><a class="button quiet" href="/dashboard">Back to the overview</a></div>
<p class="hint">Tracking checks the profile and keeps its history. Each successful check costs 1 credit.</p>`,
)}`;
}
