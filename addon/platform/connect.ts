import { type Answer, asObject, type Failure, fetchAnswers } from './client.ts';
import { failureSentence } from './failure-sentence.ts';
import { installKind } from './install.ts';
import { FailureError } from './page-call.ts';
import { failureLink } from './page-failure.ts';
import type { Account, KeyView, PageFailure } from './page-replies.ts';
import { activeAccount, keyStores, network } from './platform.ts';
import {
  allowFormulas,
  findActionKey,
  findKey,
  forgetKeyIn,
  formulasAllowed,
  type KeyLocation,
  lastFour,
  readKey,
  removePersonalKey,
  type SavedKey,
  savedKey,
  saveKey,
} from './settings.ts';

/** Credits below which the sidebar warns about a low balance. */
const lowCredits = 50;
const personalKeyRemoved =
  'The saved key was removed, because everyone who can edit this file could read it. Connect a sheet key, which has a monthly limit.';

/** A key that is saved, with the answer of the server about it. */
type CheckedKey = SavedKey & { answer: Answer | undefined };

/** Returns the connected keys with their balance, and says which key the sidebar uses and which key formulas use. Forgets saved keys that this install may not keep. */
export function readAccount(): Account {
  const stores = keyStores();
  const notice = removePersonalKey(stores) ? personalKeyRemoved : null;
  const saved = (['account', 'file'] as const).flatMap((location) => savedKey(stores, location) ?? []);
  const checked = saved.map(({ key, location }): CheckedKey => ({ key, location, answer: fetchBalance(key) }));
  const refused = checked.filter(({ answer }) => answer?.ok === true && !isAllowed(answer.data));
  for (const { location } of refused) forgetKeyIn(stores, location);
  const views = checked
    .filter((one) => !refused.includes(one))
    .map(({ key, location, answer }) => ({ location, view: keyView(key, answer) }));
  const keys = { account: viewOf(views, 'account'), file: viewOf(views, 'file') };
  const uses = findActionKey(stores)?.location ?? null;
  return {
    ok: true,
    server: API_ORIGIN,
    install: installKind(),
    opened_by: activeAccount(),
    notice: refused.length > 0 ? personalKeyRemoved : notice,
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

/** Requests the balance and the kind of a key from the server. The request is free. */
export function fetchBalance(key: string): Answer | undefined {
  return fetchAnswers([`${API_ORIGIN}/v1/credit/balance`], key, network)[0];
}

/** Checks a key that the user pasted and saves it when the server accepts it and this install may keep it. */
export function connect(location: unknown, pasted: unknown): Account | PageFailure {
  const key = readKey(String(pasted));
  if (key === null) return { ok: false, message: 'This is not an API key. Copy the whole key from your dashboard.' };
  const answer = fetchBalance(key);
  if (answer?.ok !== true) throw new FailureError(failureIn(answer), 'The key was not saved.');
  if (!isAllowed(answer.data)) throw new FailureError({ code: 'SHEET_KEY_NEEDED', message: '' });
  saveKey(keyStores(), installKind() === 'bound' ? 'file' : readLocation(location), key);
  return readAccount();
}

/**
 * Returns false for a key that this install may not keep. Where every editor of the file can read the stored key, it must be a
 * sheet key with a monthly cap, or a development key, which is free.
 *
 * @param balance the answer of the server about the key.
 */
export function isAllowed(balance: unknown): boolean {
  if (installKind() === 'addon') return true;
  const { kind, monthly_cap } = asObject(asObject(balance)?.key) ?? {};
  return kind === 'test' || (kind === 'sheet' && typeof monthly_cap === 'number');
}

function failureIn(answer: Answer | undefined): Failure {
  return answer?.ok === false ? answer.failure : { code: 'SERVER_UNREACHABLE', message: '' };
}

/** Forgets the key that is saved with the user's account or in the file. */
export function disconnect(location: unknown): Account {
  forgetKeyIn(keyStores(), readLocation(location));
  return readAccount();
}

/** Saves whether formulas in this file may use the credits of its owner. @throws PlainError when formulas in this file cannot use them. */
export function setFormulasAllowed(allowed: unknown): Account {
  if (installKind() === 'bound') throw new FailureError({ code: 'SHEET_KEY_NEEDED', message: '' });
  if (allowed === true && isWithoutOwner()) {
    throw new FailureError({ code: 'FILE_WITHOUT_OWNER', message: '' });
  }
  allowFormulas(keyStores(), allowed === true);
  return readAccount();
}

/** Returns true for a file in a shared drive, which has no owner. Returns false when Google refuses to name the owner, because such a file has one. */
function isWithoutOwner(): boolean {
  try {
    return SpreadsheetApp.getActiveSpreadsheet().getOwner() === null;
  } catch (error) {
    network.log(`The owner of the file is unknown: ${String(error)}`);
    return false;
  }
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
    problem: answer?.ok === true ? null : failureSentence(failureIn(answer)),
    problem_link: answer?.ok === true ? null : failureLink(failureIn(answer).code),
    workspace: text(workspace) ?? text(asObject(workspace)?.name),
    tier: text(data?.tier),
    kind: text(keyInfo?.kind),
    name: text(keyInfo?.name),
    credits: count(data?.credits_remaining),
    monthly_cap: count(keyInfo?.monthly_cap),
    cap_used: count(keyInfo?.cap_used),
  };
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
