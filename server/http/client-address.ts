import { BlockList, isIP } from 'node:net';
import type { Context } from 'hono';

/** The trusted proxies in front of the server: their number, or the networks that they are in. */
export type TrustedProxies = number | BlockList;

const maxHops = 10;
/**
 * Maximum characters of X-Forwarded-For that are read. The end of the header is read, because the nearest proxies
 * append their entries there.
 */
const maxForwarded = 2_000;

/**
 * Reads the setting TRUST_PROXY: a number of proxies, or a list of IP addresses and networks. Returns null when it is
 * neither.
 */
export function readTrustedProxies(text: string): TrustedProxies | null {
  if (/^\d{1,2}$/.test(text)) return Number(text) <= maxHops ? Number(text) : null;
  const networks = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) if (!addNetwork(networks, entry)) return null;
  return networks;
}

/** Adds an IP address or a network in CIDR notation to the list. Returns false when `entry` is neither. */
export function addNetwork(networks: BlockList, entry: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  if (version === 0 || Number(bits ?? 0) > longest) return false;
  networks.addSubnet(address, Number(bits ?? longest), familyOf(address));
  return true;
}

/** Returns true when one of the networks contains the IP address. */
export function isInNetworks(networks: BlockList, address: string): boolean {
  return isIP(address) !== 0 && networks.check(address, familyOf(address));
}

/** Returns the IP address of the client that sent a request, or '' when it is unknown. */
export type ClientAddress = (c: Context) => string;

/**
 * Creates the only function that reads the IP address of a client. In X-Forwarded-For, this function uses only the
 * entries that trusted proxies added, because the client itself can write the entries before them.
 */
export function createClientAddress(trusted: TrustedProxies): ClientAddress {
  return (c) => {
    const connection = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
    const peer = plainAddress(connection?.incoming?.socket?.remoteAddress ?? '');
    const forwarded = trusted === 0 ? '' : (c.req.header('x-forwarded-for') ?? '').slice(-maxForwarded);
    const earlier = forwarded.split(',').map(plainAddress).reverse();
    let address = peer;
    for (const [hops, next] of earlier.entries()) {
      const believed = typeof trusted === 'number' ? hops < trusted : isInNetworks(trusted, address);
      if (!believed || isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

/**
 * Returns the network that counts as one client for rate limits: the IPv4 address itself, or the /64 network of an IPv6
 * address.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Returns an IP address without port, brackets and zone. An IPv4 address in IPv6 form becomes IPv4. */
function plainAddress(text: string): string {
  const trimmed = text.trim().toLowerCase();
  const [, inner = trimmed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? /^([\d.]+):\d+$/.exec(trimmed) ?? [];
  return inner.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
