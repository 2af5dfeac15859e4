import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup } from '../../dashboard/dashboard-server.ts';
import { cpuMs } from '../../harness/cpu-time.ts';

/**
 * Number of requests in each test. Their total CPU time is compared with a limit that a single request with quadratic
 * cost would exceed.
 */
const requests = 10;
/** Maximum CPU time (ms) of all requests of a test together. */
const maxMs = 800;
/** Almost as many characters as the server accepts in the URL and the headers of a request together. */
const longest = 15_000;

let setup: DashboardSetup;

beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

/** Expects that requests with the same answer together need little CPU time. */
async function expectQuick(status: number, send: () => Promise<Response>): Promise<void> {
  const answer = await send();
  expect(answer.status).toBe(status);
  const spent = await cpuMs(async () => {
    for (let sent = 0; sent < requests; sent++) await (await send()).arrayBuffer();
  });
  expect(spent).toBeLessThan(maxMs);
}

test('a request without a key and with thousands of question marks in its URL takes little CPU time', async () => {
  await expectQuick(401, () => setup.send(`/v1/photo/profile${'?'.repeat(longest)}`, ''));
});

test('a request for a file of the add-on with thousands of spaces between two etags takes little CPU time', async () => {
  const headers = { 'if-none-match': `"a"${' '.repeat(longest)}"b"` };
  await expectQuick(200, () => setup.send('/addon/Code.js', '', { headers }));
});

test('a page whose address has thousands of slashes takes little CPU time', async () => {
  const { cookie } = await setup.member();
  await expectQuick(303, () => setup.send(`/dashboard${'/'.repeat(longest)}a/`, cookie));
});
