import { describe, expect, test } from 'vitest';
import { pauseImport } from '../../../db/deliveries/sheet-imports.ts';
import { publicAddresses } from '../../../pipeline/network/outbound.ts';
import { createEndpoint } from '../../../pipeline/notify/webhooks.ts';
import { address } from '../batches/batch-workspace.ts';
import { columns, keepMember, openImportSetup } from './import-setup.ts';
import { formulasOf, newTab, protectedMessage, tableOf } from './sheets-grid.ts';
import { clientEmail, errorBody } from './sheets-server.ts';

const setup = await openImportSetup();

const followers = () => setup.table().map((row) => row.slice(0, 2));

describe('a run of a sheet import', () => {
  test('a sheet import reads the links in a range and writes one row for each, next to the cells of the user', async () => {
    setup.list('anna', 'bert');
    setup.type(1, 2, [['My notes'], ['keep'], ['=1+1']]);
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    const run = await setup.go(workspaceId, importId);
    expect(run).toMatchObject({ stage: 'ended', outcome: 'OK', message: '2 rows written.', written_rows: 2 });
    const [header, first, second] = setup.table();
    expect(header).toEqual(columns);
    expect(first?.slice(0, 2)).toEqual([address('anna'), 4321]);
    expect(second?.slice(0, 2)).toEqual([address('bert'), 4321]);
    expect(first?.[3]).toBe('=HYPERLINK("http://invented.example")');
    expect(first?.[4]).toBeGreaterThan(46_000);
    expect(formulasOf(setup.sheet())).toEqual([]);
    expect(tableOf(setup.sheet()).map((row) => row[1])).toEqual(['My notes', 'keep', '=1+1']);
    expect(await setup.balance(workspaceId)).toBe(8);
  });

  test('a sheet import leaves hidden and filtered rows out unless the user has chosen to include them', async () => {
    setup.list('anna', 'bert', 'cleo');
    setup.sheet().hidden_rows.set(3, 'hiddenByFilter').set(4, 'hiddenByUser');
    const workspaceId = await setup.workspace(10);
    expect((await setup.go(workspaceId, await setup.create(workspaceId))).written_rows).toBe(1);
    const all = await setup.create(workspaceId, { include_hidden: true, target_cell: 'K1' });
    expect((await setup.go(workspaceId, all)).written_rows).toBe(3);
  });

  test('a sheet import uses the link behind a text, and the first address of a row with several cells', async () => {
    setup.type(2, 1, [
      ['Anna', 'note'],
      ['text', address('bert')],
    ]);
    setup.sheet().links.set('2,1', address('anna'));
    const workspaceId = await setup.workspace(10);
    await setup.go(workspaceId, await setup.create(workspaceId, { source_range: 'Sheet1!A2:B' }));
    expect(followers().slice(1)).toEqual([
      [address('anna'), 4321],
      [address('bert'), 4321],
    ]);
  });

  test('a sheet import follows short links, and gives a link without a target an error', async () => {
    setup.list('anna');
    setup.type(3, 1, [['https://vm.tiktok.com/ZMabcdefg/'], ['https://l.instagram.com/nowhere']]);
    setup.upstream.answer = ({ url }) =>
      url.startsWith('https://vm.tiktok.com/')
        ? { status: 302, headers: { location: 'https://www.tiktok.com/@invented.bert?_t=1' }, body: Buffer.from('') }
        : null;
    const workspaceId = await setup.workspace(10);
    await setup.go(workspaceId, await setup.create(workspaceId));
    expect(setup.table().map((row) => row[0])).toEqual([
      ...['URL', address('anna'), 'https://www.tiktok.com/@invented.bert?_t=1', 'https://l.instagram.com/nowhere'],
    ]);
    expect(setup.table()[3]?.[5]).toBe('INVALID_INPUT');
  });

  test('a sheet import writes the error of a short link that cannot be followed now, and its other rows are fetched', async () => {
    const link = 'https://vm.tiktok.com/ZMlater/';
    setup.type(2, 1, [['Anna', link], [address('bert')]]);
    setup.upstream.answer = ({ url }) => (url === link ? { status: 429 } : null);
    const workspaceId = await setup.workspace(10);
    await setup.go(workspaceId, await setup.create(workspaceId, { source_range: 'Sheet1!A2:B' }));
    expect(setup.table().map((row) => row[5])).toEqual(['Status', 'SOURCE_CAPACITY', 'OK']);
    expect([setup.table()[1]?.[0], await setup.balance(workspaceId)]).toEqual([link, 9]);
  });

  test('a sheet import reads handles of one platform, and fetches an account on two rows once', async () => {
    setup.type(2, 1, [['@anna'], ['Anna'], ['']]);
    const workspaceId = await setup.workspace(10);
    await setup.go(workspaceId, await setup.create(workspaceId, { platform: 'photo' }));
    expect(setup.table()).toHaveLength(3);
    expect(await setup.balance(workspaceId)).toBe(9);
  });

  test('a sheet import writes the error of a row without an address into that row and continues', async () => {
    setup.type(2, 1, [['#N/A'], [address('anna')], [46_000.5]]);
    const workspaceId = await setup.workspace(10);
    await setup.go(workspaceId, await setup.create(workspaceId));
    expect(setup.table().map((row) => row[5])).toEqual(['Status', 'INVALID_INPUT', 'OK', 'INVALID_INPUT']);
    expect(await setup.balance(workspaceId)).toBe(9);
  });

  test('a sheet import writes the latest posts of each profile as several rows for one line', async () => {
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, {
      kind: 'latest_posts',
      posts_each: '3',
      fields: 'id,likes',
      source_range: '',
      source_list: `${address('posting')}\nbert`,
      max_age: '1d',
    });
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 4 });
    expect(setup.table().map((row) => row[2] ?? '')).toEqual(['Likes', 10, 11, 12, '']);
    expect(await setup.balance(workspaceId)).toBe(8);
    expect((await setup.go(workspaceId, importId)).written_rows).toBe(4);
    expect(await setup.balance(workspaceId)).toBe(8);
  });

  test('a sheet import is free for answers that are not older than the maximum age', async () => {
    setup.list('fresh.enough');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { max_age: '1d' });
    const always = await setup.create(workspaceId, { target_cell: 'K1' });
    await setup.go(workspaceId, importId);
    await setup.go(workspaceId, importId);
    expect(await setup.balance(workspaceId)).toBe(9);
    await setup.go(workspaceId, always);
    expect(await setup.balance(workspaceId)).toBe(8);
  });
});

