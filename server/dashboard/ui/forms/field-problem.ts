/** The reason why a form was refused, and the name of the field that the reason is about. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** The reason why a form was refused. A plain string is about the whole form and is shown above it. */
export type Problem = string | FieldProblem;

/**
 * Returns the reason why a form was refused, for one field of the form. Without a field, the reason is about the whole
 * form.
 */
export function at(field: string | null | undefined, message: string): Problem {
  return field ? { field, message } : message;
}

const noticeOfField = /<p class="notice bad" role="alert" data-field="([\w-]+)">(.*?)<\/p>/s;

/**
 * Returns the HTML of a page with each error message about a form field moved to that field. The first such field gets
 * the focus. When several forms have the field, the form with the action `path` is used. When `sent` is true, an error
 * message about the whole form is moved into the form and gets the focus. Every page passes through this function, so
 * forms need no code of their own for this.
 */
export function moveProblem(page: string, path = '', sent = false): string {
  const count = page.split(' data-field="').length - 1;
  let moved = page;
  for (let index = 0; index < count; index += 1) moved = moveFieldProblem(moved, path);
  return sent && !moved.includes(' autofocus') ? moveFormProblem(moved, path) : moved;
}

const noticeOfForm = /<p class="notice bad" role="alert"(?: data-field="[\w-]+")?>.*?<\/p>/s;

/**
 * Moves the error message to the start of the form that was sent. When the page has no such form, the message stays
 * where it is.
 */
function moveFormProblem(page: string, path: string): string {
  const found = noticeOfForm.exec(page);
  if (!found) return page;
  const focused = found[0].replace('<p ', '<p tabindex="-1" autofocus ');
  const rest = page.slice(0, found.index) + page.slice(found.index + found[0].length);
  const form = formsIn(rest).find(({ 0: text }) => actionOf(text) === path);
  if (!form) return page.slice(0, found.index) + focused + page.slice(found.index + found[0].length);
  const start = form.index + form[0].indexOf('>') + 1;
  return `${openDetails(rest.slice(0, start))}${focused}${rest.slice(start)}`;
}

const formsIn = (page: string) => [...page.matchAll(/<form\b[^>]*\bmethod="post"[^>]*>.*?<\/form>/gs)];
const actionOf = (form: string) => /\baction="([^"?#]*)/.exec(form)?.[1] ?? '';

function moveFieldProblem(page: string, path: string): string {
  const [noticed, name, message] = noticeOfField.exec(page) ?? [];
  if (noticed === undefined || name === undefined || message === undefined) return page;
  const rest = page.replace(noticed, '');
  const hasPath = (form: string) => actionOf(form) === path;
  const ordered = formsIn(rest).toSorted(([a], [b]) => Number(hasPath(b)) - Number(hasPath(a)));
  for (const { 0: form, index } of ordered) {
    const control = controlIn(form, name);
    if (!control) continue;
    const start = index + control.index;
    const marked = mark(control[0], name, !page.includes(' autofocus'));
    const after = rest.slice(start + control[0].length);
    const error = `<p class="error" id="${name}-error">${message}</p>`;
    return `${openDetails(rest.slice(0, start))}${marked}${insertAtEnd(after, control[0], error)}`;
  }
  return page;
}

function controlIn(form: string, name: string): RegExpExecArray | null {
  return new RegExp(`<(?:input(?![^>]*type="hidden")|select|textarea)\\b[^>]*\\bname="${name}"[^>]*>`).exec(form);
}

/**
 * Returns the HTML tag of an invalid form field, which then refers to its error text. When `focus` is true, the field
 * gets the focus.
 */
function mark(tag: string, name: string, focus: boolean): string {
  const described = / aria-describedby="([^"]*)"/.exec(tag);
  const without = described ? tag.replace(described[0], '') : tag;
  const about = [described?.[1], `${name}-error`].filter(Boolean).join(' ');
  return without.replace(/>$/, ` aria-describedby="${about}" aria-invalid="true"${focus ? ' autofocus' : ''}>`);
}

/** Inserts the error text at the end of the block around a form field, or right after a field without a block. */
function insertAtEnd(after: string, tag: string, error: string): string {
  const kind = /^<(\w+)/.exec(tag)?.[1] ?? '';
  const own = kind === 'input' ? 0 : after.indexOf(`</${kind}>`) + kind.length + 3;
  const block = /^(?:(?!<(?:div|fieldset|form)\b|<\/form>).)*?(?=<\/(?:div|fieldset)>)/s.exec(after.slice(own));
  const end = own + (block?.[0].length ?? 0);
  return `${after.slice(0, end)}${error}${after.slice(end)}`;
}

/**
 * Opens the `<details>` elements around a form field. `before` is the HTML before the field, in which these elements
 * begin but do not end.
 */
function openDetails(before: string): string {
  const open: number[] = [];
  for (const { 0: tag, index } of before.matchAll(/<details\b[^>]*>|<\/details>/g)) {
    if (tag === '</details>') open.pop();
    else if (/^<details\b/.test(tag)) open.push(/\sopen\b/.test(tag) ? -1 : index);
  }
  return open
    .filter((index) => index >= 0)
    .toReversed()
    .reduce((page, index) => `${page.slice(0, index)}<details open${page.slice(index + '<details'.length)}`, before);
}
