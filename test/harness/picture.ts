import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { pictureScale } from '../../server/docs/pictures.ts';

/** Browser options for taking pictures, so that these are sharp. */
export const sharp = { deviceScaleFactor: pictureScale };

/** Maximum bytes of a picture. Pictures are part of the repository and of the documentation pages. */
export const maxPictureBytes = 150_000;

/**
 * Saves the visible part of a page as a WebP picture. @throws Error when the picture is too large for the
 * documentation.
 */
export async function takePicture(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  // Scales the picture here, because the CDP session ignores the page's device scale factor.
  const clip = { x: 0, y: 0, ...window, scale: pictureScale };
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60, clip });
  await session.detach();
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > maxPictureBytes)
    throw new Error(`${path} has ${bytes.length} bytes; ${maxPictureBytes} are allowed. Make the window smaller.`);
  await writeFile(path, bytes);
}

/**
 * Shows a sheet from `renderSheet` in a window of the same size. The window is at most `maxWidth` pixels wide, so that
 * text in the picture stays readable.
 */
export async function showSheet(page: Page, content: string, maxWidth = 1_100): Promise<void> {
  await page.setContent(content);
  const { width, height } = (await page.locator('main').boundingBox()) ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: Math.min(maxWidth, Math.ceil(width)), height: Math.ceil(height) });
}
