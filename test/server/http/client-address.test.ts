import type { Context } from 'hono';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../server/config.ts';
import { createClientAddress, networkOf, readTrustedProxies } from '../../../server/http/client-address.ts';

/**
 * Returns the client's IP address as the server determines it, for a request from `peer` with an X-Forwarded-For
 * header.
 */
function addressOf(trust: string, peer: string, forwarded?: string): string {
  const trusted = readTrustedProxies(trust) ?? expect.fail(`${trust} is refused`);
  const env = { incoming: { socket: { remoteAddress: peer } } };
  return createClientAddress(trusted)({ env, req: { header: () => forwarded } } as unknown as Context);
}

describe('the address of a client', () => {
  test.each([
    ['0', '10.0.0.1', '198.51.100.7', '10.0.0.1'],
    ['1', '10.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['2', '10.0.0.1', '203.0.113.9, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['2', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['1', '10.0.0.1', undefined, '10.0.0.1'],
    ['1', '10.0.0.1', 'not an address', '10.0.0.1'],
    ['1', '::ffff:10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['1', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['10.0.0.0/8', '10.0.0.1', '203.0.113.9, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['10.0.0.0/8,fd00::/8', 'fd00::5', '198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['10.0.0.1', '10.0.0.2', '198.51.100.7', '10.0.0.2'],
    ['10.0.0.0/8', '203.0.113.9', '198.51.100.7', '203.0.113.9'],
  ])(
    'TRUST_PROXY=%s, a connection from %s with X-Forwarded-For %s has the client %s',
    (trust, peer, forwarded, client) => {
      expect(addressOf(trust, peer, forwarded)).toBe(client);
    },
  );

  test.each(['-1', '11', '1.5', 'yes', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8,', 'proxy.example'])(
    'TRUST_PROXY=%s is refused at startup',
    (trust) => {
      expect(() => readConfig({ TRUST_PROXY: trust })).toThrow(/^TRUST_PROXY must be the number of proxies/);
    },
  );

  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('the IP address %s counts as the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
