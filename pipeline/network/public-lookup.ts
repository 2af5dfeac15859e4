import { lookup } from 'node:dns';
import { BlockList, type LookupFunction } from 'node:net';

/**
 * IP address ranges that are not publicly reachable: special-purpose ranges of IANA's registries, multicast and
 * deprecated ranges.
 */
const reserved = rangesOf(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  2001::/23 2001:db8::/32 2002::/16 3fff::/20`);
/**
 * The only IPv6 range that is routed on the internet. The range excludes loopback, local, multicast and IPv4-compatible
 * addresses.
 */
const globalUnicast = rangesOf('2000::/3');
/** IPv6 ranges whose addresses contain an IPv4 address in the last 32 bits: IPv4-mapped addresses and NAT64. */
const carriesIpv4 = rangesOf('::ffff:0:0/96 64:ff9b::/96');

function rangesOf(text: string): BlockList {
  const list = new BlockList();
  for (const range of text.trim().split(/\s+/)) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * Returns true for an IP address on the public internet. Returns false for tunnel addresses (6to4, Teredo), because
 * they can lead to private networks.
 */
export function isPublicAddress(address: string, family: number): boolean {
  if (family !== 6) return !reserved.check(address, 'ipv4');
  if (carriesIpv4.check(address, 'ipv6')) return !reserved.check(lastIpv4(address), 'ipv4');
  return globalUnicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** Returns the last 32 bits of an IPv6 address as an IPv4 address. */
function lastIpv4(address: string): string {
  // The URL parser converts every notation of an IPv6 address to hexadecimal groups.
  const [high = '0', low = '0'] = new URL(`http://[${address.split('%')[0]}]`).hostname
    .slice(1, -1)
    .split(':')
    .slice(-2);
  return [high, low]
    .flatMap((group) => [Number.parseInt(group || '0', 16) >> 8, Number.parseInt(group || '0', 16) & 255])
    .join('.');
}

/** Resolves host names for outgoing connections. Returns public IP addresses only. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const open = error ? [] : addresses.filter(({ address, family }) => isPublicAddress(address, family));
    const first = open[0];
    if (error || first === undefined) {
      callback(error ?? new Error(`${hostname} has no public IP address`), '', 0);
    } else if (options.all) {
      callback(null, open);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
