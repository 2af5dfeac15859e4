interface Revocable {
  revoked_at: Date | null;
  expires_at: Date | null;
}

/**
 * Returns the state of an API key or link at the time `now`. A key or link that is both revoked and expired is
 * `revoked`.
 */
export function validityOf({ revoked_at, expires_at }: Revocable, now: Date): 'active' | 'revoked' | 'expired' {
  if (revoked_at) return 'revoked';
  return expires_at && expires_at <= now ? 'expired' : 'active';
}
