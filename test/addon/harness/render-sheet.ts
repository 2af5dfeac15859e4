import { address, addressTable, readAddress, readArea } from './a1.ts';
import { isDateFormat, shownDate } from './dates.ts';
import type { CellState, ChartState, SheetState } from './world.ts';

const rowPx = 21;
const usualWidthPx = 100;
const rowHeadPx = 46;
const colors = ['#1a73e8', '#e8710a', '#188038', '#a142f4'];

/**
 * Returns an HTML page that looks like the sheet in Google Sheets: widths, formats, text that overflows into empty
 * cells, and charts.
 */
export function renderSheet(sheet: SheetState): string {
  const used = Object.keys(sheet.grid).map(readAddress);
  const rows = Math.max(1, ...used.map(({ row }) => row)) + 2;
  const columns = Math.max(1, ...used.map(({ column }) => column)) + 2;
  const widths = Array.from({ length: columns }, (_, index) => sheet.widths[index + 1] ?? usualWidthPx);
  const left = (column: number): number => rowHeadPx + widths.slice(0, column - 1).reduce((sum, px) => sum + px, 0);
  const heads = widths.map((px, index) =>
    box({ x: left(index + 1), y: 0, width: px }, 'head', address({ row: 1, column: index + 1 }).replace('1', '')),
  );
  const numbers = Array.from({ length: rows }, (_, index) =>
    box({ x: 0, y: (index + 1) * rowPx, width: rowHeadPx }, 'head', String(index + 1)),
  );
  const cells = Array.from({ length: rows * columns }, (_, index) => {
    const at = { row: Math.floor(index / columns) + 1, column: (index % columns) + 1 };
    const place = { x: left(at.column), y: at.row * rowPx, width: widths[at.column - 1] ?? usualWidthPx };
    return cellBox(sheet, at, place, left(columns + 1));
  });
  const charts = sheet.charts.map((chart) => drawnChart(sheet, chart, left));
  const line = sheet.hidden_gridlines === true ? '#fff0' : '#e2e3e3';
  const size = `width:${left(columns + 1)}px;height:${(rows + 1) * rowPx}px`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(sheet.name)}</title><style>
