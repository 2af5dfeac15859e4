import { z } from 'zod';

/** `needs_code`: no session was opened yet, and the user must enter a two-factor code. `message`: one sentence that tells the user why the form failed. */
export type FormResult =
  | { ok: true; cookies: string[]; email: string | null; needs_code: boolean }
  | { ok: false; message: string };

/** The parts of an answer of the library that are read. Not every answer has them. */
const answered = z.object({
  user: z.object({ email: z.string() }).nullish(),
  twoFactorRedirect: z.boolean().optional(),
});

/** Runs a form. Turns a refusal of the library into `refusal`; any other error is thrown. */
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

/** Returns true for an error by which the library refuses a request, and false for a failure. */
export function isRefusal(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  return code >= 300 && code < 500;
}