describe('the table of a sheet import', () => {
  test('a sheet import in replace mode removes the rows of removed lines and nothing else', async () => {
    setup.list('anna', 'bert', 'cleo');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    await setup.go(workspaceId, importId);
    setup.type(6, 3, [['Sum', '=SUM(D2:D4)']]);
    setup.list('anna', '', '');
    await setup.go(workspaceId, importId);
    expect(followers()).toEqual([['URL', 'Followers'], [address('anna'), 4321], [], [], [], ['Sum', '=SUM(D2:D4)']]);
  });

  test('a sheet import in replace mode keeps headings that the user renamed', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    await setup.go(workspaceId, importId);
    setup.type(1, 4, [['Fans']]);
    expect((await setup.go(workspaceId, importId)).outcome).toBe('OK');
    expect(followers()).toEqual([
      ['URL', 'Fans'],
      [address('anna'), 4321],
    ]);
  });

  test.each([
    ['its heading, and charges nothing', 1, 10],
    ['its rows', 2, 9],
  ])('a sheet import does not write over other content at the position of %s', async (_, row, balance) => {
    setup.list('anna');
    setup.type(row, 4, [['mine']]);
    const workspaceId = await setup.workspace(10);
    const run = await setup.go(workspaceId, await setup.create(workspaceId));
    expect(run).toMatchObject({ outcome: 'OTHER_TABLE', written_rows: null });
    expect(run.message).toContain('have other content, which an import does not overwrite: choose empty cells');
    expect(setup.table()[row - 1]).toEqual(['', 'mine']);
    expect(await setup.balance(workspaceId)).toBe(balance);
  });

  test('a sheet import in append mode grows by the rows of each run', async () => {
    setup.list('anna', 'bert');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { mode: 'append' });
    await setup.go(workspaceId, importId);
    await setup.go(workspaceId, importId);
    expect(setup.table().map((row) => row[0])).toEqual([
      'URL',
      ...[address('anna'), address('bert'), address('anna'), address('bert')],
    ]);
  });

  test('a sheet import in update mode changes the rows with the same ID wherever they are, and adds new ones below', async () => {
    setup.list('anna', 'bert');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { mode: 'update' });
    await setup.go(workspaceId, importId);
    const [, anna = [], bert = []] = setup.table();
    setup.type(2, 3, [bert, anna]);
    setup.type(2, 4, [['old'], ['old']]);
    setup.list('anna', 'cleo', '');
    expect((await setup.go(workspaceId, importId)).written_rows).toBe(2);
    expect(followers()).toEqual([
      ['URL', 'Followers'],
      [address('bert'), 'old'],
      [address('anna'), 4321],
      [address('cleo'), 4321],
    ]);
  });

  test('a sheet import in update mode keeps the last values of a row that fails', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { mode: 'update' });
    await setup.go(workspaceId, importId);
    setup.upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    await setup.go(workspaceId, importId);
    expect(followers().slice(1)).toEqual([[address('anna'), 4321]]);
    expect(await setup.balance(workspaceId)).toBe(9);
  });

  test('a sheet import is written into a new tab that does not exist, and makes a small tab larger', async () => {
    setup.list(...Array.from({ length: 30 }, (_, n) => `person${n}`));
    setup.sheet().rows = 31;
    const workspaceId = await setup.workspace(100);
    const made = await setup.create(workspaceId, { target_sheet: "Anna's results", target_cell: 'A5' });
    await setup.go(workspaceId, made);
    expect(tableOf(setup.sheet("Anna's results")).at(4)).toEqual(columns);
    const low = await setup.create(workspaceId, { target_cell: 'C20' });
    expect(await setup.go(workspaceId, low)).toMatchObject({ outcome: 'OK', written_rows: 30 });
    expect(setup.sheet().rows).toBe(50);
  });
});

