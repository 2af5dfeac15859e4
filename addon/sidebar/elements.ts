import type { PageFailure, PageLink } from '../platform/page-replies.ts';
import { pageUrl } from '../platform/pages.ts';

/**
 * Returns the element of the page with this ID.
 *
 * @throws Error when the page has no such element, which only a bug can cause.
 */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no element ${id}.`);
  return found;
}

/** Sets the text of the element with this ID. HTML in the text is not interpreted. */
export function setText(id: string, text: string): void {
  byId(id, HTMLElement).textContent = text;
}

/**
 * Shows that the text of an element is being calculated. The element keeps at least its height, so that a button below
 * it does not move away while the user presses it.
 */
export function showCalculating(id: string, text: string): void {
  const element = byId(id, HTMLElement);
  element.style.minHeight = `${element.getBoundingClientRect().height}px`;
  element.textContent = text;
}

export function show(id: string, shown: boolean): void {
  byId(id, HTMLElement).hidden = !shown;
}

/** Creates an HTML element that contains this text. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  className = '',
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  created.textContent = text;
  // The text may contain the name of a workspace or sheet, which can be written from right to left.
  created.dir = 'auto';
  if (className !== '') created.className = className;
  return created;
}

/**
 * Shows in an element why a call to the add-on's server code failed, with a link to a page that helps. After a success,
 * removes the text.
 */
export function showFailure(id: string, reply: { ok: true } | PageFailure): void {
  const element = byId(id, HTMLElement);
  element.replaceChildren();
  if (reply.ok) return;
  element.append(reply.message);
  if (reply.link !== undefined) element.append(' ', linkElement(reply.link));
}

/** Creates a link that opens its page in a new tab. */
export function linkElement({ label, url }: PageLink): HTMLAnchorElement {
  const link = createElement('a', label);
  link.href = url;
  openInNewTab(link);
  return link;
}

const pageScheme = 'page:';

/**
 * Sets the address of every link to a web page of the server. The HTML of the sidebar refers to such a page as
 * `page:NAME`. The links open in a new tab.
 */
export function startLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="page:"]')) {
    link.href = pageUrl(link.href.slice(pageScheme.length));
    openInNewTab(link);
  }
}

function openInNewTab(link: HTMLAnchorElement): void {
  link.target = '_blank';
  link.rel = 'noopener';
}

/**
 * Shows below an input why its value was refused, and moves the keyboard focus to the input. After a success, removes
 * the text.
 */
export function showFieldFailure(inputId: string, errorId: string, reply: { ok: true } | PageFailure): void {
  const input = byId(inputId, HTMLInputElement);
  showFailure(errorId, reply);
  if (reply.ok) {
    input.removeAttribute('aria-invalid');
    return;
  }
  input.setAttribute('aria-invalid', 'true');
  moveFocus(input.id);
}

/** Moves the keyboard focus to an element, unless the user is typing or choosing something in an input. */
export function moveFocus(id: string): void {
  const focused = document.activeElement;
  const isInput = focused?.matches('input, select, textarea') === true;
  if (!isInput || focused.getClientRects().length === 0) byId(id, HTMLElement).focus();
}

/** Replaces the options of a select element. Each option is a pair of value and label. `chosen`: the selected value. */
export function setOptions(id: string, options: readonly (readonly [string, string])[], chosen: string): void {
  const select = byId(id, HTMLSelectElement);
  select.replaceChildren(...options.map(([value, label]) => new Option(label, value, false, value === chosen)));
}

/** Selects the option of a select element with this value. An unknown value changes nothing. */
export function selectKnown(id: string, value: string | undefined): void {
  const select = byId(id, HTMLSelectElement);
  const known = [...select.options].find((option) => option.value === value);
  if (known !== undefined) select.value = known.value;
}

/** The buttons that are disabled because of running tasks, with the number of these tasks and the usual label. */
const busyButtons = new Map<HTMLButtonElement, { tasks: number; label: string }>();

/**
 * Runs an asynchronous task. Until the task ends, the button is disabled and has another label, so that the user cannot
 * press it twice. `others`: the IDs of further buttons that must not be pressed during the task.
 */
export async function whileBusy<T>(
  pressed: string | HTMLButtonElement,
  label: string,
  work: () => Promise<T>,
  others: readonly string[] = [],
): Promise<T> {
  const button = typeof pressed === 'string' ? byId(pressed, HTMLButtonElement) : pressed;
  const buttons = [button, ...others.map((id) => byId(id, HTMLButtonElement))];
  const hadFocus = document.activeElement === button;
  for (const one of buttons) disable(one);
  button.textContent = label;
  try {
    return await work();
  } finally {
    for (const one of buttons) enable(one);
    // Returns the keyboard focus to the button, which lost the focus when it was disabled.
    if (hadFocus && document.activeElement === document.body) button.focus({ preventScroll: true });
  }
}

/** Returns true while a task keeps this button disabled. */
export function isBusy(id: string): boolean {
  return busyButtons.has(byId(id, HTMLButtonElement));
}

function disable(button: HTMLButtonElement): void {
  const { tasks, label } = busyButtons.get(button) ?? { tasks: 0, label: button.textContent };
  busyButtons.set(button, { tasks: tasks + 1, label });
  button.disabled = true;
}

/** Ends one task of a button. After its last task, the button is enabled and has its usual label. */
function enable(button: HTMLButtonElement): void {
  const { tasks, label } = busyButtons.get(button) ?? { tasks: 1, label: button.textContent };
  if (tasks > 1) {
    busyButtons.set(button, { tasks: tasks - 1, label });
    return;
  }
  busyButtons.delete(button);
  button.disabled = false;
  // The text of a button is not replaced with the same text, because this would remove the button's icon.
  if (button.textContent !== label) button.textContent = label;
}

/**
 * Calls `submit` when the user submits the form, and prevents the browser from leaving the page. Throws when no form
 * has the id.
 */
export function onSubmit(formId: string, submit: () => void): void {
  byId(formId, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
}

export function onClick(id: string, click: () => void): void {
  byId(id, HTMLButtonElement).addEventListener('click', click);
}

/** Returns a number followed by a word in the singular or plural, such as "1 row" or "1,234 rows". */
export function counted(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;
}
