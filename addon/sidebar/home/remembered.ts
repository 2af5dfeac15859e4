import type { Choices } from '../../platform/choices.ts';
import { callServer } from '../call.ts';
import { createQueue } from '../order.ts';

/**
 * Milliseconds without another change after which the choices of the user are saved. Several quick changes then need
 * only one call to the server code.
 */
const saveDelayMs = 700;
/** Milliseconds after which choices that could not be saved are saved once more. */
const retryDelayMs = 5_000;

let remembered: Choices = {};
let timer = 0;
/** True after the earlier choices were loaded. Nothing is saved before, because saving replaces the earlier choices. */
let isRecalled = false;
/**
 * True when the user made a choice before the earlier choices were loaded. The new choice is saved once they are
 * loaded.
 */
let isChanged = false;
const listeners: (() => void)[] = [];
const inOrder = createQueue();

/** Returns the choices of the user, including those from earlier sessions after the server code has returned them. */
export function choices(): Choices {
  return remembered;
}

/** Calls the function after the earlier choices of the user were loaded. */
export function whenRecalled(listener: () => void): void {
  listeners.push(listener);
}

/**
 * Applies the earlier choices of the user after they were loaded. Choices that the user has made in the meantime are
 * kept and saved.
 */
export function recall(saved: Choices): void {
  remembered = merge(saved, remembered);
  isRecalled = true;
  if (isChanged) void save();
  for (const listener of listeners) listener();
}

/** Changes some choices of the user and saves all of them after a short delay. Tries once more after a failure. */
export function remember(changed: Choices): void {
  remembered = merge(remembered, changed);
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void save(), saveDelayMs);
}

/**
 * Changes some choices of the user and saves all of them without delay. Meant for choices that the user would miss if
 * they were lost.
 */
export function rememberNow(changed: Choices): void {
  remembered = merge(remembered, changed);
  void save();
}

async function save(isRetry = false): Promise<void> {
  window.clearTimeout(timer);
  isChanged = !isRecalled;
  if (!isRecalled) return;
  const sent = remembered;
  const reply = await inOrder(() => callServer('sidebarRemember', sent));
  // After a newer choice, no retry is needed, because saving that choice saves all choices.
  if (reply.ok || isRetry || remembered !== sent) return;
  timer = window.setTimeout(() => void save(true), retryDelayMs);
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
