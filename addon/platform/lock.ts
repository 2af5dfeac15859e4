import { hashOf } from '../text.ts';
import { asObject } from './client.ts';
import { PlainError } from './page-call.ts';
import { keyStores } from './platform.ts';

const lockWaitMs = 20_000;

/**
 * True while this execution holds the lock. Without this variable, an inner {@link holdLock} would release the lock of
 * the outer one, because Apps Script does not count how often an execution took a lock.
 */
let isHeld = false;

/**
 * Calls a function while it holds the lock of the spreadsheet. Everything that the function writes into cells is
 * written before the lock is released.
 *
 * @param notDone a sentence that the error contains and that says what was not done.
 * @throws PlainError when another window or trigger holds the lock for more than 20 seconds.
 */
export function holdLock<T>(work: () => T, notDone = ''): T {
  if (isHeld) return work();
  const lock = LockService.getDocumentLock();
  if (lock === null || !lock.tryLock(lockWaitMs)) {
    const sentences = ['Another user or window is writing to this file.', notDone, 'Try again in a minute.'];
    throw new PlainError(sentences.filter((sentence) => sentence !== '').join(' '));
  }
  isHeld = true;
  try {
    return work();
  } finally {
    isHeld = false;
    try {
      // Apps Script delays writing into cells. Without this call, the next execution that gets the lock would read the
      // old cells.
      SpreadsheetApp.flush();
    } finally {
      lock.releaseLock();
    }
  }
}

/**
 * A press of a button in the sidebar. `id`: the ID that the sidebar made for this and all further presses until an
 * answer arrives. `input`: the values that the press sent and the selected cells. A press with the same ID but another
 * input is a new press.
 */
type Press = { button: string; id: unknown; input: unknown };

/**
 * Calls a function while it holds the lock of the spreadsheet, but only once for each press of a button. When the
 * answer was lost and the user presses again, returns the first reply. Saves the reply of the last press of each button
 * with the user's account, so it must be short.
 *
 * @returns `again`: true when an earlier call had already done the work.
 * @throws PlainError in the same cases as {@link holdLock}.
 */
export function holdLockOnce<T>({ button, id, input }: Press, work: () => T): { reply: T; again: boolean } {
  return holdLock(() => {
    if (typeof id !== 'string') return { reply: work(), again: false };
    const { user, file_id } = keyStores();
    const property = `pressed_${button}`;
    const press = hashOf(JSON.stringify([id, file_id, input]));
    const last = asObject(JSON.parse(user.getProperty(property) ?? 'null'));
    if (last?.press === press) return { reply: last.reply as T, again: true };
    const reply = work();
    user.setProperty(property, JSON.stringify({ press, reply }));
    return { reply, again: false };
  });
}

/** Returns the message for a press of a button. When an earlier press had already done the work, says so. */
export function pressMessage(message: string, again: boolean): string {
  return again ? `${message} Your first press of the button had already done this, so nothing ran twice.` : message;
}
