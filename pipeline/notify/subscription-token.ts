import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Sql } from 'postgres';
import { storedSecret } from '../../db/settings.ts';

/**
 * Identifies a recipient of messages. The links in a message contain these IDs in signed form, so that the links work
 * without a sign-in.
 */
export interface RecipientKey {
  workspace_id: string;
  recipient_id: string;
}

/**
 * Returns the secret that signs the links in messages. The secret is created once and never changes, so that links in
 * old messages still work.
 */
export function subscriptionSecret(sql: Sql): Promise<string> {
  return storedSecret(sql, 'subscription_secret');
}

const idsLength = 32;

/**
 * Returns a signed token that identifies a recipient of messages. The token is valid until the recipient is removed.
 */
function subscriptionToken({ workspace_id, recipient_id }: RecipientKey, secret: string): string {
  const ids = Buffer.from(`${workspace_id}${recipient_id}`.replaceAll('-', ''), 'hex');
  return Buffer.concat([ids, sign(ids, secret)]).toString('base64url');
}

/** Returns the recipient that a token from a message link identifies. Returns null when the signature is invalid. */
export function readSubscriptionToken(token: string, secret: string): RecipientKey | null {
  const bytes = Buffer.from(token, 'base64url');
  const [ids, signature] = [bytes.subarray(0, idsLength), bytes.subarray(idsLength)];
  const expected = sign(ids, secret);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return null;
  const hex = ids.toString('hex');
  return { workspace_id: uuidOf(hex.slice(0, idsLength)), recipient_id: uuidOf(hex.slice(idsLength)) };
}

function sign(ids: Buffer, secret: string): Buffer {
  return createHmac('sha256', secret).update('subscription').update(ids).digest().subarray(0, 16);
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the URL of the page on which a recipient confirms the subscription or unsubscribes. */
export function subscriptionUrl(baseUrl: string, key: RecipientKey, secret: string): string {
  return `${baseUrl}/subscriptions/${subscriptionToken(key, secret)}`;
}
