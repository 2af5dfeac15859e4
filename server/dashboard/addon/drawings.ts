import { html, raw } from 'hono/html';
import type { Piece } from '../ui/components.ts';

const box = (x: number, y: number, width: number, height: number, kind: string) =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="4"/>`;
const label = (x: number, y: number, text: string, kind = '') =>
  `<text class="${kind}" x="${x}" y="${y}">${text}</text>`;
const line = (x1: number, y1: number, x2: number, y2: number) => `<path class="edge" d="M${x1} ${y1}L${x2} ${y2}"/>`;
/** Returns SVG for a number in a circle, which marks the point to click in a drawing. */
const step = (x: number, y: number, number: number) =>
  `<circle class="spot" cx="${x}" cy="${y}" r="10"/><text class="number" x="${x}" y="${y + 4}">${number}</text>`;
/** Returns SVG for gray bars that represent lines of text in a drawing. */
const lines = (x: number, y: number, widths: readonly number[]) =>
  widths.map(
    (width, index) => `<rect class="text" x="${x}" y="${y + index * 13}" width="${width}" height="5" rx="2"/>`,
  );

/** Returns a drawing of one of Google's windows. `says` describes it for screen readers. */
function drawing(says: string, parts: readonly string[]): Piece {
  return html`<svg class="drawing" viewBox="0 0 320 190" role="img" aria-label="${says}">${raw([box(0.5, 0.5, 319, 189, 'window'), ...parts].join(''))}</svg>`;
}

/** Returns a drawing of a spreadsheet with its Extensions menu open. */
export function menuDrawing(): Piece {
  const menus: [x: number, name: string][] = [
    [14, 'File'],
    [48, 'Edit'],
    [82, 'View'],
    [120, 'Data'],
    [156, 'Tools'],
  ];
  return drawing('Drawing of a spreadsheet: in the menu bar, Extensions is open, and Apps Script is chosen in it.', [
    label(14, 22, 'My spreadsheet', 'title'),
    ...menus.map(([x, name]) => label(x, 42, name)),
    box(194, 29, 72, 19, 'chosen'),
    label(200, 42, 'Extensions'),
    step(280, 39, 1),
    ...[64, 84, 104, 124, 144, 164].map((y) => line(1, y, 319, y)),
    ...[40, 110, 180, 250].map((x) => line(x, 52, x, 189)),
    box(194, 52, 116, 84, 'panel'),
    label(206, 72, 'Add-ons'),
    label(206, 94, 'Macros'),
    box(198, 102, 108, 24, 'chosen'),
    label(206, 118, 'Apps Script'),
    step(293, 114, 2),
  ]);
}

/** Returns a drawing of the Apps Script editor with its list of files. */
export function editorDrawing(): Piece {
  return drawing(
    'Drawing of the script editor: the list of files has Code.gs and Sidebar.html, and a plus sign whose menu has HTML.',
    [
      label(14, 22, 'Apps Script', 'title'),
      label(96, 22, 'Untitled project'),
      step(202, 18, 1),
      line(1, 34, 319, 34),
      line(120, 34, 120, 189),
      label(14, 54, 'Files', 'title'),
      label(72, 55, '+', 'plus'),
      step(105, 50, 3),
      box(8, 64, 104, 22, 'chosen'),
      label(16, 79, 'Code.gs'),
      label(16, 103, 'Sidebar.html'),
      ...lines(134, 114, [120, 96, 136, 110, 84]),
      box(128, 48, 182, 132, 'field'),
      step(296, 62, 2),
      box(118, 58, 66, 46, 'panel'),
      label(128, 76, 'Script'),
      box(121, 81, 60, 19, 'chosen'),
      label(128, 95, 'HTML'),
    ],
  );
}

/** Returns a drawing of the Apps Script project settings with the check box that shows the manifest file. */
export function settingsDrawing(): Piece {
  return drawing('Drawing of the project settings: the box Show "appsscript.json" manifest file in editor is ticked.', [
    line(44, 1, 44, 189),
    ...lines(14, 30, [16]),
    ...lines(14, 62, [16]),
    box(10, 84, 24, 24, 'chosen'),
    '<circle class="edge" cx="22" cy="96" r="6"/>',
    step(38, 84, 1),
    label(58, 32, 'Project Settings', 'title'),
    ...lines(58, 46, [180]),
    box(58, 88, 14, 14, 'tick'),
    '<path class="check" d="M61 95l3 4 6-8"/>',
    label(80, 99, 'Show "appsscript.json" manifest'),
    label(80, 114, 'file in editor'),
    step(65, 76, 2),
    ...lines(58, 136, [200, 150, 90]),
  ]);
}
