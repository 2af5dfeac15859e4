import {
  type Answer,
  createClient,
  type ErrorCode,
  type Item,
  TidemarkError,
} from '../../clients/typescript/src/client.ts';
import type { ErrorCode as ServerErrorCode } from '../../pipeline/errors.ts';

/** A client for calls that are compiled but never run. The comments say why the types refuse a call. */
const client = createClient({ apiKey: 'key', baseUrl: 'http://127.0.0.1' });

/** Fails to compile unless the client has exactly the error codes of the server. */
export const codes: Record<Exclude<ErrorCode, `SERVER_${string}`>, true> = {} as Record<ServerErrorCode, true>;
export const codesBack: Record<ServerErrorCode, true> = codes;

export async function parametersAreThoseOfTheRoute(): Promise<void> {
  await client.get('/v1/photo/profile', { handle: 'tidemark.sample', cache_max_age: '7d', trim: true });
  await client.get('/v1/workflows/profile', { url: ['https://www.instagram.com/tidemark.sample/'] as const });
  await client.get('/v1/credit/balance');
  // @ts-expect-error: the route has no such parameter
  await client.get('/v1/photo/profile', { handel: 'tidemark.sample' });
  // @ts-expect-error: this parameter belongs to another route
  await client.get('/v1/photo/profile', { handle: 'tidemark.sample', limit: 3 });
  // @ts-expect-error: the required parameter is missing
  await client.get('/v1/photo/posts', {});
  // @ts-expect-error: the parameters are missing
  await client.get('/v1/photo/posts');
  // @ts-expect-error: the parameter must be a number, not text
  await client.get('/v1/photo/posts', { handle: 'tidemark.sample', limit: '3' });
  // @ts-expect-error: the parameter does not accept this value
  await client.get('/v1/photo/profile', { handle: 'tidemark.sample', cache_max_age: '2d' });
  // @ts-expect-error: the API has no such route
  await client.get('/v1/photo/profil', { handle: 'tidemark.sample' });
  // @ts-expect-error: the route is planned but not available yet
  await client.get('/v1/microblog/profile', { handle: 'tidemark' });
  // @ts-expect-error: an estimate has its own method, client.estimate
  await client.get('/v1/photo/profile', { handle: 'tidemark.sample', estimate: true });
  // @ts-expect-error: a CSV has its own method, client.csv
  await client.get('/v1/workflows/profile', { url: [], format: 'csv' });
  // @ts-expect-error: the balance route takes no parameters
  await client.get('/v1/credit/balance', { handle: 'tidemark.sample' });
}

export async function answersAreThoseOfTheRoute(): Promise<void> {
  const { data, metering } = await client.get('/v1/photo/profile', { handle: 'tidemark.sample' });
  const followers: number | null | undefined = data.profile?.followers;
  const charged: number | null = metering.creditsCharged;
  // @ts-expect-error: a profile answer has no list of items
  data.items;
  const narrowed = await client.get('/v1/photo/profile', { handle: 'tidemark.sample', fields: 'followers' });
  // @ts-expect-error: with the parameter fields, any field may be missing
  narrowed.data.profile?.bio.length;
  const trimmed = await client.get('/v1/photo/posts', { handle: 'tidemark.sample', trim: true });
  const kept: string | null | undefined = trimmed.data.items[0]?.id;
  // @ts-expect-error: with the parameter trim, a field with an unknown value is missing
  const missing: number | null = trimmed.data.items[0]?.likes ?? trimmed.data.items[0]?.views;
  const whole = await client.get('/v1/photo/posts', { handle: 'tidemark.sample' });
  const row = whole.data.items[0];
  const width: number | null | undefined = row?.media_assets?.[0]?.width;
  const likes: number | null = row ? row.likes : null;
  const aged = await client.get('/v1/photo/profile', { handle: 'tidemark.sample', cache_max_age: '7d' });
  const bio: string | null | undefined = aged.data.profile?.bio;
  const compact = await client.get('/v1/shortvideo/profile', { handle: 'tidemark.sample', format: 'compact' });
  const id: string | null = compact.user.id;
  const full = await client.get('/v1/shortvideo/profile', { handle: 'tidemark.sample' });
  // @ts-expect-error: only the compact format has the field user
  full.user;
  const table = await client.get('/v1/workflows/profile', { url: ['https://www.instagram.com/tidemark.sample/'] });
  const column: string | undefined = table.data.columns[0];
  const estimate = await client.estimate('/v1/photo/profile', { handle: 'tidemark.sample' });
  const cost: number = estimate.data.cost;
  const { text } = await client.csv('/v1/workflows/profile', { url: ['https://www.instagram.com/tidemark.sample/'] });
  const csv: string = text;
  // @ts-expect-error: this route has no CSV
  await client.csv('/v1/photo/profile', { handle: 'tidemark.sample' });
  // @ts-expect-error: this route has no estimate
  await client.estimate('/v1/workflows/tracked', { item: ['one'] });
  console.log(kept, missing, width, likes, followers, charged, bio, id, column, cost, csv);
}

export async function listsAreIterated(): Promise<void> {
  for await (const post of client.items('/v1/photo/posts', { handle: 'tidemark.sample', limit: 5 }, { max: 9 })) {
    const likes: number | null = post.likes;
    console.log(likes);
  }
  for await (const page of client.pages('/v1/photo/posts', { handle: 'tidemark.sample' })) {
    const whole: Answer<{ data: { items: Item<'/v1/photo/posts', unknown>[] } }> = page;
    console.log(whole.metering.creditsRemaining);
  }
  // @ts-expect-error: this route does not return a list
  client.items('/v1/photo/profile', { handle: 'tidemark.sample' });
  // @ts-expect-error: one idempotencyKey cannot be used for several pages
  client.items('/v1/photo/posts', { handle: 'tidemark.sample' }, { idempotencyKey: 'one' });
}

export function errorsAreTyped(error: unknown): string {
  if (!(error instanceof TidemarkError)) return '';
  // @ts-expect-error: there is no such error code
  if (error.code === 'RATE_LIMIT') return '';
  return error.code === 'RATE_LIMITED' ? String(error.retryAfterSeconds) : error.message;
}
