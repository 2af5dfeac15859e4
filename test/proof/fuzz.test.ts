import fc from 'fast-check';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '../../db/money/ledger.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard/dashboard-server.ts';
import { type Populated, populate } from '../dashboard/populated.ts';
import { dashboardPaths, filled, openParts } from '../dashboard/sweep.ts';
import { printFigure, scaled } from '../harness/proof.ts';
import { anyText } from '../harness/text.ts';

const payments = { secret_key: 'sk_test_invented', webhook_secret: 'whsec_invented_for_this_test' };
const runs = scaled(3, 1_500);

let setup: DashboardSetup;
let member: Member;
let filledIn: Populated;
let requests = 0;

beforeAll(async () => {
  setup = await createDashboardSetup({ payments });
  member = await setup.member({ tier: 'ultra', credits: 500 });
  filledIn = await populate(setup, member);
});
afterEach(() => {
  // Moves the clock by a day, so that no attempt counts in the next test. Limits on attempts cover 15 minutes.
  setup.clock.now = new Date(setup.clock.now.getTime() + 86_400_000);
  expect(setup.errors).toEqual([]);
});
afterAll(async () => {
  printFigure('fuzzed requests', requests);
  await setup.close();
});

const nasty = fc.constantFrom(
  '',
  '\u0000',
  'a\u0000b',
  '%00',
  '%%0000',
  '%',
  '%zz',
  '%ed%a0%80',
  '\ud800',
  '-1',
  '9'.repeat(400),
  '1e400',
  'NaN',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'javascript:alert(1)',
  'a;script-src *',
  '00000000-0000-0000-0000-000000000000',
  '2026-02-30',
  '+275760-09-13',
  'x'.repeat(5_000),
);
const text = fc.oneof({ weight: 3, arbitrary: nasty }, anyText(40), fc.string());

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  requests += 1;
  return setup.send(path, member.cookie, { ...init, headers: { origin: setup.base_url, ...init.headers } });
}

/** Expects an answer that is not an internal error of the service, and reads the whole answer. */
async function expectHonest(answer: Response, request: unknown): Promise<void> {
  const body = await answer.text();
  if (answer.status >= 500) expect.fail(`${answer.status} for ${JSON.stringify(request)}: ${body.slice(0, 300)}`);
}

/**
 * Returns a query string such as `a=b&c=d`. Does not escape values that begin with `%`, so that broken escapes reach
 * the server as they are.
 */
