import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import {
  hasExpired,
  isPictureUrl,
  openMediaAddresses,
  pictureKeyOf,
  pictureUrlOf,
} from '../../../pipeline/media/addresses.ts';
import { pictureType } from '../../../pipeline/media/picture-type.ts';
import { createPictureFetcher } from '../../../pipeline/media/pictures.ts';
import { createFetcher } from '../../../pipeline/network/fetcher.ts';
import { createTestDatabase } from '../../setup/test-database.ts';
import { startUpstream } from '../upstream.ts';

const url = 'https://p16-sign.tiktokcdn.com/invented/a.jpeg?x-expires=4000000000';
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

/** Returns a picture client that connects to a local server, whatever the host in a URL is. */
async function clientTo(listener: RequestListener) {
  const upstream = await startUpstream(listener);
  onTestFinished(upstream.close);
  const fetcher = createFetcher({ dispatcher: upstream.dispatcher });
  return createPictureFetcher(fetcher, { timeout_ms: 300, max_bytes: 1_000 });
}

test('a picture is recognized by its first bytes, whatever content type the platform sends', async () => {
  const fetchPicture = await clientTo((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(jpeg),
  );
  expect(await fetchPicture(url)).toEqual({ type: 'image/jpeg', bytes: jpeg });
});

test.each<[string, RequestListener]>([
  ['an expired address', (_, response) => response.writeHead(403).end(jpeg)],
  ['a redirect to this machine', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(jpeg)],
  ['a page with the type of a picture', (_, response) => response.setHeader('content-type', 'image/png').end('<html>')],
  ['a drawing with scripts', (_, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a picture over the limit', (_, response) => response.end(Buffer.concat([jpeg, Buffer.alloc(2_000)]))],
  ['a server that never answers', () => undefined],
  ['a server that stops in the middle', (_, response) => response.writeHead(200).write(jpeg)],
  ['a connection that breaks', (_, response) => response.destroy()],
])('no picture is read from %s', async (_, listener) => {
  let requests = 0;
  const fetchPicture = await clientTo((request, response) => {
    requests += 1;
    listener(request, response);
  });
  expect(await fetchPicture(url)).toBeNull();
  expect(requests).toBe(1);
});

test.each([
  ['https://scontent-frt3-1.cdninstagram.com/v/a.jpg', true],
  ['https://i.ytimg.com/vi/a/hq.jpg', true],
  ['http://i.ytimg.com/vi/a/hq.jpg', false],
  ['https://i.ytimg.com:8443/vi/a/hq.jpg', false],
  ['https://user:word@i.ytimg.com/vi/a/hq.jpg', false],
  ['https://evil-cdninstagram.com/a.jpg', false],
  ['https://cdninstagram.com.example.com/a.jpg', false],
  ['https://lh3.googleusercontent.com/a.jpg', false],
  ['https://127.0.0.1/a.jpg', false],
  [`https://i.ytimg.com/${'a'.repeat(4_000)}`, false],
  ['no address', false],
])('%s is an allowed picture address: %s', (address, isAllowed) => {
  expect(isPictureUrl(address)).toBe(isAllowed);
});

test('a signed address has its picture as the target, and a changed address has no target', async () => {
  const { sql, close } = await createTestDatabase();
  onTestFinished(close);
  const addresses = await openMediaAddresses(sql);
  const [, , signature = '', target = ''] = addresses.mediaAddress(url)?.split('/') ?? [];
  expect(addresses.read(signature, target)).toEqual({ url, item: null });
  expect(addresses.read(signature, `url.${Buffer.from('https://example.com/').toString('base64url')}`)).toBeNull();
  expect(addresses.read('', target)).toBeNull();
  const samePicture = (await openMediaAddresses(sql)).read(signature, target);
  expect(samePicture).toEqual({ url, item: null });
  await sql`delete from settings`;
  expect((await openMediaAddresses(sql)).read(signature, target)).toBeNull();
  expect(addresses.mediaAddress('https://example.com/a.jpg')).toBeNull();
  expect(addresses.mediaAddress(null)).toBeNull();
  const item = { workspace_id: 'w', item_id: 'i' };
  const [, , itemSignature = '', itemTarget = ''] = addresses.itemPictureAddress(item).split('/');
  expect(addresses.read(itemSignature, itemTarget)).toEqual({ url: null, item });
});

test('the address of a picture on Instagram or TikTok shows whether it has expired', () => {
  const now = new Date('2026-11-20T10:00:00Z');
  const seconds = now.getTime() / 1_000;
  for (const [at, isOver] of [
    [seconds - 1, true],
    [seconds + 1, false],
  ] as const) {
    expect(hasExpired(`https://a.cdninstagram.com/b?oe=${at.toString(16).toUpperCase()}`, now)).toBe(isOver);
    expect(hasExpired(`https://a.tiktokcdn.com/b?x-expires=${at}`, now)).toBe(isOver);
  }
  expect(hasExpired('https://i.ytimg.com/vi/a/hq.jpg', now)).toBe(false);
});

test('two signed addresses of one picture have the same key', () => {
  const first = pictureKeyOf('https://scontent-frt3-1.cdninstagram.com/v/a_n.jpg?oh=1&oe=2');
  expect(pictureKeyOf('https://scontent-ams4-1.cdninstagram.com/v/a_n.jpg?oh=3&oe=4')).toBe(first);
  expect(pictureKeyOf('https://scontent-ams4-1.cdninstagram.com/v/b_n.jpg')).not.toBe(first);
});

test('the picture of an account is its avatar, that of a post its preview image, and other records have no picture', () => {
  expect(pictureUrlOf({ avatar_url: url, media_url: null })).toBe(url);
  expect(pictureUrlOf({ media_url: url })).toBe(url);
  expect(pictureUrlOf({ avatar_url: null })).toBeNull();
  expect(pictureUrlOf({ avatar_url: 'https://example.com/a.jpg' })).toBeNull();
});

test.each([
  ['image/jpeg', jpeg],
  ['image/png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['image/gif', Buffer.from('GIF89a')],
  ['image/webp', Buffer.from('RIFF0000WEBPVP8 ')],
  ['image/avif', Buffer.from('\0\0\0\x20ftypavif')],
  [null, Buffer.from('\0\0\0\x20ftypisom')],
  [null, Buffer.alloc(0)],
])('the first bytes of %s are recognized', (type, bytes) => {
  expect(pictureType(bytes)).toBe(type);
});
