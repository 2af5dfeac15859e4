/**
 * Returns a new random ID. The sidebar makes an ID for each form or button that creates something, and sends the ID
 * with each press. When the answer to the first press was lost, the server code recognizes the second press by its ID.
 */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint32Array(3))].map((number) => number.toString(36).padStart(7, '0')).join('');
}

/**
 * Creates the ID that a button sends with each press. `id` returns the same ID until `answered` gets an answer without
 * a failure.
 */
export function createPress(): { id: () => string; answered: (reply: { ok: boolean }) => void } {
  let id = newId();
  return {
    id: () => id,
    answered({ ok }) {
      if (ok) id = newId();
    },
  };
}
