/** The element of this id. @throws Error when the page has none of this kind: a fault of ours. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`);
  return found;
}

/** Shows text as text, whatever it holds. */
export function setText(id: string, text: string): void {
  byId(id, HTMLElement).textContent = text;
}

export function show(id: string, shown: boolean): void {
  byId(id, HTMLElement).hidden = !shown;
}

/** A new element with text in it. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  className = '',
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

/** Says below a field what is wrong with it; an empty text takes that back. */
export function setFieldError(inputId: string, errorId: string, text: string): void {
  const input = byId(inputId, HTMLInputElement);
  setText(errorId, text);
  if (text === '') {
    input.removeAttribute('aria-invalid');
    return;
  }
  input.setAttribute('aria-invalid', 'true');
  input.focus();
}

/** Fills a choice list; each option is a value and its words. */
export function setOptions(id: string, options: readonly (readonly [string, string])[], chosen: string): void {
  const select = byId(id, HTMLSelectElement);
  select.replaceChildren(...options.map(([value, words]) => new Option(words, value, false, value === chosen)));
}

/** Runs while a button shows that it is at work, so that nobody presses it twice. */
export async function busy<T>(buttonId: string, words: string, work: () => Promise<T>): Promise<T> {
  const button = byId(buttonId, HTMLButtonElement);
  const resting = button.textContent;
  button.disabled = true;
  button.textContent = words;
  try {
    return await work();
  } finally {
    button.disabled = false;
    button.textContent = resting;
  }
}

export function onSubmit(formId: string, submit: () => void): void {
  byId(formId, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
}

export function onClick(id: string, click: () => void): void {
  byId(id, HTMLButtonElement).addEventListener('click', click);
}

/** `1234` as people read it; one word for one, another for more. */
export function counted(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;
}