test('a sheet import writes 10,000 rows at once, with one request for each 1,000 rows, and the others later', async () => {
  const { sql } = setup.db;
  const workspaceId = await setup.workspace(0);
  const list = Array.from({ length: 10_000 }, (_, n) => `@many${n}`).join('\n');
  const importId = await setup.create(workspaceId, { source_range: '', source_list: list, platform: 'photo' });
  const run = await setup.start(workspaceId, importId);
  await setup.advance(run);
  const cells = JSON.stringify({
    url: 'https://www.instagram.com/many/',
    status: 'OK',
    followers: 5,
    bio: 'x'.repeat(150),
  });
  await sql`update batch_rows set status = 'OK', cells = ${cells} where batch_id = ${run.run_id}`;
  // Gives one line two rows, so that there is one row more than the service writes at once.
  await sql`
    update batch_rows set cells = '[' || cells || ',' || cells || ']' where batch_id = ${run.run_id} and row_no = 1`;
  await sql`update batches set status = 'finished' where batch_id = ${run.run_id}`;
  setup.google().requests.length = 0;
  await setup.advance(run);
  expect(await setup.run_(run)).toMatchObject({ stage: 'writing', written_rows: 10_000 });
  const writes = setup.google().requests.filter((request) => request.endsWith('values:batchUpdate'));
  expect(writes).toHaveLength(11);
  expect(setup.table()).toHaveLength(10_001);
  await setup.advance(run);
  expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 10_001 });
  expect(setup.table()).toHaveLength(10_002);
}, 60_000);

