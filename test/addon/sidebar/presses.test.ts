import { expect, test } from 'vitest';
import { goodKey } from '../spreadsheet-setup.ts';
import { setUpSidebar } from './connected-sidebar.ts';
import type { OpenSidebar } from './sidebar-page.ts';

const { connected } = setUpSidebar();

/** Returns a point inside a button. `fromBottom`: the distance in px from its lower edge. */
async function pointIn(button: ReturnType<OpenSidebar['sidebar']['locator']>, fromBottom: number) {
  const { x, y, width, height } = (await button.boundingBox()) ?? expect.fail('The button is not visible');
  return [x + width / 2, y + height - fromBottom] as const;
}

test('a double click on Remove does not remove an import', async () => {
  const { sidebar, page, click, has, hold, calls, handled } = await connected();
  await click('imports-new');
  await has('import-picked', '2 entries');
  await sidebar.locator('#import-name').fill('Kept');
  await click('import-save');
  const remove = sidebar.getByRole('button', { name: 'Remove Kept', exact: true });
  await remove.scrollIntoViewIfNeeded();
  await page.mouse.dblclick(...(await pointIn(remove, 10)));
  await handled();
  expect(calls).not.toContain('sidebarImportChange');
  const release = hold('sidebarImportChange');
  await sidebar.getByRole('button', { name: 'Remove this import? Kept' }).click();
  await sidebar.getByText('Working…').waitFor();
  release();
  await sidebar.getByRole('heading', { name: 'Kept' }).waitFor({ state: 'detached' });
});

test('an answer that arrives while a button is pressed does not move the button away', async () => {
  const { sidebar, page, click, has, hold, handled } = await connected();
  const releaseEstimate = hold('sidebarImportEstimate');
  await click('imports-new');
  await has('import-cost', 'Calculating');
  const run = sidebar.locator('#import-run');
  // Does not scroll to the end of the page, because there a growing page would not move the button.
  await run.evaluate((button) => button.scrollIntoView({ block: 'end' }));
  await page.mouse.move(...(await pointIn(run, 3)));
  await page.mouse.down();
  releaseEstimate();
  await handled();
  await page.mouse.up();
  await has('import-done', 'All done.');
});

test('an answer does not take the keyboard focus away from another input', async () => {
  const { sidebar, page, click, has, hold, reply } = await connected();
  await click('tab-account');
  await click('own-disconnect');
  await has('balance', 'Not connected');
  const release = hold('sidebarConnect');
  reply('sidebarConnect', { ok: false, message: 'This key is odd.' });
  await sidebar.locator('#own-key').fill(goodKey);
  await click('own-connect');
  await sidebar.locator('#file-details summary').click();
  await sidebar.locator('#file-key').click();
  release();
  await has('own-error', 'odd');
  await page.keyboard.type('typed');
  expect(await sidebar.locator('#file-key').inputValue()).toBe('typed');
});

test('the keyboard focus moves to the list of imports when the user returns to it', async () => {
  const { sidebar, page, click, has, faults } = await connected();
  const focused = () => sidebar.locator('body').evaluate(({ ownerDocument }) => ownerDocument.activeElement?.id);
  await click('imports-new');
  await has('import-picked', '2 entries');
  await sidebar.locator('#import-back').focus();
  await page.keyboard.press('Enter');
  await has('imports-new', 'New import');
  await expect.poll(focused).toBe('imports-heading');
  await click('imports-new');
  await has('import-picked', '2 entries');
  await sidebar.locator('#import-save').focus();
  await page.keyboard.press('Enter');
  await sidebar.locator('#imports-cards article').first().waitFor();
  await expect.poll(focused).toBe('imports-heading');
  expect(await faults()).toEqual([]);
});
