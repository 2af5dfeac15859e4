import { BlockList } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type KeyLimits, type KeyScope, keyScopes } from '../../db/accounts/keys.ts';
import { addNetwork, isInNetworks } from './client-address.ts';
import { RequestError } from './errors.ts';

/** The scope that a request needs, and the IP address of its client. */
export interface KeyUse {
  scope: KeyScope;
  /**
   * Returns the IP address of the client, or '' when it is unknown. This function is called only for keys that are
   * limited to networks.
   */
  address(): string;
}

/** Maximum number of IP addresses and networks to which one API key can be limited. */
export const maxNetworks = 20;
const maxShownCharacters = 60;
const maxParsedLists = 10_000;

const scopeNames: Record<KeyScope, string> = {
  data: 'data routes',
  workflows: 'the workflow routes and the balance',
  mcp: 'MCP',
};

/** Returns the error for a request that the limits of its key do not allow, or null for an allowed request. */
export type RefuseByLimits = (limits: KeyLimits, access: KeyUse) => RequestError | null;

/**
 * Creates the function that checks a request against the scopes and networks of its API key. The function parses each
 * list of networks only once.
 */
export function createKeyLimits(): RefuseByLimits {
  const parsed = new LRUCache<string, BlockList>({ max: maxParsedLists });

  function listOf(networks: readonly string[]): BlockList {
    const text = networks.join();
    const known = parsed.get(text);
    if (known) return known;
    const list = new BlockList();
    for (const network of networks) addNetwork(list, network);
    parsed.set(text, list);
    return list;
  }

  return ({ scopes, networks }, { scope, address }) => {
    if (networks && !isInNetworks(listOf(networks), address())) return new RequestError('ADDRESS_NOT_ALLOWED');
    if (!scopes || scopes.includes(scope)) return null;
    const message = `This API key may not use ${scopeNames[scope]}: use another key, or create a key with the scope ${scope}.`;
    return new RequestError('KEY_NOT_ALLOWED', { message });
  };
}

/**
 * Reads the scopes of a new key. Returns null when the list is empty: the key then has every scope. Throws a RangeError
 * that says what is wrong.
 */
export function readScopes(names: readonly string[], kind: string): KeyScope[] | null {
  const unknown = names.find((name) => !(keyScopes as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new RangeError(`${shown(unknown)} is not a scope: use one or more of ${keyScopes.join(', ')}.`);
  const scopes = keyScopes.filter((scope) => names.includes(scope));
  if (kind === 'sheet' && scopes.join() === 'data')
    throw new RangeError('A sheet key cannot call data routes: also select workflows or MCP, or create a live key.');
  return scopes.length === 0 ? null : scopes;
}

/**
 * Reads IP addresses and networks, separated by spaces, lines or commas. Returns null when the text is empty: the key
 * then works from every IP address. Throws a RangeError that names the wrong entry.
 */
export function readNetworks(text: string): string[] | null {
  const entries = [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  ];
  if (entries.length > maxNetworks) throw new RangeError(`Enter at most ${maxNetworks} IP addresses or networks.`);
  for (const entry of entries) {
    if (/^[\da-f.:/]+$/.test(entry) && addNetwork(new BlockList(), entry)) continue;
    throw new RangeError(
      `${shown(entry)} is not an IP address or a network: write it like 203.0.113.7 or 2001:db8::/32.`,
    );
  }
  if (entries.length > 0) return entries;
  if (text.trim() !== '') throw new RangeError(`${shown(text.trim())} contains no IP address.`);
  return null;
}

function shown(text: string): string {
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
}
