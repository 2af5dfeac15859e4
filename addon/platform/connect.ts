import { type Answer, asObject, fetchAnswers } from './client.ts';
import { failureSentence } from './failure-sentence.ts';
import type { Account, KeyView, PageFailure } from './page-replies.ts';
import { keyStores, network } from './platform.ts';
import {
  allowFormulas,
  findActionKey,
  findKey,
  forgetKeyIn,
  formulasAllowed,
  type KeyLocation,
  lastFour,
  readKey,
  savedKey,
  saveKey,
} from './settings.ts';

/** Credits below which the sidebar warns about a low balance. */
const lowCredits = 50;

/** Returns the connected keys with their balance, and says which key the sidebar uses and which key formulas use. */
export function readAccount(): Account {
  const stores = keyStores();
  const saved = (['account', 'file'] as const).flatMap((location) => savedKey(stores, location) ?? []);
  const views = saved.map(({ key, location }) => ({ location, view: keyView(key, fetchBalance(key)) }));
  const keys = { account: viewOf(views, 'account'), file: viewOf(views, 'file') };
  const uses = findActionKey(stores)?.location ?? null;
  return {
    ok: true,
    server: API_ORIGIN,
    keys,
    uses,
    formulas: findKey(stores)?.location ?? null,
    formulas_allowed: formulasAllowed(stores),
    low: lowSentence(uses === null ? null : (keys[uses]?.credits ?? null)),
  };
}

function viewOf(views: { location: KeyLocation; view: KeyView }[], location: KeyLocation): KeyView | null {
  return views.find((shown) => shown.location === location)?.view ?? null;
}

function fetchBalance(key: string): Answer | undefined {
  return fetchAnswers([`${API_ORIGIN}/v1/credit/balance`], key, network)[0];
}

/** Checks a key that the user pasted and saves it when the server accepts it. */
export function connect(location: unknown, pasted: unknown): Account | PageFailure {
  const key = readKey(String(pasted));
  if (key === null) return { ok: false, message: 'This is not an API key. Copy the whole key from your dashboard.' };
  const answer = fetchBalance(key);
  if (answer?.ok !== true) return { ok: false, message: notSaved(answer) };
  saveKey(keyStores(), readLocation(location), key);
  return readAccount();
}

function notSaved(answer: Answer | undefined): string {
  const failure = answer?.ok === false ? answer.failure : { code: 'SERVER_UNREACHABLE', message: '' };
  return `${failureSentence(failure)} The key was not saved.`;
}

/** Forgets the key that is saved with the user's account or in the file. */
export function disconnect(location: unknown): Account {
  forgetKeyIn(keyStores(), readLocation(location));
  return readAccount();
}

/** Saves whether formulas in this file may use the credits of its owner. */
export function setFormulasAllowed(allowed: unknown): Account {
  allowFormulas(keyStores(), allowed === true);
  return readAccount();
}

function readLocation(location: unknown): KeyLocation {
  return location === 'file' ? 'file' : 'account';
}

function keyView(key: string, answer: Answer | undefined): KeyView {
  const data = answer?.ok === true ? asObject(answer.data) : null;
  const keyInfo = asObject(data?.key);
  const workspace = data?.workspace;
  return {
    last_four: lastFour(key),
    problem: answer?.ok === true ? null : problemOf(answer),
    workspace: text(workspace) ?? text(asObject(workspace)?.name),
    tier: text(data?.tier),
    kind: text(keyInfo?.kind),
    name: text(keyInfo?.name),
    credits: count(data?.credits_remaining),
    monthly_cap: count(keyInfo?.monthly_cap),
    cap_used: count(keyInfo?.cap_used),
  };
}

function problemOf(answer: Answer | undefined): string {
  return failureSentence(answer?.ok === false ? answer.failure : { code: 'SERVER_UNREACHABLE', message: '' });
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function count(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function lowSentence(credits: number | null): string | null {
  if (credits === null || credits >= lowCredits) return null;
  if (credits === 0) return 'No credits are left. Top up on your dashboard.';
  return credits === 1 ? 'Only 1 credit is left. Top up soon.' : `Only ${credits} credits are left. Top up soon.`;
}