describe('a failed run of a sheet import', () => {
  test.each([
    [
      'a spreadsheet that is not shared',
      () => setup.google().hidden.add('invented-spreadsheet-0001'),
      {},
      'NOT_SHARED',
      clientEmail,
    ],
    [
      'a missing spreadsheet',
      () => undefined,
      { spreadsheet: 'another-spreadsheet-0001' },
      'SHEET_NOT_FOUND',
      'choose another one',
    ],
    [
      'a deleted source tab',
      () => undefined,
      { source_range: 'Gone!A2:A' },
      'TAB_NOT_FOUND',
      'no tab named Gone: edit the import and enter one of its tabs, which are “Sheet1”.',
    ],
    [
      'a deleted source tab of a spreadsheet with many tabs',
      () => setup.tabs().push(...Array.from({ length: 40 }, (_, index) => newTab(100 + index, `Week ${index}`))),
      { source_range: 'Gone!A2:A' },
      'TAB_NOT_FOUND',
      'which are “Sheet1”, “Week 0”, “Week 1”, “Week 2”, “Week 3”, “Week 4”, “Week 5”, “Week 6”, “Week 7”, “Week 8”, and 31 more.',
    ],
    ['an empty range', () => setup.sheet().cells.clear(), {}, 'NO_ADDRESSES', 'Sheet1!A2:A has no links'],
    [
      'protected cells',
      () => setup.sheet().protected_areas.push({ row: 1, column: 3, last_row: 9, last_column: 9 }),
      {},
      'REFUSED',
      protectedMessage,
    ],
  ])(
    'a sheet import that fails because of %s says what to do and emails it once',
    async (_, spoil, more, outcome, message) => {
      setup.list('anna');
      const workspaceId = await setup.workspace(10);
      const importId = await setup.create(workspaceId, more);
      await keepMember(setup, workspaceId, `ann@${workspaceId}.example`);
      spoil();
      const run = await setup.go(workspaceId, importId);
      expect(run).toMatchObject({ stage: 'ended', outcome, message: expect.stringContaining(message) });
      setup.clock.now = new Date(setup.clock.now.getTime() + 60_000);
      await setup.go(workspaceId, importId);
      expect(setup.mails).toHaveLength(1);
      expect(setup.mails[0]).toMatchObject({
        subject: 'Sheet import failed: Rivals',
        text: expect.stringContaining(message),
      });
    },
  );

  test('a member whose address is refused does not keep the others from hearing of a failed sheet import', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    for (const name of ['refused', 'ann', 'bob'])
      await keepMember(setup, workspaceId, `${name}@${workspaceId}.example`);
    setup.sheet().cells.clear();
    await setup.go(workspaceId, importId);
    expect(setup.mails.map(({ to }) => to.split('@')[0]).sort()).toEqual(['ann', 'bob']);
  });

  test('a failed sheet import is not emailed to a member who already gets messages about failures', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    const email = `ann@${workspaceId}.example`;
    await keepMember(setup, workspaceId, email);
    await setup.db.sql`
      insert into alert_recipients (workspace_id, recipient_id, channel, address, label, topics, confirmed_at, created_at)
      values (${workspaceId}, gen_random_uuid(), 'mail', ${email}, 'Ann', '{failures}', now(), now())`;
    setup.sheet().cells.clear();
    await setup.go(workspaceId, importId);
    expect(setup.mails).toEqual([]);
  });

  test('a run of a sheet import that fails or succeeds is announced to webhooks, once for each run', async () => {
    setup.list('anna', 'no address');
    const workspaceId = await setup.workspace(10);
    const endpoint = { url: 'https://receiver.invented.example/', events: ['import.finished', 'import.failed'] };
    await createEndpoint(setup.db.sql, workspaceId, endpoint, publicAddresses);
    const importId = await setup.create(workspaceId);
    const good = await setup.go(workspaceId, importId);
    setup.sheet().cells.clear();
    const bad = await setup.go(workspaceId, importId);
    await setup.advance(bad);
    const deliveries = await setup.db.sql<{ body: string }[]>`
      select body from webhook_deliveries where workspace_id = ${workspaceId} order by event desc`;
    const common = { import_id: importId, name: 'Rivals' };
    expect(deliveries.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: 'import.finished',
        data: { ...common, run_id: good.run_id, outcome: 'OK', written_rows: 2, ok: 1, failed: 1, credits: 1 },
      },
      {
        type: 'import.failed',
        data: { ...common, run_id: bad.run_id, outcome: 'NO_ADDRESSES', message: bad.message, written_rows: null },
      },
    ]);
  });

  test('a sheet import that fails because of too many addresses reads nothing and costs nothing', async () => {
    const workspaceId = await setup.workspace(10);
    const list = Array.from({ length: 10_001 }, (_, n) => `@a${n}`).join('\n');
    const importId = await setup.create(workspaceId, { source_range: '', source_list: list, platform: 'photo' });
    const run = await setup.go(workspaceId, importId);
    expect(run).toMatchObject({ outcome: 'TOO_MANY_ROWS', message: expect.stringContaining('10001 links') });
  });

  test('a sheet import that fails for a temporary reason is retried, and fails after a day', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const run = await setup.start(workspaceId, await setup.create(workspaceId));
    const busy = { path: /spreadsheets/, status: 429, body: errorBody(429, 'Quota exceeded for quota metric') };
    setup.google().mishaps.push(busy);
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    expect(await setup.run_(run)).toMatchObject({
      stage: 'reading',
      message: expect.stringContaining('Quota exceeded'),
    });
    setup.google().mishaps.push(busy);
    setup.clock.now = new Date(setup.clock.now.getTime() + 86_400_000);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({
      ...{ stage: 'ended', outcome: 'NO_ANSWER' },
      message: 'Google was busy or did not answer for 24 hours, so the run was ended: choose Run now.',
    });
  });
});

