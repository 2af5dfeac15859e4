import { type Answer, askAll, asObject } from './client.ts';
import { failureSentence } from './failure-sentence.ts';
import type { Account, KeyView, PageFailure } from './page-replies.ts';
import { keyStores, network } from './platform.ts';
import {
  allowFormulas,
  findActionKey,
  findKey,
  forgetKeyIn,
  formulasAllowed,
  type KeyPlace,
  lastFour,
  readKey,
  savedKey,
  saveKey,
} from './settings.ts';

/** Below this the sidebar says that credits run out. */
const lowCredits = 50;

/** Which keys are connected, what the server says of each, and who pays for what. */
export function readAccount(): Account {
  const stores = keyStores();
  const saved = (['account', 'file'] as const).flatMap((place) => savedKey(stores, place) ?? []);
  const views = saved.map(({ key, place }) => ({ place, view: keyView(key, askBalance(key)) }));
  const keys = { account: viewOf(views, 'account'), file: viewOf(views, 'file') };
  const uses = findActionKey(stores)?.place ?? null;
  return {
    ok: true,
    server: API_ORIGIN,
    keys,
    uses,
    formulas: findKey(stores)?.place ?? null,
    formulas_allowed: formulasAllowed(stores),
    low: lowSentence(uses === null ? null : (keys[uses]?.credits ?? null)),
  };
}

function viewOf(views: { place: KeyPlace; view: KeyView }[], place: KeyPlace): KeyView | null {
  return views.find((shown) => shown.place === place)?.view ?? null;
}

function askBalance(key: string): Answer | undefined {
  return askAll([`${API_ORIGIN}/v1/credit/balance`], key, network)[0];
}

/** Tries a pasted key and keeps it unless something is wrong with it. */
export function connect(place: unknown, pasted: unknown): Account | PageFailure {
  const key = readKey(String(pasted));
  if (key === null) return { ok: false, message: 'This is not an API key. Copy the whole key from your dashboard.' };
  const answer = askBalance(key);
  if (answer?.ok !== true) return { ok: false, message: notSaved(answer) };
  saveKey(keyStores(), readPlace(place), key);
  return readAccount();
}

function notSaved(answer: Answer | undefined): string {
  const failure = answer?.ok === false ? answer.failure : { code: 'SERVER_UNREACHABLE', message: '' };
  return `${failureSentence(failure)} The key was not saved.`;
}

/** Forgets the key of one place. */
export function disconnect(place: unknown): Account {
  forgetKeyIn(keyStores(), readPlace(place));
  return readAccount();
}

/** The owner's own choice that formulas in this file may use their credits. */
export function setFormulasAllowed(allowed: unknown): Account {
  allowFormulas(keyStores(), allowed === true);
  return readAccount();
}

function readPlace(place: unknown): KeyPlace {
  return place === 'file' ? 'file' : 'account';
}

function keyView(key: string, answer: Answer | undefined): KeyView {
  const data = answer?.ok === true ? asObject(answer.data) : null;
  const told = asObject(data?.key);
  const workspace = data?.workspace;
  return {
    last_four: lastFour(key),
    problem: answer?.ok === true ? null : problemOf(answer),
    workspace: text(workspace) ?? text(asObject(workspace)?.name),
    tier: text(data?.tier),
    kind: text(told?.kind),
    name: text(told?.name),
    credits: count(data?.credits_remaining),
    monthly_cap: count(told?.monthly_cap),
    cap_used: count(told?.cap_used),
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
