import { expect, test } from 'vitest';
import { setUpSidebar } from './connected-sidebar.ts';

const { setup, connected } = setUpSidebar();
const noConnection = 'Check your internet connection';

test('a new import is not copied by the second press of Save after the first answer was lost, and the sidebar says so', async () => {
  const session = await connected();
  const { sidebar, click, has, loseAnswer } = session;
  await click('imports-new');
  await has('import-picked', 'entries');
  await sidebar.locator('#import-name').fill('Once');
  loseAnswer('sidebarImportSave');
  await click('import-save');
  await has('import-error', noConnection);
  await click('import-save');
  await has('imports-note', 'It was saved once');
  await has('imports-cards', 'Once');
  expect(await sidebar.getByRole('heading', { name: 'Once', exact: true }).count()).toBe(1);
  await session.usable();
  await click('imports-new');
  expect(await sidebar.locator('#imports-note').textContent()).toBe('');
});

test('an import whose duplicate answer is lost is not copied twice by the second press of Duplicate', async () => {
  const { sidebar, click, has, loseAnswer } = await connected();
  await click('imports-new');
  await has('import-picked', 'entries');
  await sidebar.locator('#import-name').fill('Twin');
  await click('import-save');
  await has('imports-cards', 'Twin');
  loseAnswer('sidebarImportChange');
  await sidebar.getByRole('button', { name: 'Duplicate Twin', exact: true }).click();
  await has('imports-error', noConnection);
  await sidebar.getByRole('button', { name: 'Duplicate Twin', exact: true }).click();
  await has('imports-note', 'there is no second one');
  expect(await sidebar.getByRole('heading', { name: 'Twin (copy)', exact: true }).count()).toBe(1);
});

test('a run whose last answer is lost shows its result after Resume, and pays nothing again', async () => {
  const { sidebar, click, has, loseAnswer } = await connected();
  await click('imports-new');
  await has('import-picked', 'entries');
  await sidebar.locator('#import-age').selectOption('fresh');
  loseAnswer('sidebarImportStep');
  await click('import-run');
  await has('import-stopped', noConnection);
  const { credits_charged } = await setup.api.log();
  await click('import-resume');
  await has('import-done', 'All done.');
  expect((await setup.api.log()).credits_charged).toBe(credits_charged);
});

test.each([
  ['refresh', 'sidebarRefreshFormulas', 'refresh-now', 'refresh-error', 'refresh-done'],
  ['formula', 'sidebarInsertFormula', 'formula-insert', 'formula-error', 'formula-done'],
])(
  'a second press in the section %s after a lost answer does not repeat the work, and a third press does',
  async (...names) => {
    const [section, name, button, error, done] = names;
    const { sidebar, file, click, has, loseAnswer } = await connected();
    await file.ask('type', 'F2', '=SOCIAL_CREDITS("1d")');
    await file.ask('select', 'F2');
    await click(`tab-${section}`);
    if (section === 'formula') {
      await sidebar.locator('#formula-name').selectOption('SOCIAL_CREDITS');
      await file.ask('select', 'H2');
    }
    loseAnswer(name);
    await click(button);
    await has(error, noConnection);
    await click(button);
    await has(done, 'nothing ran twice');
    await file.ask('select', section === 'formula' ? 'J2' : 'F2');
    await click(button);
    await has(done, section === 'formula' ? /J2\.$/ : /replaced\.$/);
  },
);
