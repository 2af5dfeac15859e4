/** Maximum milliseconds for which a pressed button delays the answers of the server code. */
const delayMaxMs = 1_000;

/** Fulfilled when no button is pressed and the click of the last press was handled. */
let released: Promise<void> = Promise.resolve();

/**
 * Watches whether a button is pressed. Answers of the server code wait until it is released, see {@link afterPress},
 * because they can move the button away from the mouse.
 */
export function startPresses(): void {
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && target.closest('button') !== null) released = release();
  });
}

/** Returns a promise that ends when the button that is pressed now is released. */
function release(): Promise<void> {
  return new Promise((resolve) => {
    // The browser reports the click directly after the end of the press.
    const end = (): void => void window.setTimeout(resolve);
    for (const name of ['pointerup', 'pointercancel']) document.addEventListener(name, end, { once: true });
    window.setTimeout(resolve, delayMaxMs);
  });
}

/** Returns the answer as soon as the user presses no button. */
export async function afterPress<T>(answer: T): Promise<T> {
  await released;
  return answer;
}
