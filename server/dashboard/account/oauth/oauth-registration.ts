import { z } from 'zod';

/** OAuth scopes: `mcp` allows calls of the MCP tools, `offline_access` allows refresh tokens. */
export const oauthScopes = ['mcp', 'offline_access'];

const limits = { name_characters: 80, redirect_uris: 10, uri_characters: 500 };
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];
/**
 * Matches an origin (scheme, host and port) without `;`, `,` and spaces. The host of a URL may contain these
 * characters, but each of them would end the host's entry in a Content-Security-Policy.
 */
const plainOrigin = /^https?:\/\/[a-z0-9.:[\]_-]+$/;

const registration = z.looseObject({
  client_name: z
    .string()
    .max(limits.name_characters, `client_name can have at most ${limits.name_characters} characters.`)
    .regex(/^\P{Cc}*$/u, 'client_name must be one line of text.')
    .optional(),
  redirect_uris: z
    .array(z.string().refine(isAllowedRedirect, { error: ({ input }) => refusedRedirect(String(input)) }))
    .min(1, 'redirect_uris must have at least 1 address.')
    .max(limits.redirect_uris, `redirect_uris can have at most ${limits.redirect_uris} addresses.`),
  application_type: z.string().optional(),
});

/** Result of checking the registration of an OAuth client: valid data to store, or an error with a code of RFC 7591. */
type CheckedRegistration =
  | { ok: true; body: z.infer<typeof registration> }
  | { ok: false; error: string; description: string };

/**
 * Checks the registration of an OAuth client. When all its redirect URLs lead to the user's own computer, the client is
 * registered as a native application, because most native clients do not state their type.
 */
export function checkRegistration(sent: unknown): CheckedRegistration {
  const { success, data: body, error } = registration.safeParse(sent);
  if (!success) {
    const [issue] = error.issues;
    const code = issue?.path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    return { ok: false, error: code, description: issue?.message ?? 'The registration must be a JSON object.' };
  }
  const native = body.application_type === undefined && body.redirect_uris.every(isLoopback);
  return { ok: true, body: native ? { ...body, application_type: 'native' } : body };
}

/**
 * Returns the origin of a redirect URL for a Content-Security-Policy, or null when the policy cannot contain this
 * origin.
 */
export function redirectOrigin(uri: string): string | null {
  const origin = URL.parse(uri)?.origin ?? '';
  return plainOrigin.test(origin) ? origin : null;
}

function isAllowedRedirect(uri: string): boolean {
  if (uri.length > limits.uri_characters || /[*\p{Cc}]/u.test(uri) || redirectOrigin(uri) === null) return false;
  return URL.parse(uri)?.protocol === 'https:' || isLoopback(uri);
}

/** Returns true for a redirect URL that leads to the user's own computer. */
export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === 'http:' && loopbackHosts.includes(url.hostname);
}

function refusedRedirect(uri: string): string {
  return `The address "${uri.slice(0, 100)}" in redirect_uris is not allowed. Use https://, or http:// with 127.0.0.1, localhost or [::1], without *, and at most ${limits.uri_characters} characters.`;
}
