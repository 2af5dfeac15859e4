/** Maximum milliseconds for which a pressed button delays the answers of the server code. */
const delayMaxMs = 1_000;

/** Fulfilled when no button is pressed and the click of the last press was handled. */
let released: Promise<void> = Promise.resolve();

/**
 * Watches whether a button is pressed. Answers of the server code wait until the button is released, see {@link
 * afterPress}, because showing an answer can move the button away from the pointer.
 */
export function startPresses(): void {
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && target.closest('button') !== null) released = release();
  });
}

/** Returns a promise that is fulfilled when the pressed button is released, or after {@link delayMaxMs}. */
function release(): Promise<void> {
  return new Promise((resolve) => {
    // The click event follows the end of the press. The timeout lets the click be handled before the promise is
    // fulfilled.
    const end = (): void => void window.setTimeout(resolve);
    for (const name of ['pointerup', 'pointercancel']) document.addEventListener(name, end, { once: true });
    window.setTimeout(resolve, delayMaxMs);
  });
}

/** Waits until the user presses no button, then returns the answer. */
export async function afterPress<T>(answer: T): Promise<T> {
  await released;
  return answer;
}
