import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listAudit } from '../../../db/accounts/audit.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';
import { createPeople, type People } from './person.ts';
import { password } from './test-password.ts';
import { withTwoFactor } from './two-factor-app.ts';

const listPath = '/dashboard/settings/passkeys';

let setup: DashboardSetup;
let people: People;
let browser: TestBrowser;
beforeAll(async () => {
  // Uses a domain name, because browsers do not allow passkeys for IP addresses.
  setup = await createDashboardSetup({ host: 'localhost', trust_proxy: 1 });
  people = createPeople(setup);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});
afterEach(() => expect(setup.errors).toEqual([]));

/**
 * Opens a browser for a signed-in person. Its authenticator verifies who uses the device, unless `verified` is false.
 */
async function openAs(cookie: string, verified = true): Promise<Page> {
  const { page } = await browser.open();
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verified,
      automaticPresenceSimulation: true,
    },
  });
  await page.context().addCookies(cookiesOf({ cookie }, setup.base_url));
  return page;
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${setup.base_url}${listPath}`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create passkey' }).click();
}

async function signInWithPasskey(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${setup.base_url}/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: 'Use passkey' }).click();
}

async function actionsOf(email: string): Promise<string[]> {
  const [row] = await setup.db.sql<
    { workspace_id: string }[]
  >`select workspace_id from workspaces where email = ${email}`;
  const entries = await listAudit(setup.db.sql, row?.workspace_id ?? '', { before: null, limit: 50 });
  return entries.map(({ action }) => action);
}

test('a passkey that a user added in the settings signs the user in, and is announced by email and in the audit log', async () => {
  const { email, cookie } = await people.signedUp();
  const page = await openAs(cookie);
  await addPasskey(page, 'Work laptop');
  await page.getByText('Passkey added.').first().waitFor();
  expect(await page.getByRole('cell', { name: 'Work laptop' }).count()).toBe(1);
  expect(people.mailsTo(email).at(-1)?.subject).toBe('A passkey was added for your Tidemark account');
  await signInWithPasskey(page);
  await page.waitForURL(`${setup.base_url}/dashboard`);
  expect(await actionsOf(email)).toEqual(expect.arrayContaining(['added a passkey', 'signed in with a passkey']));
});

test('a second press while the browser asks for a passkey shows no error, and the first answer is used', async () => {
  const { cookie } = await people.signedUp();
  const page = await openAs(cookie);
  // Answers only when the test allows it, as a person who has not used the device yet. A second request fails, as in a
  // browser whose passkey dialog is still open.
  await page.addInitScript(`
    const create = navigator.credentials.create.bind(navigator.credentials);
    const { promise: allowed, resolve } = Promise.withResolvers();
    window.answerPasskey = resolve;
    let isOpen = false;
    navigator.credentials.create = async (options) => {
      if (isOpen) throw new DOMException('A request is already pending.', 'OperationError');
      isOpen = true;
      await allowed;
      return create(options);
    };`);
  await addPasskey(page, 'Work laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  // An error of the second press would be visible after two frames, because the refusal needs no network.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  expect(await page.getByText('The browser did not give a passkey').isVisible()).toBe(false);
  await page.evaluate('answerPasskey()');
  await page.getByText('Passkey added.').first().waitFor();
});

test('a removed passkey no longer signs its user in', async () => {
  const { email, cookie } = await people.signedUp();
  const page = await openAs(cookie);
  await addPasskey(page, 'Old phone');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Passkey removed.').first().waitFor();
  expect(people.mailsTo(email).at(-1)?.subject).toBe('A passkey was removed for your Tidemark account');
  await signInWithPasskey(page);
  await page.getByText('The passkey was not accepted').waitFor();
});

test('adding a passkey needs the password, and with two-factor sign-in also a code', async () => {
  const { cookie } = await people.signedUp();
  const start = (fields: Record<string, string>, of: string) =>
    people.post(`${listPath}/start`, { name: 'A passkey', ...fields }, of);
  expect((await start({}, cookie)).status).toBe(400);
  expect((await start({ password: 'a wrong password' }, cookie)).status).toBe(400);
  expect((await start({ password }, cookie)).status).toBe(200);
  const protectedPerson = await withTwoFactor(setup, people);
  const refused = await start({ password }, protectedPerson.cookie);
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/name="code"[^>]*aria-invalid/)]);
});

test('a passkey whose device did not check the user is refused', async () => {
  const { cookie } = await people.signedUp();
  const page = await openAs(cookie, false);
  await addPasskey(page, 'Found key');
  await page.getByText('The browser did not give a passkey').waitFor();
  await page.goto(`${setup.base_url}${listPath}`);
  await page.getByText('You have no passkeys yet.').waitFor();
});

test('a forged answer of an authenticator is refused with a message, and a used answer cannot be sent again', async () => {
  const { cookie } = await people.signedUp();
  const credential = (response: object) =>
    JSON.stringify({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {}, response });
  const invented = [
    '',
    'null',
    '{}',
    '\0',
    credential({}),
    credential({ clientDataJSON: 'AAAA', attestationObject: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' }),
  ];
  for (const answer of invented) {
    const started = await people.post(`${listPath}/start`, { name: 'A passkey', password }, cookie);
    const challenge = started.headers.getSetCookie()[0]?.split(';')[0];
    const added = await people.post(`${listPath}/add`, { name: 'A passkey', answer }, `${cookie}; ${challenge}`);
    expect(added.status, `add ${answer}`).toBe(400);
    expect((await people.post('/sign-in/passkey/answer', { answer }, challenge)).status, `use ${answer}`).toBe(401);
    setup.clock.now = new Date(setup.clock.now.getTime() + 16 * 60_000);
  }
  const page = await openAs(cookie);
  await addPasskey(page, 'Once');
  await page.getByText('Passkey added.').first().waitFor();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/answer')) sent.push(request.postData() ?? '');
  });
  await signInWithPasskey(page);
  await page.waitForURL(`${setup.base_url}/dashboard`);
  const again = Object.fromEntries(new URLSearchParams(sent[0]));
  expect((await people.post('/sign-in/passkey/answer', again)).status).toBe(401);
});

test('the challenge of a sign-in cannot be used to add a passkey to an open session without the password', async () => {
  const { cookie } = await people.signedUp();
  const page = await openAs(cookie);
  await page.goto(`${setup.base_url}${listPath}`);
  /** Creates a passkey for the challenge in an answer, and submits it with the form that adds a passkey. */
  const addFor = async (started: Response): Promise<number> => {
    const challenge = /&quot;challenge&quot;:&quot;([\w-]+)&quot;/.exec(await started.text())?.[1];
    const options = {
      challenge: challenge ?? expect.fail('no challenge'),
      rp: { id: 'localhost', name: 'Tidemark' },
      user: { id: 'AAAA', name: 'thief', displayName: 'thief' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    };
    const publicKey = `PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})`;
    const answer = await page.evaluate<string>(
      `navigator.credentials.create({ publicKey: ${publicKey} }).then((made) => JSON.stringify(made))`,
    );
    const cookies = started.headers.getSetCookie().map((one) => one.split(';')[0]);
    return (await people.post(`${listPath}/add`, { name: 'Thief', answer }, [cookie, ...cookies].join('; '))).status;
  };
  expect(await addFor(await people.post('/sign-in/passkey', {}, cookie))).toBe(400);
  expect(await addFor(await people.post(`${listPath}/start`, { name: 'Own', password }, cookie))).toBe(303);
});

test('a user cannot remove the passkey of another user', async () => {
  const [ann, bob] = [await people.signedUp(), await people.signedUp()];
  const page = await openAs(ann.cookie);
  await addPasskey(page, 'Of Ann');
  await page.getByText('Passkey added.').first().waitFor();
  const id = await page.locator('input[name="passkey_id"]').inputValue();
  const removed = await people.post(`${listPath}/remove`, { passkey_id: id, name: 'Of Ann' }, bob.cookie);
  expect(removed.status).toBe(404);
  await page.reload();
  expect(await page.getByRole('cell', { name: 'Of Ann' }).count()).toBe(1);
});

test('a server whose address is an IP address offers no passkeys', async () => {
  const other = await createDashboardSetup();
  try {
    expect(await (await other.send('/sign-in', '')).text()).not.toContain('passkey');
    const member = await other.member();
    expect(await (await member.get(listPath)).text()).toContain('only on servers with a domain name');
  } finally {
    await other.close();
  }
});