describe('an interrupted run of a sheet import', () => {
  test('a sheet import that is interrupted after any request to Google continues, writes the same rows and charges nothing twice', async () => {
    setup.list('anna', 'bert');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { mode: 'append' });
    await setup.go(workspaceId, importId);
    const run = await setup.start(workspaceId, importId);
    const before = setup.google().requests.length;
    for (let step = 0; step < 20 && (await setup.run_(run)).finished_at === null; step += 1) {
      // The first `step` requests succeed. Google also carries out the next request, but its answer is lost.
      const already = setup.google().requests.length;
      setup.google().mishaps.push({ path: /spreadsheets/, status: 503, lost: true, skip: step });
      await setup.advance(run).catch(() => undefined);
      setup.google().mishaps.length = 0;
      await setup.fetch(run);
      expect(setup.google().requests.length).toBeGreaterThan(already);
    }
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 2 });
    expect(setup.google().requests.length).toBeGreaterThan(before + 10);
    expect(setup.table()).toHaveLength(5);
    expect(await setup.balance(workspaceId)).toBe(6);
  });

  test('a sheet import that is interrupted in the middle of a charge has charged nothing, and each row is charged once', async () => {
    setup.list('anna', 'bert');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    const locked = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    const holder = setup.db.sql.begin(async (tx) => {
      await tx`
        select from sheet_imports where workspace_id = ${workspaceId} and import_id = ${importId} for update`;
      locked.resolve();
      await open.promise;
    });
    await locked.promise;
    const fetching = setup.fetch(run).catch(() => undefined);
    await setup.killWaiting();
    open.resolve();
    await holder;
    await fetching;
    await setup.finish(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 2 });
    expect(await setup.balance(workspaceId)).toBe(8);
    expect((await setup.find(workspaceId, importId)).month_used).toBe(2);
  });
});

