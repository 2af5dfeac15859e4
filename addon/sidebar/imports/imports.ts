import type { ImportsReply, ImportView } from '../../imports/views.ts';
import type { PageFailure } from '../../platform/page-replies.ts';
import { callServer } from '../call.ts';
import { byId, counted, createElement, onClick, setText, show, showFailure, whileBusy } from '../elements.ts';
import { localTime } from '../local-time.ts';
import { newId } from '../new-id.ts';
import { createNewest, createQueue } from '../order.ts';
import { openForm, startImportForm } from './form.ts';
import { runImport, showPaused, startImportRun } from './run.ts';

/** Runs the calls that read or change the list one after the other, so that the newest list is shown last. */
const listInOrder = createQueue();
/** Marks the view that the user opened last, so that an import that was loading for an earlier view is not shown. */
const beginView = createNewest();

const savedAgain =
  'Your first press of Save had already saved this import, although no answer arrived. It was saved once, with the values of your last press.';
const duplicatedAgain = 'Your first press of Duplicate had already made this copy, so there is no second one.';

type View = 'imports-list' | 'import-form' | 'import-progress';

/**
 * Sets up the section of the sidebar with the saved imports.
 *
 * @returns the function to call when the section is shown.
 */
export function startImports(): () => void {
  startImportForm({
    saved: ({ id, again }, runs) => {
      if (runs) void run(id);
      else returnToList();
      setText('imports-note', again ? savedAgain : '');
    },
    closed: returnToList,
  });
  startImportRun(returnToList);
  onClick('imports-new', () => {
    showView('import-form');
    openForm(null);
  });
  return () => {
    if (!byId('imports-list', HTMLElement).hidden) void loadList();
  };
}

function showView(shown: View): void {
  beginView();
  setText('imports-note', '');
  for (const view of ['imports-list', 'import-form', 'import-progress'] as const) show(view, view === shown);
}

async function run(id: string): Promise<void> {
  showView('import-progress');
  await runImport(id);
}

/** Shows the list in place of the form or a run. The pressed button is then hidden, so the heading gets the focus. */
function returnToList(): void {
  void loadList();
  byId('imports-heading', HTMLElement).focus();
}

async function loadList(): Promise<void> {
  showView('imports-list');
  showReply(await listInOrder(() => callServer('sidebarImports')));
}

function showReply(reply: ImportsReply | PageFailure): void {
  showFailure('imports-error', reply);
  if (!reply.ok) return;
  setText('imports-state', reply.imports.length === 0 ? 'This file has no imports yet.' : '');
  showCards(reply.imports.map(cardOf));
}

/**
 * Replaces the cards of the saved imports. The focus returns to the same button, so that keyboard users do not lose
 * their position when the list is loaded again.
 */
function showCards(cards: HTMLElement[]): void {
  const list = byId('imports-cards', HTMLElement);
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  list.replaceChildren(...cards);
  if (focused === null) return;
  const same = cards.find((card) => card.getAttribute('aria-labelledby') === cardIdOf(focused));
  const buttons = [...(same?.querySelectorAll('button') ?? [])];
  buttons.find((button) => button.getAttribute('aria-label') === focused.getAttribute('aria-label'))?.focus();
}

const cardIdOf = (button: Element) => button.closest('article')?.getAttribute('aria-labelledby');

function cardOf(view: ImportView): HTMLElement {
  const card = document.createElement('article');
  card.className = 'card';
  const title = createElement('h2', view.name);
  title.id = `import-card-${view.id}`;
  card.setAttribute('aria-labelledby', title.id);
  card.append(title, createElement('p', kindLine(view), 'hint'), createElement('p', lastLine(view), 'hint'));
  if (view.next !== null) card.append(createElement('p', scheduleLine(view, view.next), 'hint'));
  const warning = view.stopped ?? view.late;
  if (warning !== null) card.append(createElement('p', warning, 'error'));
  card.append(buttonsOf(view));
  return card;
}

const kindLabels = { profiles: 'Profiles', posts: 'Posts and videos', latest: 'Latest posts' };

function kindLine({ kind, target }: ImportView): string {
  return `${kindLabels[kind]}, ${target}`;
}

function lastLine({ last, run: unfinished }: ImportView): string {
  if (unfinished !== null) return `Not finished: ${unfinished.done} of ${unfinished.total}`;
  if (last === null) return 'Has not run yet';
  const failed = last.failed === 0 ? '' : `, ${last.failed} failed`;
  return `${localTime(last.at)}: ${last.ok} OK${failed}, ${counted(last.credits, 'credit', 'credits')}. ${last.message}`;
}

function scheduleLine({ schedule }: ImportView, next: number): string {
  const hours = schedule?.every_hours ?? 0;
  const intervals: Record<number, string> = { 1: 'every hour', 24: 'every day', 168: 'every week' };
  return `Runs ${intervals[hours] ?? `every ${hours} hours`}, next at about ${localTime(next)}`;
}

function buttonsOf(view: ImportView): HTMLElement {
  const row = createElement('div', '', 'buttons');
  const add = (label: string, click: (button: HTMLButtonElement) => void, look = 'quiet'): void => {
    const button = createElement('button', label);
    button.type = 'button';
    button.setAttribute('aria-label', `${label} ${view.name}`);
    button.className = look;
    button.addEventListener('click', ({ detail }) => {
      // The second click of a double click is ignored, because the first click may have changed what the button does.
      if (detail <= 1) click(button);
    });
    row.append(button);
  };
  if (view.run === null) add('Run', () => void run(view.id), '');
  else add('Resume', () => void resume(view), '');
  add('Edit', (button) => void edit(button, view));
  const copyId = newId();
  add('Duplicate', (button) => void change(button, view, 'duplicate', copyId));
  if (view.late !== null) add('Schedule with my account', (button) => void change(button, view, 'schedule'));
  const remove = (button: HTMLButtonElement): void => {
    // The first click asks for confirmation and the second click removes the import. A dialog is not used, because some
    // browsers do not allow dialogs in the sidebar.
    if (button.dataset.confirming === 'yes') {
      void change(button, view, 'delete');
      return;
    }
    button.dataset.confirming = 'yes';
    button.textContent = 'Remove this import?';
    button.setAttribute('aria-label', `Remove this import? ${view.name}`);
  };
  add('Remove', remove, 'quiet danger');
  return row;
}

/** Loads an import into the form, unless the user opens something else in the meantime. */
async function edit(button: HTMLButtonElement, view: ImportView): Promise<void> {
  const isNewest = beginView();
  const reply = await whileBusy(button, 'Opening…', () => callServer('sidebarImport', view.id));
  if (!isNewest()) return;
  showFailure('imports-error', reply);
  if (!reply.ok) return;
  showView('import-form');
  openForm(reply.saved);
}

/** Shows an unfinished run of an import, so that the user can resume or cancel it. */
async function resume(view: ImportView): Promise<void> {
  showView('import-progress');
  showPaused(view);
}

async function change(button: HTMLButtonElement, view: ImportView, what: string, detail = ''): Promise<void> {
  const reply = await whileBusy(button, 'Working…', () =>
    listInOrder(() => callServer('sidebarImportChange', view.id, view.version, what, detail)),
  );
  showReply(reply);
  setText('imports-note', reply.ok && reply.again ? duplicatedAgain : '');
  byId('imports-new', HTMLButtonElement).focus();
}
