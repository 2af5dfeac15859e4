import { isPublicHost } from '../../../pipeline/network/outbound.ts';

/**
 * Says which computers can call this server. `public`: Google's computers can, over https. `insecure`: the server's
 * address is public, but uses http, which the Google Sheets add-on may not call. `private`: only this computer or its
 * network can.
 */
export type Reach = 'public' | 'insecure' | 'private';

/** Returns which computers can call the server with this address. Reads only the address; it sends no request. */
export function reachOf(baseUrl: string): Reach {
  const { protocol, hostname } = new URL(baseUrl);
  if (!isPublicHost(hostname)) return 'private';
  return protocol === 'https:' ? 'public' : 'insecure';
}
