import { expect, test } from 'vitest';
import { isPublicAddress, publicLookup } from '../../../pipeline/network/public-lookup.ts';

test.each([
  ['127.0.0.1', 4],
  ['10.1.2.3', 4],
  ['172.31.255.255', 4],
  ['192.168.0.1', 4],
  ['169.254.169.254', 4],
  ['100.64.0.1', 4],
  ['0.0.0.0', 4],
  ['255.255.255.255', 4],
  ['::1', 6],
  ['::', 6],
  ['::ffff:127.0.0.1', 6],
  ['::ffff:a00:1', 6],
  ['fd00::1', 6],
  ['fe80::1', 6],
  ['fe80::1%eth0', 6],
  ['::127.0.0.1', 6],
  ['::7f00:1', 6],
  ['64:ff9b::7f00:1', 6],
  ['64:ff9b::10.0.0.1', 6],
  ['64:ff9b:1::1', 6],
  ['2002:7f00:1::', 6],
  ['2001::1', 6],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 6],
  ['2001:2::1', 6],
  ['2001:10::1', 6],
  ['2001:db8::1', 6],
  ['3fff::1', 6],
  ['5f00::1', 6],
  ['100::1', 6],
  ['fec0::1', 6],
  ['ff02::1', 6],
  ['192.0.0.170', 4],
  ['198.18.0.1', 4],
  ['240.0.0.1', 4],
])('the IP address %s is not public', (address, family) => {
  expect(isPublicAddress(address, family)).toBe(false);
});

test.each([
  ['157.240.1.1', 4],
  ['172.32.0.1', 4],
  ['2a03:2880::1', 6],
  ['::ffff:157.240.1.1', 6],
  ['64:ff9b::9df0:101', 6],
  ['64:ff9b::157.240.1.1', 6],
  ['2606:4700::1111', 6],
])('the IP address %s is public', (address, family) => {
  expect(isPublicAddress(address, family)).toBe(true);
});

test('a host name is resolved to its public addresses, to one or to all, as the connection requests', async () => {
  const resolved = (name: string, options: { all?: boolean }) =>
    new Promise((resolve) => publicLookup(name, options, (error, address) => resolve(error?.message ?? address)));
  expect(await resolved('157.240.1.1', {})).toBe('157.240.1.1');
  expect(await resolved('157.240.1.1', { all: true })).toEqual([{ address: '157.240.1.1', family: 4 }]);
  expect(await resolved('10.0.0.1', {})).toBe('10.0.0.1 has no public IP address');
});
