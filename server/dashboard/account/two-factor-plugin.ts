import { createAuthEndpoint } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';

/** Name of the cookie that identifies a sign-in that waits for a two-factor code. */
const codeCookie = 'two_factor';

/**
 * Endpoints of the sign-in library that open a session, after which the plugin must ask for a two-factor code. By
 * default, the plugin asks only after a sign-in with a password.
 */
const sessionOpeners = ['/sign-in/email', '/magic-link/verify', '/verify-email'];

/**
 * Returns the library's plugin for two-factor sign-in, changed to ask for a code after every endpoint in
 * `sessionOpeners`.
 */
export function twoFactorPlugin() {
  const plugin = twoFactor({ issuer: 'Tidemark' });
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: ({ path }: { path?: string }) => sessionOpeners.includes(path ?? ''),
  }));
  return { ...plugin, hooks: { after }, endpoints: { ...plugin.endpoints, pendingSignIn } };
}

/**
 * Returns the user whose sign-in waits for a two-factor code, or null. This endpoint has no path, so no HTTP request
 * can reach it.
 */
const pendingSignIn = createAuthEndpoint.serverOnly({ method: 'GET' }, async (ctx) => {
  const { createAuthCookie, internalAdapter, secret } = ctx.context;
  const identifier = await ctx.getSignedCookie(createAuthCookie(codeCookie).name, secret);
  const pending = identifier ? await internalAdapter.findVerificationValue(identifier) : null;
  if (!pending || pending.expiresAt <= new Date()) return ctx.json(null);
  const user = await internalAdapter.findUserById(pending.value);
  return ctx.json(user && { user_id: user.id, email: user.email });
});
