import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { OpenSidebar } from '../addon/sidebar/sidebar-page.ts';
import { takePicture as takeWebp } from '../harness/picture.ts';

export type Scheme = 'light' | 'dark';

/** Folder for pictures of every state of the sidebar, for a look after a change. The pictures are not committed. */
export const allFolder = resolve(import.meta.dirname, '../../node_modules/.cache/pictures/sidebar');

/** Takes a picture of the whole sidebar, 300 px wide. Fails when axe finds an accessibility fault in this state. */
export async function takePicture(opened: OpenSidebar, name: string, scheme: Scheme, copy?: string): Promise<void> {
  const { page } = opened;
  await page.mouse.move(0, 0);
  expect({ name, faults: await opened.faults() }).toEqual({ name, faults: [] });
  const height = Number(await page.frames()[1]?.evaluate('Math.ceil(document.body.getBoundingClientRect().height)'));
  await page.setViewportSize({ width: 300, height });
  await page.screenshot({ path: join(allFolder, `${name}-${scheme}.png`) });
  if (copy !== undefined) await takeWebp(page, copy);
}
