import { z } from 'zod';
import type { Auth } from './auth.ts';
import { type FormResult, formResult } from './form-result.ts';
import type { OnceShown } from './two-factor.ts';

export interface PasskeyRow {
  passkey_id: string;
  name: string;
  created_at: Date | null;
}

/** Functions for passkeys. The options for the browser's WebAuthn API and the `answer` of this API are JSON texts. */
export interface PasskeyAccounts {
  listPasskeys(headers: Headers): Promise<PasskeyRow[]>;
  /**
   * Begins to create a passkey for the signed-in user. Returns the options for the browser, which are valid for five
   * minutes.
   */
  startPasskey(name: string, headers: Headers): Promise<OnceShown<string>>;
  addPasskey(created: { name: string; answer: string }, headers: Headers): Promise<FormResult>;
  removePasskey(passkeyId: string, headers: Headers): Promise<FormResult>;
  /** Begins a sign-in by passkey. Returns the options for the browser, which are valid for five minutes. */
  startPasskeySignIn(headers: Headers): Promise<OnceShown<string>>;
  signInByPasskey(answer: string, headers: Headers): Promise<FormResult>;
}

const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,8000}$/);
const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);
const credentialFields = {
  id: z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/),
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
};
/** Schema of the WebAuthn answer of a browser that created a passkey. Fields that are not listed are dropped. */
const createdPasskey = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).max(20).transform(knownTransports).optional(),
  }),
});
const usedPasskey = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
});

function knownTransports(names: readonly string[]): z.infer<typeof transport>[] {
  return names.flatMap((name) => transport.safeParse(name).data ?? []);
}

const notCreated = 'The passkey was not created. Start again; if it fails again, use another device or browser.';
const tooOld = 'For this change you must have signed in today. Sign out, sign in again, and add the passkey then.';
const wrongPasskey = 'The passkey was not accepted. Sign in with your password, or try again.';

/** Returns the functions for passkeys. `open` loads the sign-in library on the first call. */
export function passkeyActions(open: () => Promise<Auth>): PasskeyAccounts {
  return {
    async listPasskeys(headers) {
      const { api } = await open();
      const passkeys = await api.listPasskeys({ headers });
      return passkeys.map(({ id, name, createdAt }) => ({
        passkey_id: id,
        name: name ?? 'Passkey',
        created_at: createdAt ?? null,
      }));
    },
    async startPasskey(name, headers) {
      const { api } = await open();
      const start = () => api.generatePasskeyRegistrationOptions({ query: { name }, headers, returnHeaders: true });
      return optionsOf(start, tooOld);
    },
    async addPasskey({ name, answer }, headers) {
      const { api } = await open();
      const response = readAnswer(createdPasskey, answer);
      if (response === null) return { ok: false, message: notCreated };
      const add = () => api.verifyPasskeyRegistration({ body: { response, name }, headers, returnHeaders: true });
      return formResult(asRefusal(add), notCreated);
    },
    async removePasskey(passkeyId, headers) {
      const { api } = await open();
      const remove = () => api.deletePasskey({ body: { id: passkeyId }, headers, returnHeaders: true });
      return formResult(remove, 'This passkey no longer exists. Reload the page to see your passkeys.');
    },
    async startPasskeySignIn(headers) {
      const { api } = await open();
      const start = () => api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true });
      return optionsOf(start, wrongPasskey);
    },
    async signInByPasskey(answer, headers) {
      const { api } = await open();
      const response = readAnswer(usedPasskey, answer);
      if (response === null) return { ok: false, message: wrongPasskey };
      const signIn = () => api.verifyPasskeyAuthentication({ body: { response }, headers, returnHeaders: true });
      return formResult(signIn, wrongPasskey);
    },
  };
}

async function optionsOf(
  start: () => Promise<{ headers: Headers; response: unknown }>,
  refusal: string,
): Promise<OnceShown<string>> {
  let options: unknown;
  const result = await formResult(async () => {
    const answer = await start();
    options = answer.response;
    return answer;
  }, refusal);
  return result.ok ? { ok: true, cookies: result.cookies, shown: JSON.stringify(options) } : result;
}

function readAnswer<T>(schema: z.ZodType<T>, answer: string): T | null {
  try {
    return schema.parse(JSON.parse(answer));
  } catch {
    return null;
  }
}

/**
 * Wraps an action so that a passkey registration that cannot be verified is refused with status 400. The sign-in
 * library uses status 500, although only the browser's answer can cause this error.
 */
function asRefusal<T>(work: () => Promise<T>): () => Promise<T> {
  return () =>
    work().catch((error: unknown) => {
      const failed = error instanceof Error && error.message === 'Failed to verify registration';
      throw failed ? Object.assign(new Error(error.message, { cause: error }), { statusCode: 400 }) : error;
    });
}