body { margin: 0; font: 13px Arial, sans-serif; background: #fff } main { position: relative }
div { position: absolute; box-sizing: border-box; height: ${rowPx}px; line-height: ${rowPx - 2}px; white-space: pre;
  overflow: hidden; padding: 0 3px; border-right: 1px solid ${line}; border-bottom: 1px solid ${line} }
.head { background: #f8f9fa; color: #575a5a; text-align: center; font-size: 11px } .over { border: 0; z-index: 1 }
.number { text-align: right } .boolean, .error { text-align: center } .error { color: #c00 }
svg { position: absolute; background: #fff; border: 1px solid #dadce0; z-index: 2 } text { font: 11px Arial }
</style><main style="${size}">${[...heads, ...numbers, ...cells, ...charts].join('\n')}</main></html>\n`;
}

type Box = { x: number; y: number; width: number };

function box({ x, y, width }: Box, kind: string, text: string, style = ''): string {
  return `<div class="${kind}" style="left:${x}px;top:${y}px;width:${width}px;${style}">${escaped(text)}</div>`;
}

function cellBox(sheet: SheetState, at: { row: number; column: number }, place: Box, rightPx: number): string {
  const cell = sheet.grid[address(at)];
  const look = sheet.looks[address(at)] ?? {};
  const align = look.horizontal_alignment === undefined ? '' : `text-align:${look.horizontal_alignment};`;
  const style =
    align +
    (look.background === undefined ? '' : `background:${look.background};`) +
    (look.font_weight === undefined ? '' : `font-weight:${look.font_weight};`) +
    (look.font_color === undefined ? '' : `color:${look.font_color};`) +
    (cell === undefined ? '' : colorStyle(formatColor(cell, look.number_format ?? ''))) +
    (look.font_size === undefined ? '' : `font-size:${Number(look.font_size) + 3}px;`);
  const base = box(
    place,
    cell?.type ?? 'blank',
    cell?.type === 'text' ? '' : shownText(cell, look.number_format),
    style,
  );
  if (cell?.type !== 'text') return base;
  const over = { ...place, width: freeWidth(sheet, at, place, rightPx) };
  return base + box(over, 'over', shownText(cell, undefined), style.replace(/background:[^;]*;/, ''));
}

function colorStyle(color: string | null): string {
  return color === null ? '' : `color:${color};`;
}

/** Returns the width that a text can use: its own cell and the empty cells to its right or left. */
function freeWidth(sheet: SheetState, at: { row: number; column: number }, { x, width }: Box, rightPx: number): number {
  let endPx = x + width;
  for (let column = at.column + 1; endPx < rightPx; column++) {
    if (sheet.grid[address({ row: at.row, column })] !== undefined) break;
    endPx += sheet.widths[column] ?? usualWidthPx;
  }
  return endPx - x;
}

function shownText(cell: CellState | undefined, numberFormat: string | undefined): string {
  if (cell === undefined) return '';
  if (typeof cell.value === 'boolean') return String(cell.value).toUpperCase();
  if (typeof cell.value !== 'number') return String(cell.value).replace(/\s+/g, ' ');
  if (numberFormat !== undefined && isDateFormat(numberFormat)) return shownDate(cell.value, numberFormat);
  if (numberFormat === undefined || numberFormat === 'General') return String(cell.value);
  const [positive = '', negative, zero] = numberFormat.split(';');
  const part = cell.value < 0 ? (negative ?? positive) : cell.value === 0 ? (zero ?? positive) : positive;
  return shownNumber(cell.value, part.replace(/\[\w+\]/, ''), negative !== undefined);
}

/** Returns a number as text. `signed`: true when the pattern itself contains the sign of the number. */
function shownNumber(value: number, pattern: string, signed: boolean): string {
  const decimals = /\.(0+)/.exec(pattern)?.[1]?.length ?? 0;
  const scaled = value * (pattern.endsWith('%') ? 100 : 1);
  const digits = (signed ? Math.abs(scaled) : scaled).toLocaleString('en-US', {
    useGrouping: pattern.includes(','),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${/^[+-]/.exec(pattern)?.[0] ?? ''}${digits}${pattern.endsWith('%') ? '%' : ''}`;
}

/** Returns the color that a number format such as `[Red]-0` gives to a number. */
function formatColor({ value }: CellState, numberFormat: string): string | null {
  if (typeof value !== 'number' || value === 0) return null;
  const part = numberFormat.split(';')[value < 0 ? 1 : 0] ?? '';
  const name = /^\[(\w+)\]/.exec(part)?.[1];
  return name === undefined ? null : (namedColours[name] ?? name);
}

const namedColours: Record<string, string> = { Color10: '#008000' };

type Line = { name: string; values: (number | null)[] };

/** Maximum number of characters of the name shown beside a bar. */
const maxLabel = 16;

function drawnBars(sheet: SheetState, chart: ChartState, place: string): string {
  const width = Number(chart.options.width ?? 600);
  const height = Number(chart.options.height ?? 371);
  const [names, values] = chart.ranges.map(({ a1 }) => rowTexts(sheet, a1));
  const numbers = (values ?? []).map((value) => (typeof value === 'number' ? value : 0));
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const x = (value: number): number => 110 + ((value - low) / (high - low || 1)) * (width - 180);
  const stepPx = (height - 60) / Math.max(1, numbers.length);
  const bars = numbers.map((value, index) => {
    const y = 40 + index * stepPx;
    const name = String(names?.[index] ?? '');
    const shown = name.length > maxLabel ? `${name.slice(0, maxLabel - 1).trimEnd()}…` : name;
    const label = `<text x="4" y="${y + stepPx / 2 + 3}">${escaped(shown)}</text>`;
    const from = Math.min(x(0), x(value));
    const bar = `<rect fill="${colors[0]}" x="${from}" y="${y}" width="${Math.abs(x(value) - x(0))}" height="${stepPx * 0.7}"/>`;
    return `${label}${bar}<text x="${Math.max(x(0), x(value)) + 4}" y="${y + stepPx / 2 + 3}">${value.toLocaleString('en-US')}</text>`;
  });
  const title = `<text x="14" y="24" style="font-size:15px">${escaped(String(chart.options.title ?? ''))}</text>`;
  return `<svg style="${place}" width="${width}" height="${height}">${title}${bars.join('')}</svg>`;
}

/** Returns the values of the first column of a range, without its heading. */
function rowTexts(sheet: SheetState, a1: string): unknown[] {
  return addressTable(readArea(a1))
    .slice(1)
    .map(([cell]) => sheet.grid[cell ?? '']?.value);
}

function drawnChart(sheet: SheetState, chart: ChartState, left: (column: number) => number): string {
  const width = Number(chart.options.width ?? 600);
  const height = Number(chart.options.height ?? 371);
  const place = `left:${left(chart.anchor.column) + chart.anchor.x}px;top:${chart.anchor.row * rowPx + chart.anchor.y}px`;
  if (chart.type === 'BAR') return drawnBars(sheet, chart, place);
  const columns = chart.ranges.flatMap(({ a1 }) => columnsOf(sheet, a1));
  const [axis, ...lines] = columns;
  const known = lines.flatMap(({ values }) => values).filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const count = axis?.values.length ?? 0;
  const x = (index: number): number => 84 + (index * (width - 126)) / Math.max(1, count - 1);
  const y = (value: number): number => height - 60 - ((value - low) / (high - low || 1)) * (height - 110);
  const drawn = lines.map(({ name, values }, index) => {
    const color = colors[index % colors.length];
    const dots = values.map((value, at) => (value === null ? '' : `<circle cx="${x(at)}" cy="${y(value)}" r="3"/>`));
    const strokes = values.map((value, at) => {
      const next = values[at + 1] ?? null;
      return value === null || next === null ? '' : `<path d="M${x(at)} ${y(value)}L${x(at + 1)} ${y(next)}"/>`;
    });
    const label = `<text stroke="none" x="${20 + index * 150}" y="${height - 10}">${escaped(name)}</text>`;
    return `<g fill="${color}" stroke="${color}">${dots.join('')}${strokes.join('')}${label}</g>`;
  });
  const days = [0, count - 1].map((at) => {
    const day = shownDate(axis?.values[at] ?? 0, 'yyyy-mm-dd');
    return `<text text-anchor="middle" x="${x(at)}" y="${height - 34}">${day}</text>`;
  });
  const ends = [low, high].map((value) => `<text x="4" y="${y(value) + 4}">${value.toLocaleString('en-US')}</text>`);
  const title = `<text x="14" y="24" style="font-size:15px">${escaped(String(chart.options.title ?? ''))}</text>`;
  return `<svg style="${place}" width="${width}" height="${height}">${title}${ends.join('')}${days.join('')}${drawn.join('')}</svg>`;
}

/** Returns the columns of a range, each with its heading. */
function columnsOf(sheet: SheetState, a1: string): Line[] {
  const [headings = [], ...rows] = addressTable(readArea(a1));
  return headings.map((heading, index) => ({
    name: String(sheet.grid[heading]?.value ?? ''),
    values: rows.map((row) => {
      const value = sheet.grid[row[index] ?? '']?.value;
      return typeof value === 'number' ? value : null;
    }),
  }));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
