import type { DBAdapter } from 'better-auth';
import { isEndedSession } from '../../../../db/accounts/connections.ts';

/**
 * Wraps the database adapter of the sign-in library. A token that is stored while its session ends is stored without
 * the session, as if the session had ended a moment later. Without this, a sign-out while an OAuth app refreshes its
 * token would disconnect the app, because the app has already used its old token.
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
        if (!isEndedSession(error)) throw error;
        return adapter.create({ ...input, data: { ...input.data, sessionId: null } });
      }
    };
    return { ...adapter, create };
  };
}
