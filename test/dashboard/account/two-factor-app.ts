import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { DashboardSetup } from '../dashboard-server.ts';
import { cookieOf, type People } from './person.ts';
import { password } from './test-password.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes the two-factor secret (base32) that a page shows. */
export function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the code (RFC 6238) that an authenticator app shows now, or `steps` times 30 seconds later. */
export function appCode(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const number = hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

export const settingsPath = '/dashboard/settings/two-factor';

/** Signs up a person and turns on two-factor sign-in with the pages of the dashboard. */
export async function withTwoFactor(setup: DashboardSetup, people: People, headers: Record<string, string> = {}) {
  const person = await people.signedUp(headers);
  await setup.send('/dashboard', person.cookie, { headers });
  const started = await people.post(`${settingsPath}/start`, { password }, person.cookie, headers);
  const shown = await started.text();
  const secret = /id="secret"[^>]* value="([A-Z2-7]+)"/.exec(shown)?.[1] ?? expect.fail(`no secret is shown: ${shown}`);
  const confirmed = await people.post(`${settingsPath}/confirm`, { code: appCode(secret) }, person.cookie, headers);
  const page = await confirmed.text();
  const codes = /<pre id="codes"[^>]*><code>([^<]+)</.exec(page)?.[1]?.split('\n') ?? expect.fail(`no codes: ${page}`);
  return { ...person, secret, codes, cookie: cookieOf(confirmed), started: shown, confirmed: page };
}
