import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);
const lucide = dirname(resolve('lucide-static/package.json'));
const marks = dirname(resolve('simple-icons'));

/** The icons of Lucide that pages can use. */
const iconNames = [
  'activity',
  'archive',
  'arrow-down',
  'arrow-left',
  'arrow-right',
  'arrow-up',
  'arrow-up-right',
  'badge-check',
  'bell',
  'bookmark',
  'building-2',
  'calendar',
  'chart-column',
  'chart-line',
  'chart-no-axes-column',
  'check',
  'chevron-down',
  'chevron-left',
  'chevron-right',
  'chevrons-up-down',
  'circle',
  'circle-alert',
  'circle-check',
  'circle-question-mark',
  'circle-x',
  'clipboard',
  'clock',
  'code',
  'coins',
  'copy',
  'credit-card',
  'database',
  'download',
  'ellipsis',
  'external-link',
  'eye',
  'file-spreadsheet',
  'file-text',
  'filter',
  'flask-conical',
  'folder',
  'gauge',
  'gift',
  'globe',
  'grid-2x2',
  'hash',
  'heart',
  'history',
  'house',
  'image',
  'inbox',
  'info',
  'key-round',
  'layers',
  'layout-dashboard',
  'link',
  'list',
  'list-checks',
  'loader-circle',
  'lock',
  'log-out',
  'mail',
  'megaphone',
  'menu',
  'message-circle',
  'minus',
  'monitor',
  'moon',
  'package',
  'palette',
  'pause',
  'pencil',
  'play',
  'plus',
  'printer',
  'puzzle',
  'refresh-cw',
  'rotate-ccw',
  'save',
  'search',
  'send',
  'settings',
  'share-2',
  'shield',
  'shield-check',
  'sliders-horizontal',
  'sparkles',
  'square-pen',
  'star',
  'sun',
  'table',
  'tag',
  'target',
  'terminal',
  'thumbs-up',
  'trash-2',
  'trending-down',
  'trending-up',
  'triangle-alert',
  'trophy',
  'undo-2',
  'upload',
  'user',
  'user-plus',
  'users',
  'video',
  'wallet',
  'webhook',
  'x',
  'zap',
];
/** File names of the platforms' logos in the package Simple Icons, by the code of the platform in this service. */
const markNames = {
  photo: 'instagram',
  shortvideo: 'tiktok',
  longvideo: 'youtube',
  adlibrary: 'meta',
  microblog: 'x',
  sheets: 'googlesheets',
};

/**
 * Returns the shapes of the icons and marks as JSON, so that a server does not need the packages with thousands of
 * other icons.
 */
export function iconShapes(): string {
  const icons = Object.fromEntries(iconNames.map((name) => [name, shapesOf(join(lucide, 'icons', `${name}.svg`))]));
  const platforms = Object.fromEntries(
    Object.entries(markNames).map(([code, name]) => [
      code,
      shapesOf(join(marks, 'icons', `${name}.svg`)).replace(/<title>.*?<\/title>/, ''),
    ]),
  );
  return `${JSON.stringify({ icons, platforms }, null, 1)}\n`;
}

function shapesOf(file: string): string {
  const svg = readFileSync(file, 'utf8');
  return svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>')).replace(/\n\s*/g, '');
}
