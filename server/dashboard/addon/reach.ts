import { isPublicHost } from '../../../pipeline/network/outbound.ts';

/**
 * The computers that can reach the server. `public`: Google's computers, over https. `insecure`: the server's address is
 * public, but begins with http, which the add-on may not call. `private`: only this computer or its network.
 */
export type Reach = 'public' | 'insecure' | 'private';

export function reachOf(baseUrl: string): Reach {
  const { protocol, hostname } = new URL(baseUrl);
  if (!isPublicHost(hostname)) return 'private';
  return protocol === 'https:' ? 'public' : 'insecure';
}