const rawQuery = (pairs: readonly (readonly [string, string])[]) =>
  pairs
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name.toWellFormed())}=${/^%/.test(value) ? value : encodeURIComponent(value.toWellFormed())}`,
    )
    .join('&');

const queryNames = [
  'page',
  'from',
  'to',
  'q',
  'kind',
  'status',
  'notice',
  'next',
  'token',
  'client_id',
  'redirect_uri',
  'metric',
  'days',
  'list',
  'path',
  'once',
];
const pairs = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, text), text), { maxLength: 5 });

/** Values that broke a page of the service in the past. */
const worst = ['\u0000', '%%0000', '%', '\ud800', '9'.repeat(400), 'x'.repeat(5_000)];

test('no query of a page of the dashboard or of the sign-in gives a 500', async () => {
  const paths = [...dashboardPaths(setup).pages, '/sign-in', '/sign-up', '/forgot', '/reset', '/confirm', '/enter'];
  for (const path of paths.filter((path) => !path.includes('export'))) {
    const named = filled(path, filledIn.ids);
    for (const value of worst) {
      const query = queryNames.map((name) => [name, value] as const);
      await expectHonest(await send(`${named}?${rawQuery(query)}`), [path, value]);
    }
    await fc.assert(
      fc.asyncProperty(pairs(queryNames), async (query) => {
        await expectHonest(await send(`${named}?${rawQuery(query)}`), [path, query]);
      }),
      { numRuns: runs },
    );
  }
});

test('no path of the dashboard with arbitrary ids gives a 500', async () => {
  const paths = dashboardPaths(setup).pages.filter((path) => openParts(path).length > 0);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), text, async (path, id) => {
      const part = /^%/.test(id) ? id : encodeURIComponent(id.toWellFormed());
      await expectHonest(await send(path.replace(/:\w+/g, () => part)), [path, id]);
    }),
    { numRuns: runs * 10 },
  );
});

const formNames = [
  'name',
  'email',
  'password',
  'token',
  'kind',
  'url',
  'events',
  'days',
  'cap',
  'starts_on',
  'ends_on',
  'spreadsheet',
  'sheet_name',
  'mode',
  'item',
  'addresses',
  'oauth_query',
  'accept',
  'current',
  'chosen',
  'credits',
  'pack',
  'limit',
];
/** Matches the paths of forms that end the session or delete the account of the member. */
const endsSession = /sign-out|delete|password|sessions/;

test('no form of the dashboard gives a 500', async () => {
  const paths = [...dashboardPaths(setup).forms, '/sign-up', '/forgot', '/reset'].filter(
    (path) => !endsSession.test(path),
  );
  for (const path of paths) {
    const named = filled(path, filledIn.ids);
    for (const value of [...worst, 'client_id=%00&redirect_uri=%00']) {
      const body = new URLSearchParams(formNames.map((name): [string, string] => [name, value.toWellFormed()]));
      await expectHonest(await send(named, { method: 'POST', body }), [path, value]);
    }
    await fc.assert(
      fc.asyncProperty(pairs(formNames), async (fields) => {
        const body = fc.sample(fc.boolean(), 1)[0] ? rawQuery(fields) : multipart(fields);
        const headers = typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
        await expectHonest(await send(named, { method: 'POST', body, headers }), [path, fields]);
      }),
      { numRuns: runs },
    );
  }
}, 120_000);

function multipart(fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const json = fc.oneof(fc.json({ maxDepth: 3 }), text);
const oauthField = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constant(null), fc.integer());

test('nothing sent to the OAuth endpoints gives a 500', async () => {
  const registration = fc.record(
    {
      client_name: oauthField,
      redirect_uris: oauthField,
      scope: oauthField,
      grant_types: oauthField,
      client_uri: oauthField,
      logo_uri: oauthField,
      contacts: oauthField,
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        registration.map((value) => JSON.stringify(value)),
        json,
      ),
      async (body) => {
        setup.clock.now = new Date(setup.clock.now.getTime() + 3_600_000);
        const headers = { 'content-type': 'application/json' };
        await expectHonest(await send('/api/auth/oauth2/register', { method: 'POST', body, headers }), [
          'register',
          body,
        ]);
      },
    ),
    { numRuns: runs * 5 },
  );
  const names = [
    'client_id',
    'client_secret',
    'code',
    'grant_type',
    'redirect_uri',
    'refresh_token',
    'token',
    'code_verifier',
    'response_type',
    'code_challenge',
    'scope',
    'state',
    'resource',
    'prompt',
  ];
  for (const name of ['token', 'revoke']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'client_id=%00&token=+&grant_type=refresh_token&refresh_token=x';
    await expectHonest(await send(`/api/auth/oauth2/${name}`, { method: 'POST', body, headers }), [name, body]);
    const authorization = `Basic ${Buffer.from('\0:x').toString('base64')}`;
    const withHeader = { method: 'POST', body: 'token=x', headers: { ...headers, authorization } };
    await expectHonest(await send(`/api/auth/oauth2/${name}`, withHeader), [name, authorization]);
  }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('token', 'revoke', 'authorize'), pairs(names), async (name, fields) => {
      const path = `/api/auth/oauth2/${name}`;
      const body = rawQuery(fields);
      const post = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      await expectHonest(await (name === 'authorize' ? send(`${path}?${body}`) : send(path, post)), [name, fields]);
    }),
    { numRuns: runs * 10 },
  );
});

test('no signed payment event gives a 500 or changes a balance', async () => {
  const id = fc.oneof(text, fc.constant(null), fc.integer(), fc.constant({ id: 'pi\u0000' }));
  const object = fc.oneof(
    fc.record(
      {
        id,
        payment_intent: id,
        payment_status: fc.constantFrom('paid', 'unpaid', ''),
        amount_total: fc.oneof(fc.integer(), text),
        currency: id,
        amount_refunded: fc.oneof(fc.integer(), text),
        metadata: fc.oneof(fc.constant(null), fc.record({ workspace_id: text, pack: text, credits: text })),
      },
      { requiredKeys: [] },
    ),
    fc.constant(null),
    text,
  );
  const event = fc.record({
    id,
    type: fc.constantFrom(
      'checkout.session.completed',
      'charge.refunded',
      'charge.dispute.created',
      'charge.dispute.closed',
      'a\u0000',
    ),
    data: fc.oneof(fc.record({ object }), fc.constant(null)),
  });
  const stripe = new Stripe(payments.secret_key);
  const before = await checkLedger(setup.db.sql);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        event.map((value) => JSON.stringify(value)),
        json,
      ),
      async (payload) => {
        const header = stripe.webhooks.generateTestHeaderString({ payload, secret: payments.webhook_secret });
        const headers = { 'stripe-signature': header, 'content-type': 'application/json' };
        await expectHonest(await send('/payments/stripe', { method: 'POST', body: payload, headers }), payload);
      },
    ),
    { numRuns: runs * 10 },
  );
  expect(await checkLedger(setup.db.sql)).toEqual(before);
  expect(before.mismatches).toEqual([]);
});

test('no body sent to /mcp gives a 500', async () => {
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0'),
      id: fc.oneof(fc.integer(), text, fc.constant(null)),
      method: fc.oneof(fc.constantFrom('tools/call', 'tools/list', 'initialize'), text),
      params: fc.oneof(fc.record({ name: text, arguments: fc.dictionary(text, text) }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        message.map((value) => JSON.stringify(value)),
        json,
      ),
      async (body) => {
        const headers = {
          'content-type': 'application/json',
          'x-api-key': filledIn.secrets[0] ?? '',
          accept: 'application/json, text/event-stream',
        };
        await expectHonest(await send('/mcp', { method: 'POST', body, headers }), body);
      },
    ),
    { numRuns: runs * 10 },
  );
});
