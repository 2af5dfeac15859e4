import { html } from 'hono/html';
import { profileColumns } from '../../pipeline/rows/columns.ts';
import { fieldLabel } from '../../pipeline/rows/field-labels.ts';
import { handleAddress, type Platform, parseProfileAddress } from '../../pipeline/rows/profile-address.ts';
import { rowRoutes } from '../../pipeline/rows/row-routes.ts';
import { starterCredits } from '../first-start.ts';
import { samples } from '../sandbox/samples.ts';
import { demoPath } from './demo-route.ts';
import { count, field, type Piece, table, titleColumn } from './ui/components.ts';
import { platformNames } from './ui/platform-names.ts';

const maxAddress = 200;

/** The text that a visitor typed into the demo, and the sample that the page shows for it. */
export interface DemoAnswer {
  address: string;
  /** The platform whose sample the demo shows. Null when the typed address cannot be read. */
  platform: Platform | null;
  /** The reason why the demo shows no sample. Null when the demo shows a sample. */
  problem: string | null;
}

/** Reads the profile that a visitor typed into the demo. A handle without a platform is read as an Instagram handle. */
export function readDemo(typed: string): DemoAnswer {
  const address = typed.trim().slice(0, maxAddress);
  if (address === '') return { address, platform: null, problem: 'Enter a profile link or an Instagram handle.' };
  const parsed = parseProfileAddress(handleAddress('photo', address));
  if (!parsed.ok) return { address, platform: null, problem: parsed.message };
  return { address, platform: parsed.profile.platform, problem: null };
}

const columns = ['display_name', 'followers', 'following', 'posts', 'verified'] as const;

/**
 * Returns the demo form, which shows a visitor without an account an example of a filled spreadsheet row. The row
 * contains sample data, so it needs no API key, no request to a platform and no charge.
 */
export function demoPiece(answer: DemoAnswer | null): Piece {
  // The form's URL ends with #demo, so the browser scrolls to the element with this id. After a refused input the
  // element has another id, so that the browser moves the focus to the refused field instead.
  return html`<section class="card demo" id="${answer?.problem ? 'refused' : 'demo'}"><h2>Try it with any profile</h2>
<form method="get" action="${demoPath}#demo" class="row">
${field('Profile link or Instagram handle', 'profile', { value: answer?.address ?? '', error: answer?.problem ?? null, required: true, maxlength: maxAddress, placeholder: 'https://www.tiktok.com/@nasa', autocomplete: 'off' })}<button>Show a sample row</button></form>
${answer?.platform ? sampleRow(answer.address, answer.platform) : html`<p class="hint">No account and no charge: you get a row with invented numbers.</p>`}</section>`;
}

function sampleRow(address: string, platform: Platform): Piece {
  const sample = samples[rowRoutes.profiles[platform].path];
  const record: Readonly<Record<string, unknown>> = sample && 'record' in sample ? { ...sample.record } : {};
  const headings = columns.map((name) => ({ heading: fieldLabel(name), number: typeof record[name] === 'number' }));
  const row = columns.map((name) => cell(record[name]));
  return html`<p role="status"><b>These are sample numbers, not those of <bdi>${address}</bdi>.</b> A row of ${platformNames[platform]} has these columns and ${profileColumns.length - columns.length - 2} more.</p>
${table('Sample row', [titleColumn('Link'), 'Status', ...headings], [[html`<b class="address"><bdi>${address}</bdi></b>`, 'OK', ...row]], { as_cards: true })}
<p><a class="button" href="/sign-up">Get the real numbers with ${starterCredits} free credits</a></p>`;
}

function cell(value: unknown): Piece {
  if (typeof value === 'number') return count(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'string' ? value : '–';
}
