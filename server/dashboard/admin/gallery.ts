import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import { dayMs, hourMs } from '../../../db/durations.ts';
import { icon } from '../../design/icons.ts';
import { type ChartPoint, chartTable, lineChart } from '../ui/chart.ts';
import { barChart } from '../ui/charts/line-chart.ts';
import { rankedBars, sparkline } from '../ui/charts/sparkline.ts';
import {
  card,
  code,
  field,
  notice,
  type Piece,
  secret,
  select,
  table,
  tag,
  textarea,
  time,
  titleColumn,
} from '../ui/components.ts';
import { at } from '../ui/forms/field-problem.ts';
import { avatar, platform, thumbnail } from '../ui/parts/avatar.ts';
import {
  copyField,
  dialog,
  emptyState,
  menu,
  progress,
  rowList,
  segments,
  skeleton,
  type Tile,
  tabs,
  tiles,
} from '../ui/parts/blocks.ts';
import { dataTable } from '../ui/parts/data-table.ts';
import { ago, change, compact } from '../ui/parts/numbers.ts';
import type { Page, Visit } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';

export const galleryPath = '/dashboard/admin/design';
const now = new Date('2026-11-20T10:00:00Z');

/**
 * Returns a page with every component of the design system in its states. The data is invented, and the forms change
 * nothing.
 */
export async function galleryPage({ url, visitor }: Visit): Promise<Page> {
  const parts: [string, Piece][] = [
    ['Buttons and tags', buttons()],
    ['Messages', messages()],
    ['Fields', fields()],
    ['Numbers, people and platforms', numbers()],
    ['Tiles', tiles(shownTiles())],
    ['Table with search, order and selection', sampleTable(url, visitor)],
    ['Plain table', plainTable()],
    ['Lists, tabs and menus', lists()],
    ['Charts', charts()],
    ['Copying', copying()],
    ['Waiting and empty', waiting()],
  ];
  const content = html`<p class="hint">Every component with invented data, to look at after a change of the design: light, dark, on a phone, and printed. How to use them is in the design guide of the repository.</p>
${parts.map(([heading, part]) => card(heading, part))}`;
  const actions = html`<button type="button">Main action</button><button type="button" class="quiet">Second action</button>`;
  return {
    title: 'Design system',
    picture: html`${avatar('Design System', null, 'large')}`,
    facts: 'A line of facts below the heading',
    actions,
    content,
  };
}

const buttons =
  (): Piece => html`<p class="buttons"><button type="button">Main</button><button type="button" class="quiet">Quiet</button><button type="button" class="danger">Danger</button><button type="button" disabled>Disabled</button><button type="button" class="quiet">${icon('search')}With icon</button><button type="button" class="icon-only" aria-label="Close">${icon('x')}</button><a class="button quiet" href="${galleryPath}">A link</a></p>
<p>${tag('plain')} ${tag('good', 'good')} ${tag('warning', 'warn')} ${tag('bad', 'bad')}</p>`;

const messages = (): Piece =>
  html`${notice('A plain message.')}${notice('Something succeeded.', 'good')}<p class="notice warn" role="status">Something needs attention. <a href="${galleryPath}">A link</a></p>${notice('Something failed. Try again in a minute.', 'bad')}`;

/**
 * Returns a form with one field of each kind, as an example. The form cannot be sent, because its only button is
 * disabled.
 */
const fields =
  (): Piece => html`${notice(at('wrong', 'Enter a whole number.'), 'bad')}<form method="post" action="${galleryPath}"><div class="columns">${field('Text', 'text', { value: 'Typed text', hint: 'A hint below the field.' })}${field('With an error', 'wrong', { value: '12x', hint: 'From 1 to 100.' })}</div>
<div class="columns">${select(
    'Choice',
    'choice',
    [
      ['one', 'First choice'],
      ['two', 'Second choice'],
    ],
    { hint: 'One of two.' },
  )}${field('Date', 'date', { type: 'date', value: '2026-11-20' })}</div>
${textarea('Long text', 'long', { value: 'https://www.instagram.com/tide.pool/\nhttps://www.tiktok.com/@kelp', rows: 3 })}
<fieldset class="field"><legend>Several</legend><label class="check"><input type="checkbox" checked><span>Ticked</span></label><label class="check"><input type="checkbox"><span>Not ticked</span></label></fieldset>
<button disabled>Save</button></form>`;

const numbers =
  (): Piece => html`<p>${compact(1_234_567)} · ${compact(9_876)} · ${compact(null)} · ${change(1_204)} · ${change(-87)} · ${change(0)} · ${change(3.24, { unit: '%' })} · ${ago(new Date(now.getTime() - 3 * hourMs), now)} · ${time(now)}</p>
<p class="buttons">${['Harbor Coffee', 'Oak & Iron', 'mira.bakes', 'Quiet Peaks', 'Blue Lamp', 'North Lab'].map((name) => avatar(name))}</p>
<p class="buttons">${['photo', 'shortvideo', 'longvideo'].map(platform)}</p>
<div class="who">${avatar('مرحبا بالعالم', null, 'large')}<span><bdi>مرحبا بالعالم</bdi><br><span class="hint">a right-to-left name</span></span></div>
<div class="columns three">${['A year of sourdough', 'Latte art', 'Night market'].map((name) => thumbnail(name, null))}</div>`;

