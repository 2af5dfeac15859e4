import type { Choices } from '../../platform/choices.ts';
import { callServer } from '../call.ts';

/** Time without another change before the choices are saved, so that several quick changes are one call. */
const saveDelayMs = 1_500;

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

/** Takes the saved choices. What the user has chosen in the meantime has precedence. */
export function recall(saved: Choices): void {
  remembered = merge(saved, remembered);
  for (const listener of listeners) listener();
}

/** Changes some choices and saves all of them soon. A choice that cannot be saved is only forgotten. */
export function remember(changed: Choices): void {
  remembered = merge(remembered, changed);
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void callServer('sidebarRemember', remembered), saveDelayMs);
}

function merge(before: Choices, changed: Choices): Choices {
  return {
    ...before,
    ...changed,
    fields: { ...before.fields, ...changed.fields },
    ages: { ...before.ages, ...changed.ages },
  };
}
