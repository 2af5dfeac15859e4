import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';

const folder = join(import.meta.dirname, '../../addon/sidebar');
const iconsFolder = join(dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')), 'icons');
const styleFiles = ['design/tokens.css', 'design/components.css', 'style.css'];

/**
 * Returns the sidebar page as one HTML text with its sections, style, icons and script, because a page of Apps Script
 * cannot load files. The text contains only the Lucide icons that the HTML or script refers to as `#icon-NAME`.
 *
 * @throws Error when a section or an icon does not exist.
 */
export async function sidebarPage(script: string): Promise<string> {
  const shell = await readFile(join(folder, 'sidebar.html'), 'utf8');
  const html = await withSections(shell);
  const styles = await Promise.all(styleFiles.map((name) => readFile(join(folder, name), 'utf8')));
  const style = await transform(styles.join('\n'), { loader: 'css', minify: true, charset: 'utf8' });
  const icons = await iconSymbols(html + script);
  return [
    ['<!-- icons -->', `<svg hidden>\n${icons}\n</svg>`],
    ['<!-- style -->', `<style>\n${style.code.trimEnd()}\n</style>`],
    ['<!-- script -->', `<script>\n${script.trimEnd()}\n</script>`],
  ].reduce((page, [mark = '', content = '']) => fillIn(page, mark, content), html);
}

/**
 * Replaces each `<!-- sections/NAME.html -->` with the content of that file. Leaves out the indentation, which no user
 * sees.
 */
async function withSections(shell: string): Promise<string> {
  const marks = [...shell.matchAll(/<!-- (sections\/[a-z]+\.html) -->/g)];
  const sections = await Promise.all(marks.map(([, name = '']) => readFile(join(folder, name), 'utf8')));
  const page = marks.reduce((filled, [mark], index) => fillIn(filled, mark, sections[index]?.trimEnd() ?? ''), shell);
  return page.replace(/\n\s+/g, '\n');
}

function fillIn(page: string, mark: string, content: string): string {
  const parts = page.split(mark);
  if (parts.length !== 2) throw new Error(`sidebar.html must have ${mark} once.`);
  return parts.join(content);
}

async function iconSymbols(page: string): Promise<string> {
  const names = [...new Set([...page.matchAll(/#icon-([a-z0-9-]+)/g)].map(([, name = '']) => name))].sort();
  return (await Promise.all(names.map(iconSymbol))).join('\n');
}

async function iconSymbol(name: string): Promise<string> {
  const svg = await readFile(join(iconsFolder, `${name}.svg`), 'utf8').catch(() => {
    throw new Error(`Lucide has no icon "${name}".`);
  });
  const shapes = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'));
  return `<symbol id="icon-${name}" viewBox="0 0 24 24">${shapes.replace(/\n\s*/g, '')}</symbol>`;
}
