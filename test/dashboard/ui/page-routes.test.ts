import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addOperator } from '../../../db/accounts/operators.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
beforeEach(async () => {
  ann = await setup.member();
});

// Replacing an encoded NUL character can produce another one. Thousands of such nested characters once took long to
// replace.
test('a NUL character in the query of a page becomes a space, even when its replacement produces another NUL character', async () => {
  await addOperator(setup.db.sql, ann.email);
  for (const [q, shown] of [
    ['a%00b', 'a b'],
    ['a%0%000b', 'a%0 0b'],
    ['%25%3000b', '%000b'],
  ]) {
    const page = await (await ann.get(`/dashboard/admin?q=${q}`)).text();
    expect(page, q).toContain(`value="${shown}"`);
  }
});

test('a NUL character in the query of a page does not break a search, even when it is nested in another NUL character', async () => {
  for (const q of ['a%00b', 'a%0%000b', '%%0000', '%00']) {
    expect((await ann.get(`/dashboard/tracking?q=${q}`)).status).toBe(200);
  }
});