describe('the schedule of sheet imports', () => {
  test('the schedule of a sheet import starts one run with two processes at the same minute, and the next one a day later', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    await Promise.all([setup.tickImports(), setup.tickImports()]);
    expect(await setup.runs(workspaceId, importId)).toHaveLength(1);
    expect((await setup.find(workspaceId, importId)).next_run_at).toEqual(new Date('2026-11-21T10:00:00.000Z'));
    await setup.finish(await setup.active(workspaceId, importId));
    await setup.tickImports();
    expect(await setup.runs(workspaceId, importId)).toHaveLength(1);
    setup.clock.now = new Date('2026-11-24T11:30:00.000Z');
    await setup.tickImports();
    expect(await setup.runs(workspaceId, importId)).toHaveLength(2);
    expect((await setup.find(workspaceId, importId)).next_run_at).toEqual(new Date('2026-11-25T10:00:00.000Z'));
  });

  test('the schedule of a sheet import does not start a run while one is unfinished, and a manual run is refused then', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    const run = await setup.start(workspaceId, importId);
    await setup.tickImports();
    expect((await setup.runs(workspaceId, importId)).map(({ run_id }) => run_id)).toEqual([run.run_id]);
    await expect(setup.start(workspaceId, importId)).rejects.toThrow();
  });

  test('a paused sheet import does not run, not even the rows of a run in progress', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    await pauseImport(setup.db.sql, workspaceId, importId, true);
    await setup.finish(run);
    expect((await setup.runs(workspaceId, importId))[0]).toMatchObject({
      stage: 'fetching',
      waiting_for: 'IMPORT_PAUSED',
    });
    expect(setup.upstream.asked).toEqual([]);
    await pauseImport(setup.db.sql, workspaceId, importId, false);
    await setup.tick();
    expect(await setup.finish(run)).toMatchObject({ outcome: 'OK' });
  });

  test('a sheet import does not write after its run was cancelled', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId);
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    expect(await setup.cancel(run)).toBe('cancelled');
    expect(await setup.finish(run)).toMatchObject({ outcome: 'CANCELLED', written_rows: null });
    expect(setup.table()).toEqual([[], []]);
    expect(await setup.balance(workspaceId)).toBe(10);
    expect(await setup.cancel(run)).toBe('ended');
  });

  test('a sheet import that has begun to write cannot be cancelled, even when Google did not answer', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(10);
    const run = await setup.start(workspaceId, await setup.create(workspaceId));
    await setup.advance(run);
    await setup.fetch(run);
    setup.google().mishaps.push({ path: /values:batchUpdate/, status: 503, lost: true });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    expect(setup.table()[0]).toEqual(columns);
    expect(await setup.cancel(run)).toBe('writing');
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
  });

  test('a sheet import that is cancelled at the moment when it begins to write either writes or is cancelled', async () => {
    setup.list('anna');
    const workspaceId = await setup.workspace(100);
    const importId = await setup.create(workspaceId, { max_age: '1d' });
    for (let round = 0; round < 10; round += 1) {
      const run = await setup.start(workspaceId, importId);
      await setup.advance(run);
      await setup.fetch(run);
      setup.google().requests.length = 0;
      const [, cancelled] = await Promise.all([setup.advance(run), setup.cancel(run)]);
      const isCancelled = cancelled === 'cancelled';
      expect((await setup.run_(run)).outcome).toBe(isCancelled ? 'CANCELLED' : 'OK');
      expect(setup.google().requests.length > 0).toBe(!isCancelled);
    }
  });
});

describe('the credits of a sheet import', () => {
  test('a sheet import stops at its monthly cap, even with two runs at once, and continues next month', async () => {
    setup.list('anna', 'bert', 'cleo', 'dora');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { monthly_cap: '2' });
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    await Promise.all([setup.fetch(run), setup.fetch(run)]);
    await setup.fetch(run);
    expect((await setup.runs(workspaceId, importId))[0]).toMatchObject({
      waiting_for: 'IMPORT_CAP_REACHED',
      credits: 2,
    });
    expect(await setup.balance(workspaceId)).toBe(8);
    setup.clock.now = new Date('2026-12-01T00:00:00.000Z');
    await setup.tick();
    expect(await setup.finish(run)).toMatchObject({ outcome: 'OK', written_rows: 4 });
    expect((await setup.find(workspaceId, importId)).month_used).toBe(2);
  });

  test('a sheet import waits when the credits run out and continues after a top-up', async () => {
    setup.list('anna', 'bert');
    const workspaceId = await setup.workspace(1);
    const importId = await setup.create(workspaceId);
    const run = await setup.start(workspaceId, importId);
    await setup.finish(run);
    expect((await setup.runs(workspaceId, importId))[0]).toMatchObject({ waiting_for: 'INSUFFICIENT_CREDITS', ok: 1 });
    await setup.topUp(workspaceId, 5);
    await setup.tick();
    expect(await setup.finish(run)).toMatchObject({ outcome: 'OK', written_rows: 2 });
    expect(await setup.balance(workspaceId)).toBe(4);
  });
});
