import { installKind } from '../platform/install.ts';
import type { Account, KeyView, PageFailure, PageLink } from '../platform/page-replies.ts';
import type { KeyLocation } from '../platform/settings.ts';
import { callServer } from './call.ts';
import {
  byId,
  counted,
  createElement,
  linkElement,
  moveFocus,
  onClick,
  onSubmit,
  setText,
  show,
  showFailure,
  showFieldFailure,
  whileBusy,
} from './elements.ts';
import { createQueue } from './order.ts';

const kindLabels: Record<string, string> = {
  live: 'production key',
  test: 'development key: sample data only, free',
  sheet: 'sheet key',
};
let notify: (account: Account) => void = () => {};
/** Runs the calls that read or change the keys one after the other, so that the newest answer is shown last. */
export const keysInOrder = createQueue();
const parts: Record<KeyLocation, 'own' | 'file'> = { account: 'own', file: 'file' };

/**
 * Sets up the section of the sidebar with the API keys. Calls `changed` each time the sidebar has received the keys
 * from the server code.
 */
export function startAccount(changed: (account: Account) => void): void {
  notify = changed;
  for (const [location, part] of Object.entries(parts) as [KeyLocation, 'own' | 'file'][]) {
    onSubmit(`${part}-form`, () => void connect(location, part));
    onClick(`${part}-disconnect`, () => {
      void change(`${part}-disconnect`, 'Removing…', () => callServer('sidebarDisconnect', location));
    });
  }
  const bound = installKind() === 'bound';
  show('own-part', !bound);
  show('bound-hint', bound);
  byId('file-details', HTMLDetailsElement).open = bound;
  const allow = byId('allow-formulas', HTMLInputElement);
  allow.addEventListener('change', () => void saveAllowed(allow, allow.checked));
}

/** Reloads the saved API keys and the number of credits that are left, and shows them in the sidebar. */
export async function refreshAccount(): Promise<void> {
  showAccount(await keysInOrder(() => callServer('sidebarAccount')));
}

/** Returns the number of credits that the header of the sidebar shows; null when it is unknown. */
export function shownCredits(): number | null {
  const credits = byId('balance', HTMLElement).dataset.credits ?? '';
  return credits === '' ? null : Number(credits);
}

async function connect(location: KeyLocation, part: 'own' | 'file'): Promise<void> {
  const input = byId(`${part}-key`, HTMLInputElement);
  showFieldFailure(input.id, `${part}-error`, { ok: true });
  const key = input.value;
  const reply = await whileBusy(`${part}-connect`, 'Checking…', () =>
    keysInOrder(() => callServer('sidebarConnect', location, key)),
  );
  if (!reply.ok) {
    showFieldFailure(input.id, `${part}-error`, reply);
    return;
  }
  input.value = '';
  showAccount(reply);
  moveFocus(`${part}-disconnect`);
}

async function change(button: string, busyText: string, work: () => Promise<Account | PageFailure>): Promise<void> {
  showChange(await whileBusy(button, busyText, () => keysInOrder(work)));
  moveFocus('tab-account');
}

async function saveAllowed(allow: HTMLInputElement, isAllowed: boolean): Promise<void> {
  const reply = await keysInOrder(() => callServer('sidebarAllowFormulas', isAllowed));
  if (!reply.ok) allow.checked = !isAllowed;
  showChange(reply);
}

/** Shows the keys after a change. After a failure, shows the reason and leaves the shown balance unchanged. */
function showChange(reply: Account | PageFailure): void {
  if (reply.ok) showAccount(reply);
  else showFailure('account-error', reply);
}

/**
 * Shows the saved API keys and the credits that are left, both in the header of the sidebar and in the section Keys.
 */
export function showAccount(reply: Account | PageFailure): void {
  showFailure('account-error', reply);
  if (!reply.ok) {
    setText('balance', 'Balance unknown');
    return;
  }
  const { account: own, file } = reply.keys;
  showHeader(reply);
  show('own-form', own === null);
  show('own-choices', own !== null);
  show('file-details', file === null);
  show('file-disconnect', file !== null);
  showCard('own-card', own, false);
  showCard('file-card', file, true);
  byId('allow-formulas', HTMLInputElement).checked = reply.formulas_allowed;
  showNotice(reply);
  setText('who-pays', whoPays(reply));
  setText('server-name', `Server: ${reply.server}`);
  notify(reply);
}

/** Shows a notice below the balance, or why the balance of the used key is unknown. */
function showNotice({ notice, keys, uses }: Account): void {
  const used = uses === null ? null : keys[uses];
  setText('account-notice', notice ?? used?.problem ?? '');
  const link = used?.problem_link ?? null;
  if (notice === null && link !== null) byId('account-notice', HTMLElement).append(' ', linkElement(link));
}

function showHeader({ keys, uses, low }: Account): void {
  const used = uses === null ? null : keys[uses];
  const credits = used?.credits ?? null;
  const balance = credits === null ? 'Balance unknown' : counted(credits, 'credit', 'credits');
  setText('balance', used === null ? 'Not connected' : balance);
  byId('balance', HTMLElement).dataset.credits = String(credits ?? '');
  const tier = used?.tier ?? null;
  setText('tier', tier === null ? '' : capital(tier));
  show('tier', tier !== null);
  const workspace = used?.workspace ?? '';
  setText('workspace', workspace);
  // The header shows only the beginning of a long workspace name. The tooltip and the section Keys show the whole name.
  byId('workspace', HTMLElement).title = workspace;
  setText('low-text', low ?? '');
  show('low', low !== null);
}

function showCard(id: string, key: KeyView | null, inFile: boolean): void {
  show(id, key !== null);
  const card = byId(id, HTMLElement);
  card.replaceChildren();
  if (key === null) return;
  const kind = key.kind === null ? '' : ` · ${kindLabels[key.kind] ?? key.kind}`;
  card.append(createElement('p', `${key.last_four}${kind}`, 'key'));
  if (key.name !== null) card.append(createElement('p', key.name));
  if (key.problem !== null) card.append(problemElement(key.problem, key.problem_link));
  if (key.workspace !== null) card.append(createElement('p', `Credits of ${key.workspace}`, 'hint'));
  const cap = capText(key);
  if (cap !== '') card.append(createElement('p', cap, 'hint'));
  if (inFile && key.kind !== null && key.kind !== 'sheet') {
    card.append(
      createElement('p', 'This is not a sheet key, so it may have no monthly cap. A sheet key is safer here.', 'hint'),
    );
  }
}

function problemElement(sentence: string, link: PageLink | null): HTMLElement {
  const problem = createElement('p', sentence, 'error');
  if (link !== null) problem.append(' ', linkElement(link));
  return problem;
}

function capText({ monthly_cap, cap_used }: KeyView): string {
  if (monthly_cap === null) return '';
  const cap = counted(monthly_cap, 'credit', 'credits');
  return cap_used === null ? `Monthly cap: ${cap}` : `Monthly cap: ${cap_used.toLocaleString('en-US')} of ${cap} used`;
}

function whoPays({ formulas, keys }: Account): string {
  if (formulas === null) {
    return keys.account === null
      ? 'Formulas in this file have no key yet.'
      : 'Formulas in this file do not use a key yet. Add a sheet key, or, if you own the file, allow your credits.';
  }
  const key = keys[formulas];
  const whose = key?.workspace ?? 'its workspace';
  if (formulas === 'file') return `Formulas in this file use the sheet key ${key?.last_four ?? ''}: ${whose} pays.`;
  return `Formulas in this file use your key ${key?.last_four ?? ''} if you own the file: ${whose} pays.`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
