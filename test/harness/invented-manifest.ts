import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inventedUpstream } from '../server/invented-upstream.ts';

/** The beginning of the address from which an Instagram profile is fetched. The handle follows. */
export const profileAddress = 'https://www.instagram.com/api/v1/users/web_profile_info/?username=';

/**
 * A fake answer for all addresses with this prefix. It takes precedence over the invented profile that any other handle
 * gets.
 */
export interface SpecialAnswer {
  prefix: string;
  status: number;
  headers?: Record<string, string>;
  text?: string;
  delay_ms?: number;
}

export interface InventedManifest {
  /** Milliseconds before the profile of a handle without a special answer is sent. */
  delay_ms?: number;
  special?: readonly SpecialAnswer[];
}

/**
 * Writes a manifest of recordings that answers every public Instagram profile with an invented person. Returns its path
 * for UPSTREAM_REPLAY.
 */
export async function writeInventedManifest(folder: string, options: InventedManifest = {}): Promise<string> {
  const invented = await inventedUpstream().fetch({ url: `${profileAddress}paper.kite` }, new AbortController().signal);
  const special = (options.special ?? []).map(({ prefix, ...answer }) => ({
    method: 'GET',
    match: 'prefix',
    url: prefix,
    ...answer,
  }));
  const anyone = {
    method: 'GET',
    match: 'prefix',
    url: profileAddress,
    status: 200,
    headers: invented.headers,
    text: invented.body.toString(),
    delay_ms: options.delay_ms ?? 0,
    note: 'invented',
  };
  const path = join(folder, 'invented-manifest.json');
  await writeFile(path, JSON.stringify({ exchanges: [...special, anyone] }));
  return path;
}
