import { isIP } from 'node:net';
import { html } from 'hono/html';
import type { Piece } from './components.ts';

interface PasskeyForm {
  /** `create` adds a new passkey, `get` uses an existing one. */
  action: 'create' | 'get';
  /** The options for the WebAuthn API as JSON. */
  options: string;
  label: string;
  hidden?: Piece;
}

/**
 * Returns a form whose button asks the browser for a passkey. The script of the page then sends the answer in the field
 * `answer`.
 */
export function passkeyForm(path: string, { action, options, label, hidden }: PasskeyForm): Piece {
  return html`<form method="post" action="${path}" data-passkey="${action}" data-options="${options}">
<input type="hidden" name="answer">${hidden ?? null}
<p class="notice bad" role="alert" hidden>The browser did not give a passkey. Try again, or use another way to sign in.</p>
<noscript><p class="notice bad">Passkeys need JavaScript.</p></noscript>
<button>${label}</button></form>`;
}

/** Returns false when the address of the server is an IP address, for which browsers refuse passkeys. */
export function canUsePasskeys(baseUrl: string): boolean {
  return isIP(new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')) === 0;
}