const shownTiles = (): Tile[] => [
  { label: 'Followers', value: compact(1_204_558), change: change(31_099), hint: '30 days' },
  { label: 'Views', value: compact(6_192_428), change: change(-1_274) },
  { label: 'With a link', value: '20', hint: 'of 200', path: galleryPath },
];

function sampleTable(url: URL, visitor: Visitor): Piece {
  const rows = ['Harbor Coffee', 'Oak & Iron Furniture', 'Salt Trail Running'].map((name, index) => {
    const values = [3, 4, 4, null, 6, 5, 8 + index];
    const cells = [
      html`<div class="who">${avatar(name)}<span>${name}</span></div>`,
      compact(128_430 * (index + 1)),
      change(index * 52 - 40),
      sparkline(values),
    ];
    return { id: String(index), label: name, cells };
  });
  return dataTable({
    ...{
      id: 'gallery-rows',
      caption: 'Sample rows',
      url: new URL(galleryPath + url.search, url),
      total: 120,
      page_size: 3,
    },
    columns: [
      { heading: 'Item', sort: 'name', title: true },
      { heading: 'Newest', number: true, sort: 'newest' },
      { heading: '7 days', number: true },
      { heading: 'Last days' },
    ],
    rows,
    search: 'Search rows',
    filters: select('State', 'state', [
      ['', 'All states'],
      ['active', 'Active'],
    ]),
    bulk: {
      action: galleryPath,
      buttons: html`<button disabled hidden></button><button disabled class="quiet">Pause</button><button disabled class="danger">Remove</button>`,
      visitor,
    },
    empty: html`<p>No rows.</p>`,
    facts: html`<p class="hint">Showing 3 of 120 rows.</p>`,
  });
}

const plainTable = (): Piece =>
  table(
    'A plain table',
    [titleColumn('Name'), { heading: 'Credits', number: true }, 'Status'],
    [
      ['First row', '1,204', tag('active', 'good')],
      ['A row with a name that is so long that it needs more than one line', '–', tag('paused', 'warn')],
    ],
  );

const lists = (): Piece => html`${tabs(
  'Parts',
  [
    ['First', galleryPath],
    ['Second', `${galleryPath}?part=2`],
  ],
  galleryPath,
)}
<p>${segments(
  'Days',
  [
    ['7 days', galleryPath],
    ['30 days', `${galleryPath}?part=2`],
  ],
  galleryPath,
)}</p>
${rowList([
  { icon: 'bell', text: 'A row with an icon', end: '3 hours ago' },
  { icon: 'search', text: html`A row with <a href="${galleryPath}">a link</a>` },
])}
<div class="buttons">${menu('Menu of the sample', [html`<a href="${galleryPath}">${icon('settings')}An entry</a>`, html`<a href="${galleryPath}">${icon('search')}Another entry</a>`])}${dialog('gallery-dialog', 'A dialog', html`<p>Its text.</p>`, { label: 'Open the dialog', path: galleryPath })}</div>
<details><summary>A folded part</summary><p>Its content.</p></details>`;

function charts(): Piece {
  const days = Array.from({ length: 30 }, (_, index): ChartPoint => {
    const label = dayOf(now.getTime() - (29 - index) * dayMs);
    const isGap = index > 11 && index < 15;
    return isGap
      ? { label, value: null, note: 'the platform limited our requests' }
      : { label, value: 120_000 + index * index * 37, rounded: index > 24 };
  });
  const others = [
    { name: 'TikTok', points: days.map((day, index) => ({ ...day, value: day.value && day.value - index * 900 })) },
  ];
  const chart = { id: 'gallery-line', title: 'Followers, with a gap and rounded values', points: days };
  return html`${lineChart({ ...chart, large: true })}${chartTable(chart)}
<div class="columns"><div>${lineChart({ id: 'gallery-compared', title: 'Compared', points: days, name: 'Instagram', others })}</div><div>${barChart({ id: 'gallery-bars', title: 'Daily change', points: days.slice(-14).map(({ label }, index) => ({ label, value: (index * 7) % 11 })) })}</div></div>
<div class="columns"><div>${lineChart({ id: 'gallery-one', title: 'A single value', points: [{ label: '2026-11-20', value: 818 }] })}</div><div>${rankedBars(
    [
      { label: 'Harbor Coffee', value: 4_593 },
      { label: 'Night Market', value: 2_174 },
    ],
  )}</div></div>`;
}

const copying = (): Piece =>
  html`${copyField('gallery-copy', 'Link', 'https://example.com/shared/reports/invented')}${secret('Secret', 'invented-secret')}${code('gallery-code', 'Code', '=SOCIAL_PROFILE(A2:A50)')}`;

const waiting = (): Piece => html`${progress('Lines', 24, 100)}${skeleton(3)}
${emptyState({ icon: 'bell', heading: 'Nothing here yet', text: 'What the page will show, and how to begin.', action: html`<button type="button">Begin</button>` })}`;
