import { lookup } from 'node:dns';
import { BlockList, type LookupFunction } from 'node:net';

const reservedRanges = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '::/127 64:ff9b:1::/48 100::/64 2001:db8::/32 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
];

/** The list also checks IPv4 addresses written as IPv6. */
const reserved = new BlockList();
for (const range of reservedRanges.join(' ').split(' ')) {
  const [net = '', prefix] = range.split('/');
  reserved.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
}

/** Returns true for an IP address on the public internet: not private, loopback, link-local, reserved or multicast. */
export function isPublicAddress(address: string, family: number): boolean {
  return !reserved.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Resolves host names for outgoing connections, and returns public addresses only. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const open = error ? [] : addresses.filter(({ address, family }) => isPublicAddress(address, family));
    const first = open[0];
    if (error || first === undefined) {
      callback(error ?? new Error(`${hostname} has no public address`), '', 0);
    } else if (options.all) {
      callback(null, open);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
