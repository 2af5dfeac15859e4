import { z } from 'zod';

/**
 * Result of a sign-in form. After success, `cookies` are the cookies to set, and `email` is the user's email, or null
 * when the library does not return it. When `needs_code` is true, no session is open yet and the user must enter a
 * two-factor code.
 */
export type FormResult = { ok: true; cookies: string[]; email: string | null; needs_code: boolean } | Refused;

/**
 * A failure with one sentence for the user. `field` is `code` when the password was right but the two-factor code was
 * wrong.
 */
export interface Refused {
  ok: false;
  message: string;
  field?: 'code';
}

/**
 * Schema of the fields that this server reads from a response of the sign-in library. Some responses contain none of
 * these fields.
 */
const answered = z.object({
  user: z.object({ email: z.string() }).nullish(),
  twoFactorRedirect: z.boolean().optional(),
});

/**
 * Runs one action of the sign-in library. When the library refuses the action, returns the message `refusal`. Rethrows
 * every other error.
 */
export async function formResult(
  work: () => Promise<{ headers: Headers; response: unknown }>,
  refusal: string,
): Promise<FormResult> {
  try {
    const { headers, response } = await work();
    const found = answered.safeParse(response).data;
    return {
      ok: true,
      cookies: headers.getSetCookie(),
      email: found?.user?.email ?? null,
      needs_code: found?.twoFactorRedirect === true,
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, message: refusal };
  }
}

/** Returns true when the sign-in library refused a request (HTTP status 300 to 499), and false for any other error. */
export function isRefusal(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  return code >= 300 && code < 500;
}

/**
 * Returns true for an error about a violated unique index. The sign-in library wraps a database error and keeps it as
 * the `cause`.
 */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && (error.cause as { code?: unknown } | undefined)?.code === '23505';
}
