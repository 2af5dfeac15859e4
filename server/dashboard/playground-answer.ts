import { html } from 'hono/html';
import { attachmentResponse } from '../attachment.ts';
import { sameCall } from './playground-form.ts';
import type { Call, PlayRoute } from './playground-routes.ts';
import { card, code, count, type Piece, table, tag } from './ui.ts';

/** What the API answered. */
export interface Answered {
  status: number;
  headers: Headers;
  body: string;
  duration_ms: number;
  /** Asked for the cost alone. */
  estimate: boolean;
  /** The mark of the page that was sent: the same answer is had again with it, for nothing. */
  once: string;
}

/** Characters of an answer that a page shows. */
const max_shown_characters = 200_000;

/** The answer as it came, in a form that people read. */
export function answerPiece(answer: Answered, asked: Call): Piece {
  const { status, headers } = answer;
  const text = pretty(answer.body, headers);
  const cut = text.length > max_shown_characters;
  const shown = cut ? `${text.slice(0, max_shown_characters).toWellFormed()}\n…` : text;
  const error = errorIn(answer);
  const made = card(
    answer.estimate ? 'What it would cost' : 'Answer',
    html`<p>${tag(error ? `${status} ${error.code}` : String(status), error ? 'bad' : 'good')} ${told(answer)}</p>
${error ? html`<p>${error.message}</p>` : null}${answer.estimate && !error ? estimated(answer.body) : null}
${cut ? html`<p class="notice">The first ${count(max_shown_characters)} of ${count(text.length)} characters: download it to see all.</p>` : null}
${code('answer', headers.get('content-type')?.split(';')[0] ?? 'Answer', shown)}
${status === 200 && !answer.estimate ? download(answer, asked) : null}
<details><summary>Headers</summary>${headerTable(headers)}</details>`,
  );
  return html`<div id="result">${made}</div>`;
}

/** The answer as a file. */
export function answerFile({ body, headers }: Answered, { path }: PlayRoute): Response {
  const name = path.slice(1).replaceAll('/', '-');
  return attachmentResponse(name, isJson(headers) ? 'json' : 'csv', pretty(body, headers));
}

const isJson = (headers: Headers) => headers.get('content-type')?.startsWith('application/json') ?? false;

function pretty(body: string, headers: Headers): string {
  return isJson(headers) ? JSON.stringify(JSON.parse(body), null, 2) : body;
}

function errorIn({ status, body, headers }: Answered): { code: string; message: string } | null {
  if (status === 200 || !isJson(headers)) return null;
  return (JSON.parse(body) as { error: { code: string; message: string } }).error;
}

/** What the headers say, in one sentence. */
function told({ headers, duration_ms, status }: Answered): string {
  const charged = Number(headers.get('x-credits-charged') ?? 0);
  const kind = headers.get('x-data-mode') === 'sandbox' ? 'a sample of the sandbox' : 'live';
  const cached = headers.get('x-cache') === 'HIT' ? ', from the cache' : '';
  const again = headers.has('x-idempotent-replay') ? ', the same answer again' : '';
  const what = status === 200 ? `${kind}${cached}${again}; ` : '';
  const cost =
    charged === 0 ? 'nothing was charged' : `${count(charged)} ${charged === 1 ? 'credit' : 'credits'} charged`;
  return `${what}${cost}; ${count(Math.round(duration_ms))} ms`;
}

interface Estimated {
  cost: number;
  cached?: boolean;
  cache_age_seconds?: number | null;
  cached_rows?: number;
  unreadable_rows?: number;
}

function estimated(body: string): Piece {
  const { data } = JSON.parse(body) as { data: Estimated };
  const { cost, cached, cache_age_seconds = null, cached_rows = 0, unreadable_rows = 0 } = data;
  const kept = cached && cache_age_seconds !== null ? ` An answer ${ageOf(cache_age_seconds)} old is kept` : '';
  const sentences = [
    cost === 0
      ? 'It would cost nothing now.'
      : `It would cost at most ${count(cost)} ${cost === 1 ? 'credit' : 'credits'} now.`,
    kept === '' ? '' : cost === 0 ? `${kept}.` : `${kept}: choose a cache_max_age above that and it is free.`,
    cached_rows > 0 ? ` ${count(cached_rows)} of the rows are kept and free.` : '',
    unreadable_rows > 0 ? ` ${count(unreadable_rows)} of the addresses cannot be read; they are free.` : '',
  ];
  return html`<p>${sentences.join('')}</p>`;
}

function ageOf(seconds: number): string {
  const [size, unit] = seconds < 3_600 ? [60, 'minute'] : seconds < 86_400 ? [3_600, 'hour'] : [86_400, 'day'];
  const whole = Math.max(1, Math.round(seconds / Number(size)));
  return `${count(whole)} ${unit}${whole === 1 ? '' : 's'}`;
}

/** The answer is kept under the mark of its page: it is not asked for or paid again. */
function download({ once }: Answered, asked: Call): Piece {
  return html`<form method="post" action="/dashboard/playground" class="actions">${sameCall(asked, once)}
<button name="act" value="download" class="quiet">Download</button></form>`;
}

function headerTable(headers: Headers): Piece {
  const rows = [...headers].map(([name, value]) => [html`<code>${name}</code>`, html`<code>${value}</code>`]);
  return table('Headers of the answer', ['Header', 'Value'], rows);
}
