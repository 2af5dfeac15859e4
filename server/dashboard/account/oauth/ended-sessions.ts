import type { DBAdapter } from 'better-auth';
import { isEndedSession } from '../../../../db/accounts/connections.ts';

/**
 * Wraps the database adapter of the sign-in library. When the session of a new OAuth token has just ended, the token is
 * stored without the session. Otherwise, a sign-out while an app refreshes its token would disconnect the app, because
 * its old refresh token is already used. An access token without a refresh token is not stored then, because such a
 * token ends with its session.
 */
export function withEndedSessions<Options>(
  createAdapter: (options: Options) => DBAdapter,
): (options: Options) => DBAdapter {
  return (options) => {
    const adapter = createAdapter(options);
    const create: DBAdapter['create'] = async (input) => {
      try {
        return await adapter.create(input);
      } catch (error) {
        if (!isEndedSession(error) || !isOfRefreshToken(input)) throw error;
        return adapter.create({ ...input, data: { ...input.data, sessionId: null } });
      }
    };
    return { ...adapter, create };
  };
}

/** Returns true for a new refresh token and for an access token that belongs to one. */
function isOfRefreshToken({ model, data }: Parameters<DBAdapter['create']>[0]): boolean {
  return model === 'oauthRefreshToken' || typeof data.refreshId === 'string';
}
