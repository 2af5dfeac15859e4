import { type Answer, asObject, type Failure, fetchAnswers } from './client.ts';
import { copyKey, failureSentence } from './failure-sentence.ts';
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

/** The number of credits below which the sidebar warns that few credits are left. */
const lowCredits = 50;
const personalKeyRemoved =
  'The saved key was removed, because everyone who can edit this file could read it. Connect a sheet key, which has a monthly cap.';

/** A saved API key with the server's answer about it: its kind, its monthly cap and the credits that are left. */
type CheckedKey = SavedKey & { answer: Answer | undefined };

/**
 * Returns the saved API keys with the credits that are left, and says which key the sidebar uses and which key formulas
 * use. Deletes saved keys that this kind of installation may not keep.
 */
export function readAccount(): Account {
  const stores = keyStores();
  const notice = removePersonalKey(stores) ? personalKeyRemoved : null;
  const isBound = installKind() === 'bound';
  const saved = (['account', 'file'] as const).flatMap((location) => savedKey(stores, location) ?? []);
  const checked = saved.map(({ key, location }): CheckedKey => ({ key, location, answer: fetchBalance(key) }));
  const refused = checked.filter(({ answer }) => answer?.ok === true && isBound && !isForFiles(answer.data));
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
    low: lowCreditsSentence(uses === null ? null : (keys[uses]?.credits ?? null)),
  };
}

function viewOf(views: { location: KeyLocation; view: KeyView }[], location: KeyLocation): KeyView | null {
  return views.find((shown) => shown.location === location)?.view ?? null;
}

/** Asks the server for the credits that are left and for the kind of the API key. The request is free. */
export function fetchBalance(key: string): Answer | undefined {
  return fetchAnswers([`${API_ORIGIN}/v1/credit/balance`], key, network)[0];
}

/**
 * Checks an API key that the user pasted. Saves the key when the server accepts it and this kind of installation may
 * keep it.
 */
export function connect(location: unknown, pasted: unknown): Account | PageFailure {
  const key = readKey(String(pasted));
  if (key === null) return { ok: false, message: `This is not an API key. ${copyKey}` };
  const answer = fetchBalance(key);
  if (answer?.ok !== true) throw new FailureError(failureIn(answer), 'The key was not saved.');
  const store = installKind() === 'bound' ? 'file' : readLocation(location);
  if (store === 'file' && !isForFiles(answer.data)) throw new FailureError({ code: 'SHEET_KEY_NEEDED', message: '' });
  saveKey(keyStores(), store, key);
  return readAccount();
}

/**
 * Returns true for an API key that may be saved in a spreadsheet, where every editor can spend it: a sheet key with a
 * monthly cap, or a development key, which is free.
 *
 * @param balance the answer of the server about the key.
 */
export function isForFiles(balance: unknown): boolean {
  const { kind, monthly_cap } = asObject(asObject(balance)?.key) ?? {};
  return kind === 'test' || (kind === 'sheet' && typeof monthly_cap === 'number');
}

function failureIn(answer: Answer | undefined): Failure {
  return answer?.ok === false ? answer.failure : { code: 'SERVER_UNREACHABLE', message: '' };
}

/** Deletes the API key that is saved with the user's Google account or in the spreadsheet. */
export function disconnect(location: unknown): Account {
  forgetKeyIn(keyStores(), readLocation(location));
  return readAccount();
}

/**
 * Allows or forbids formulas in this spreadsheet to use the credits of its owner, and saves this choice.
 *
 * @throws PlainError when keys are saved only in the spreadsheet, or when the spreadsheet has no owner.
 */
export function setFormulasAllowed(allowed: unknown): Account {
  if (installKind() === 'bound') throw new FailureError({ code: 'SHEET_KEY_NEEDED', message: '' });
  if (allowed === true && isWithoutOwner()) {
    throw new FailureError({ code: 'FILE_WITHOUT_OWNER', message: '' });
  }
  allowFormulas(keyStores(), allowed === true);
  return readAccount();
}

/**
 * Returns true when the spreadsheet has no owner, because it is in a shared drive. Returns false when Google refuses to
 * name the owner, because then an owner exists.
 */
function isWithoutOwner(): boolean {
  try {
    return SpreadsheetApp.getActiveSpreadsheet().getOwner() === null;
  } catch (error) {
    network.log(`Google did not name the owner of this spreadsheet: ${String(error)}`);
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

function lowCreditsSentence(credits: number | null): string | null {
  if (credits === null || credits >= lowCredits) return null;
  if (credits === 0) return 'No credits are left. Top up on your dashboard.';
  return credits === 1 ? 'Only 1 credit is left. Top up soon.' : `Only ${credits} credits are left. Top up soon.`;
}
