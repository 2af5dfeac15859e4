import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../server/docs/markdown.ts';

const folder = resolve('addon/sidebar/sections');
const guide = renderMarkdown(readFileSync(resolve('docs/addon.md'), 'utf8')).html;

test('every help link of a sidebar section opens a section of the guide that exists', () => {
  const links = readdirSync(folder).flatMap((name) => {
    const page = readFileSync(join(folder, name), 'utf8');
    return [...page.matchAll(/class="help" href="page:guide([^"]*)"/g)].map(([, section = '']) => ({ name, section }));
  });
  expect(links.length).toBeGreaterThan(5);
  for (const { name, section } of links) {
    expect(section, name).toMatch(/^#./);
    expect(guide, name).toContain(`id="${section.slice(1)}"`);
  }
});
