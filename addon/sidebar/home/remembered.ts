import type { Choices } from '../../platform/choices.ts';
import { callServer } from '../call.ts';

/** Milliseconds without another change after which the choices are saved, so that several quick changes need only one call. */
const saveDelayMs = 700;

let remembered: Choices = {};
let timer = 0;
const listeners: (() => void)[] = [];

/** Returns the choices of the user. They are empty until the first answer of the server. */
export function choices(): Choices {
  return remembered;
}

/** Calls the function when the saved choices have arrived. */
export function whenRecalled(listener: () => void): void {
  listeners.push(listener);
}

/** Sets the saved choices when they have arrived. A choice that the user has made before then has precedence. */
export function recall(saved: Choices): void {
  remembered = merge(saved, remembered);
  for (const listener of listeners) listener();
}

/** Changes some choices and saves all of them soon. A failure to save them is ignored. */
export function remember(changed: Choices): void {
  remembered = merge(remembered, changed);
  window.clearTimeout(timer);
  timer = window.setTimeout(save, saveDelayMs);
}

/** Changes some choices and saves all of them at once. Use this for choices that the user would miss if they were lost. */
export function rememberNow(changed: Choices): void {
  remembered = merge(remembered, changed);
  save();
}

function save(): void {
  window.clearTimeout(timer);
  void callServer('sidebarRemember', remembered);
}

function merge(before: Choices, changed: Choices): Choices {
  return {
    ...before,
    ...changed,
    fields: { ...before.fields, ...changed.fields },
    ages: { ...before.ages, ...changed.ages },
    platforms: { ...before.platforms, ...changed.platforms },
  };
}
