import { expect, test } from 'vitest';
import { sidebarPage } from '../../../scripts/addon/sidebar-page.ts';

test('the sidebar page holds the shapes of exactly the icons that its HTML or script uses', async () => {
  const page = await sidebarPage('show("#icon-rocket");');
  const symbols = [...page.matchAll(/<symbol id="(icon-[a-z-]+)"/g)].map(([, id]) => id);
  const used = new Set([...page.matchAll(/#(icon-[a-z-]+)/g)].map(([, id]) => id));
  expect(symbols).toContain('icon-rocket');
  expect(new Set(symbols)).toEqual(used);
});

test('the build of the sidebar refuses an icon that Lucide does not have', async () => {
  await expect(sidebarPage('show("#icon-no-such-icon");')).rejects.toThrow('Lucide has no icon "no-such-icon"');
});

test('the sidebar page loads nothing from another server', async () => {
  const page = await sidebarPage('');
  expect(page).not.toMatch(/@import|url\(|src=|<link/);
});
