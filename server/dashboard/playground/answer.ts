import { html, raw } from 'hono/html';
import { daySeconds, hourSeconds } from '../../../db/durations.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { highlightJson } from '../../design/json.ts';
import { attachmentResponse } from '../../http/attachment.ts';
import { replayHeader } from '../../http/reply.ts';
import { card, code, count, type Piece, table, tag } from '../ui/components.ts';
import { hiddenCall } from './form.ts';
import { creditsIn, type HistoryEntry } from './history.ts';
import { recordCards, recordsIn, recordTable } from './records.ts';
import type { PlayCall, PlayRoute } from './routes.ts';

/** The answer of the API to a playground call. */
export interface PlaygroundAnswer {
  status: number;
  headers: Headers;
  body: string;
  duration_ms: number;
  /** True when only an estimate of the cost was requested. */
  estimate: boolean;
  /**
   * Id of the form page that the user submitted. Submitting the same form page again returns the same answer without a
   * charge.
   */
  once: string;
}

/** Maximum number of characters of an API answer that the playground shows. */
const maxShownCharacters = 200_000;

/**
 * Returns the API's answer as a card: summary, body and headers. The page's script adds `history` to the list of the
 * last requests.
 */
export function answerPiece(answer: PlaygroundAnswer, call: PlayCall, history: HistoryEntry): Piece {
  const { status, headers } = answer;
  const text = pretty(answer.body, headers);
  const cut = text.length > maxShownCharacters;
  const shown = cut ? `${text.slice(0, maxShownCharacters).toWellFormed()}\n…` : text;
  const error = errorIn(answer);
  const content = card(
    answer.estimate ? 'Cost' : 'Response',
    html`<p>${tag(error ? `${status} ${error.code}` : String(status), error ? 'bad' : 'good')} ${summaryOf(answer)}</p>
${error ? html`<p>${error.message}</p>` : null}${answer.estimate && !error ? estimateText(answer.body) : null}
${cut ? html`<p class="notice">Showing the first ${count(maxShownCharacters)} of ${count(text.length)} characters. Download the response to see all of it.</p>` : null}
${views(answer, code('answer', headers.get('content-type')?.split(';')[0] ?? 'Response', isJson(headers) ? highlightJson(shown) : shown))}
${status === 200 && !answer.estimate ? download(answer, call) : null}
<details><summary>Headers</summary>${headerTable(headers)}</details>`,
  );
  // The form's URL ends with #result, so the browser scrolls to the element with this id. When a field was refused, the
  // element has another id, so that the browser moves the focus to the refused field instead.
  const id = fieldErrors(answer, call.route).length > 0 ? 'refused' : 'result';
  return html`<div id="${id}" data-sent="${JSON.stringify(history)}">${content}</div>`;
}

/**
 * Returns an API answer as a table, as cards and as JSON. The browser shows one of these views at a time, without a
 * script.
 */
function views({ status, estimate, headers, body }: PlaygroundAnswer, json: Piece): Piece {
  const records = status === 200 && !estimate && isJson(headers) ? recordsIn(body) : [];
  if (records.length === 0) return json;
  const view = (label: string, content: Piece, open = false) =>
    html`<details name="answer-view"${raw(open ? ' open' : '')}><summary>${label}</summary>${content}</details>`;
  return html`${view('Table', recordTable(records), true)}${view('Cards', recordCards(records))}${view('JSON', json)}`;
}

/** Returns the API's answer as a file download. */
export function answerFile({ body, headers }: PlaygroundAnswer, { path }: PlayRoute): Response {
  const name = path.slice(1).replaceAll('/', '-');
  return attachmentResponse(name, isJson(headers) ? 'json' : 'csv', pretty(body, headers));
}

const isJson = (headers: Headers) => headers.get('content-type')?.startsWith('application/json') ?? false;

function pretty(body: string, headers: Headers): string {
  return isJson(headers) ? JSON.stringify(JSON.parse(body), null, 2) : body;
}

/**
 * Returns the parameters that the API refused, each with its reason. Leaves out parameters that are not in the form.
 */
export function fieldErrors(
  answer: PlaygroundAnswer,
  { parameters }: PlayRoute,
): { parameter: string; message: string }[] {
  const details = errorIn(answer)?.details ?? [];
  return details.filter(({ parameter }) => Object.hasOwn(parameters, parameter));
}

function errorIn({ status, body, headers }: PlaygroundAnswer): ApiError | null {
  if (status === 200 || !isJson(headers)) return null;
  return (JSON.parse(body) as { error: ApiError }).error;
}

interface ApiError {
  code: string;
  message: string;
  details?: { parameter: string; message: string }[];
}

/** Returns one line about an API answer: live or sandbox, cached or not, credits charged, and duration. */
function summaryOf({ headers, duration_ms, status }: PlaygroundAnswer): string {
  const charged = creditsIn(headers);
  const kind = headers.get('x-data-mode') === 'sandbox' ? 'Sandbox sample' : 'Live data';
  const cached = headers.get('x-cache') === 'HIT' ? ', cached' : '';
  const repeated = headers.has(replayHeader) ? ', repeated answer' : '';
  const source = status === 200 ? `${kind}${cached}${repeated} · ` : '';
  return `${source}${costText(charged)} · ${count(Math.round(duration_ms))} ms`;
}

function costText(charged: number | null): string {
  if (charged === null) return 'cost not known';
  return charged === 0 ? 'free' : `${quantity(charged, 'credit')} charged`;
}

interface Estimate {
  cost: number;
  cached?: boolean;
  cache_age_seconds?: number | null;
  cached_rows?: number;
  unreadable_rows?: number;
}

function estimateText(body: string): Piece {
  const { data } = JSON.parse(body) as { data: Estimate };
  const { cost, cached, cache_age_seconds = null, cached_rows = 0, unreadable_rows = 0 } = data;
  const cacheText = cached && cache_age_seconds !== null ? ` A cached answer is ${ageOf(cache_age_seconds)} old` : '';
  const sentences = [
    cost === 0 ? 'This request is free now.' : `This request costs at most ${quantity(cost, 'credit')}.`,
    cacheText === '' ? '' : cost === 0 ? `${cacheText}.` : `${cacheText}. With a higher cache_max_age it is free.`,
    cached_rows > 0 ? ` Cached rows (free): ${count(cached_rows)}.` : '',
    unreadable_rows > 0 ? ` Links that cannot be read (free): ${count(unreadable_rows)}.` : '',
  ];
  return html`<p>${sentences.join('')}</p>`;
}

function ageOf(seconds: number): string {
  const [size, unit] =
    seconds < hourSeconds ? [60, 'minute'] : seconds < daySeconds ? [hourSeconds, 'hour'] : [daySeconds, 'day'];
  const whole = Math.max(1, Math.round(seconds / Number(size)));
  return quantity(whole, unit);
}

/**
 * Returns the button that downloads an API answer. The download is free, because it gets the same answer again by its
 * Idempotency-Key.
 */
function download({ once }: PlaygroundAnswer, call: PlayCall): Piece {
  return html`<form method="post" action="/dashboard/playground" class="actions">${hiddenCall(call, once)}
<button name="act" value="download" class="quiet" data-download>Download</button></form>`;
}

function headerTable(headers: Headers): Piece {
  const rows = [...headers].map(([name, value]) => [html`<code>${name}</code>`, html`<code>${value}</code>`]);
  return table('Response headers', ['Header', 'Value'], rows);
}
