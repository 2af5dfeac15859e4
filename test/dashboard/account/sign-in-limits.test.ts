import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';
import { createPeople, type People } from './person.ts';
import { password } from './test-password.ts';

let setup: DashboardSetup;
let people: People;
beforeAll(async () => {
  setup = await createDashboardSetup({ trust_proxy: 1 });
  people = createPeople(setup);
});
afterAll(() => setup.close());
afterEach(() => {
  setup.clock.now = new Date(setup.clock.now.getTime() + 16 * 60_000);
  expect(setup.errors).toEqual([]);
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const signIn = async (email: string, tried: string, address: string) =>
  (await people.post('/sign-in', { email, password: tried }, '', from(address))).status;
const guess = async (times: number, email: string, address: (n: number) => string) => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push(await signIn(email, 'a wrong password', address(n)));
  return statuses;
};

test('wrong passwords from one network do not stop the user from signing in elsewhere or resetting the password', async () => {
  const { email } = await people.signedUp();
  const statuses = await guess(12, email, () => '203.0.113.9');
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  expect(await signIn(email, password, '198.51.100.7')).toBe(303);
  expect((await people.post('/forgot', { email }, '', from('203.0.113.9'))).status).toBe(200);
});

test('IPv6 addresses in one /64 network count as one machine for the sign-in limit, and another /64 as another', async () => {
  const { email } = await people.signedUp();
  const statuses = await guess(11, email, (n) => `2001:db8:1:2::${n + 1}`);
  expect(statuses.at(-1)).toBe(429);
  expect(await signIn(email, password, '2001:db8:1:3::1')).toBe(303);
});

test('100 sign-in attempts of one machine behind a trusted proxy do not lock out another machine behind the same proxy', async () => {
  const forgot = async (address: string, n: number) =>
    (await people.post('/forgot', { email: `unknown${n}@example.com` }, '', from(address))).status;
  const tries = Array.from({ length: 105 }, (_, n) => forgot('203.0.113.10', n));
  expect((await Promise.all(tries)).filter((status) => status === 429)).toHaveLength(5);
  expect([await forgot('203.0.113.10', 106), await forgot('203.0.113.11', 107)]).toEqual([429, 200]);
});

test('one network can send the forms that cause emails 100 times an hour in total, and can still sign in', async () => {
  const { email } = await people.signedUp();
  const form = async (path: string, n: number) => {
    const fields = { name: 'Eve', email: `somebody${n}@example.com`, password };
    return (await people.post(path, fields, '', from('203.0.113.12'))).status;
  };
  const forms = Array.from({ length: 99 }, (_, n) => form('/forgot', n));
  expect(new Set(await Promise.all(forms))).toEqual(new Set([200]));
  expect([await form('/sign-up', 200), await form('/sign-up', 201)]).toEqual([200, 429]);
  setup.clock.now = new Date(setup.clock.now.getTime() + 30 * 60_000);
  expect([await form('/forgot', 202), await signIn(email, password, '203.0.113.12')]).toEqual([429, 303]);
});

test('the sixth account of one network in a day starts without free credits, and its first page says why', async () => {
  const firstPage = async (address: string) => {
    const { cookie } = await people.signedUp(from(address));
    const page = await (await setup.send('/dashboard', cookie, { headers: from(address) })).text();
    return { page, balance: /<b>([\d,]+)<\/b> credits/.exec(page)?.[1] };
  };
  const balances: (string | undefined)[] = [];
  for (let n = 0; n < 6; n += 1) balances.push((await firstPage('198.51.100.50')).balance);
  expect(balances).toEqual(['100', '100', '100', '100', '100', '0']);
  expect((await firstPage('198.51.100.50')).page).toContain('starts without free credits');
  expect((await firstPage('198.51.100.51')).balance).toBe('100');
  setup.clock.now = new Date(setup.clock.now.getTime() + 25 * 3_600_000);
  expect((await firstPage('198.51.100.50')).balance).toBe('100');
});

/** Sends a form 12 times, each time from a different address of this network. */
async function exhaust(path: '/forgot' | '/sign-up' | '/sign-in', email: string, network: string): Promise<void> {
  for (let n = 0; n < 12; n += 1) {
    const answer = await people.post(path, { name: 'Eve', email, password }, '', from(`${network}.${n}`));
    expect(answer.status).not.toBe(429);
  }
}

const subjectsTo = (email: string) => people.mailsTo(email).map(({ subject }) => subject);
const resets = (email: string) => subjectsTo(email).filter((subject) => subject.startsWith('Choose a new')).length;

test('strangers can cause at most ten emails per hour to an address, of all kinds together and from any number of networks', async () => {
  const { email } = people.newPerson();
  await exhaust('/sign-up', email, '198.51.103');
  await exhaust('/sign-in', email, '198.51.104');
  await exhaust('/forgot', email, '198.51.105');
  await expect.poll(() => people.mailsTo(email).length).toBe(10);
  expect(Object.entries(Object.groupBy(subjectsTo(email), (subject) => subject)).map(([, all]) => all?.length)).toEqual(
    [3, 2, 5],
  );
});

test('an address gets at most five emails per hour for resetting a password, and its owner can use one that a stranger caused', async () => {
  const { email } = await people.signedUp();
  const before = people.mailsTo(email).length;
  await exhaust('/forgot', email, '198.51.101');
  await expect.poll(() => people.mailsTo(email).length - before).toBe(5);
  // The owner can use the reset link although a stranger requested it.
  const token = people.tokenOf(people.linkTo(email));
  expect(await (await people.post('/reset', { token, password: 'a new password 42' })).text()).toContain(
    'Password changed',
  );
  await expect.poll(() => people.mailsTo(email).length - before).toBe(6);
  setup.clock.now = new Date(setup.clock.now.getTime() + 3_600_000);
  await people.post('/forgot', { email }, '', from('198.51.101.13'));
  await expect.poll(() => people.mailsTo(email).length - before).toBe(7);
});

test('sign-ups of strangers with an address do not stop its owner from resetting the password by email', async () => {
  const { email } = await people.signedUp();
  await exhaust('/sign-up', email, '198.51.102');
  await people.post('/forgot', { email }, '', from('203.0.113.20'));
  await expect.poll(() => resets(email)).toBe(1);
});

test('one network can cause at most three emails of a kind to an address per hour, and sees a message, so that the owner of the address can still get others', async () => {
  const { email } = await people.signedUp();
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    statuses.push((await people.post('/forgot', { email }, '', from('203.0.113.30'))).status);
    setup.clock.now = new Date(setup.clock.now.getTime() + 4 * 60_000);
  }
  expect(statuses).toEqual([...Array(3).fill(200), ...Array(9).fill(429)]);
  expect((await people.post('/forgot', { email }, '', from('203.0.113.31'))).status).toBe(200);
  await expect.poll(() => resets(email)).toBe(4);
});
