import { describe, expect, test } from 'vitest';
import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl } from '../../../pipeline/parse/urls.ts';
import { handleAddress, parseProfileAddress } from '../../../pipeline/rows/profile-address.ts';
import { trackable } from '../../../pipeline/tracking/tracked-kinds.ts';

const url = 'https://www.instagram.com/tidepool/';
const profile = (handle: string) => ({ ok: true, target: { kind: 'profile', handle } });
const channel = (handle: string) => ({ ok: true, target: { kind: 'channel', handle } });
const encoded = encodeURIComponent;

/** Returns the messages with which a text is refused, first as a profile link and then as an item to track. */
function refusals(text: string): (string | null)[] {
  return [parseProfileAddress(text), trackable(text)].map((result) => ('message' in result ? result.message : null));
}

describe('pasted text that contains one link is read as this link', () => {
  test.each([
    '//www.instagram.com/tidepool',
    `\u200b${url}\ufeff`,
    '\u202ahttps://www.instagram.com/tide\u200bpool\u202c',
    `\u00a0${url}\u00a0`,
    `\u3000${url}\u3000`,
    `${url}\f\u2003`,
    `${url},`,
    'https://www.instagram.com/tidepool.',
    `(${url})`,
    `<${url}>;`,
    `"${url}"`,
    `“${url}”`,
    `**${url}**`,
    `=HYPERLINK("${url}","Tide pool, the creator")`,
    `=hyperlink( "${url}" ; "Tide" )`,
    `<a class="x" href="${url}">Tide pool</a>`,
    `[Tide pool](${url})`,
    `IG: ${url}`,
    'https:// www.instagram.com/tidepool/',
    'IG: HTTPS://\u00a0www.instagram.com/tidepool/',
    'https://www.instagram.com/tidepool&igsh=abc',
    'https://www.instagram.com/tidepool?a=1&amp;b=2',
  ])('the text %j is the link of an Instagram profile', (text) => {
    expect(parsePhotoUrl(text)).toEqual(profile('tidepool'));
  });

  test('the character reference &amp; in a link separates its parameters', () => {
    const video = { ok: true, target: { kind: 'video', id: 'abc-DEF_123' } };
    expect(parseLongvideoUrl('https://www.youtube.com/watch?feature=x&amp;v=abc-DEF_123')).toEqual(video);
  });
});

test.each([
  ['IG: @tide.pool', parsePhotoUrl, profile('tide.pool')],
  ['Instagram @tide.pool,', parsePhotoUrl, profile('tide.pool')],
  ['insta:@tide.pool', parsePhotoUrl, profile('tide.pool')],
  ['TikTok - @TidePool', parseShortvideoUrl, profile('tidepool')],
  ['tt @tidepool', parseShortvideoUrl, profile('tidepool')],
  ['YT: @tidepool', parseLongvideoUrl, channel('tidepool')],
])('the handle %j after the name of its platform is read as the profile', (text, parse, expected) => {
  expect(parse(text)).toEqual(expected);
});

test.each(['instagram@tide.example', 'yt@tide.example', 'ig@tide', 'X: @tidepool', 'IG: @tidepool TT: @kelp'])(
  '%j is not read as the handle of a profile',
  (text) => {
    expect(refusals(text)).toEqual([expect.stringMatching(/^Use /), expect.any(String)]);
  },
);

describe('invisible characters', () => {
  const between = ['\u00ad', '\u061c', '\u180e', '\u200b', '\u200e', '\u2060', '\u2063', '\u2069', '\ufeff'];
  const joiners = ['\u200c', '\u200d'];

  test.each([...between, ...joiners])('the character %j at the ends of a link or a handle is ignored', (character) => {
    const around = (text: string) => character + text + character;
    const texts = [around(url), `"${around(url)}"`, around(`"${url}"`), handleAddress('photo', around('@tidepool'))];
    expect(texts.map(parsePhotoUrl)).toEqual(texts.map(() => profile('tidepool')));
  });

  test.each(between)('the character %j inside a link or a handle is ignored, because no name has it', (character) => {
    const texts = [
      handleAddress('photo', `@${character}tide${character}pool`),
      `https://www.instagram.com/tide${encoded(character)}pool`,
      url + encoded(character),
    ];
    expect(texts.map(parsePhotoUrl)).toEqual(texts.map(() => profile('tidepool')));
    const video = { ok: true, target: { kind: 'video', id: 'abc-DEF_123' } };
    expect(parseLongvideoUrl(`https://youtu.be/abc-DEF_123${encoded(character)}?t=5`)).toEqual(video);
    expect(parseLongvideoUrl(`https://www.youtube.com/watch?v=abc-DEF_123${encoded(character)}`)).toEqual(video);
  });

  test.each(joiners)(
    'the joiner %j inside a name is kept, because hashtags of some scripts and emoji need it',
    (joiner) => {
      expect(parsePhotoUrl(handleAddress('photo', `@tide${joiner}pool`)).ok).toBe(false);
      const tag = `\u2764${joiner}\u2764`;
      expect(parseShortvideoUrl(`https://www.tiktok.com/tag/${encoded(tag)}`)).toEqual({
        ok: true,
        target: { kind: 'hashtag', tag },
      });
    },
  );
});

describe('a text that is not one whole link is refused with its cause:', () => {
  test.each([
    [`${url} https://www.tiktok.com/@tidepool`, 'This text has several links: use one link for each cell or line.'],
    [`${url}\nhttps://www.tiktok.com/@kelp`, 'This text has several links: use one link for each cell or line.'],
    [`${url}?hl=en,https://www.tiktok.com/@kelp`, 'This text has several links: use one link for each cell or line.'],
    [`${url};https://www.tiktok.com/@kelp`, 'This text has several links: use one link for each cell or line.'],
    [`${url}?hl=en,tiktok.com/@kelp`, 'This text has several links: use one link for each cell or line.'],
    [
      `<a href="${url}">Tide pool</a>, <a href="https://www.instagram.com/kelp/">Kelp</a>`,
      'This text has several links: use one link for each cell or line.',
    ],
    [
      `=HYPERLINK("${url}","Tide pool")&HYPERLINK("https://www.instagram.com/kelp/","Kelp")`,
      'This text has several links: use one link for each cell or line.',
    ],
    ['https://www.instagram.com/tide pool', 'Use only the link, without spaces or other text.'],
    ['https://www. instagram.com/tidepool', 'Use only the link, without spaces or other text.'],
    ['See https:// www.instagram.com/tidepool', 'Use only the link, without spaces or other text.'],
    [`See ${url} now`, 'Use only the link, without spaces or other text.'],
    [`Creator at another agency: ${url}`, 'Use only the link, without spaces or other text.'],
    ['https://www.instagram.com/tidepo...', 'This link is cut off: copy the whole link.'],
    ['instagram.com/tidepo…', 'This link is cut off: copy the whole link.'],
    ['“https://www.instagram.com/tidepo…”', 'This link is cut off: copy the whole link.'],
  ])('the text %j is refused', (text, message) => {
    expect(refusals(text)).toEqual([message, message]);
  });

  test.each([
    '=HYPERLINK("https://www.instagram.com/tide"&"pool","Tide pool")',
    '=HYPERLINK("https://www.instagram.com/tide"&A1)',
    `<a data-href="https://www.instagram.com/kelp/" title="Kelp">Kelp</a>`,
  ])('the text %j is refused, because its first URL is not its link', (text) => {
    expect(refusals(text)).toEqual([expect.any(String), expect.any(String)]);
  });

  test('a handle that is cut off never becomes the URL of another account', () => {
    expect(refusals(handleAddress('photo', '@tidepo...'))[0]).toBe('This link is cut off: copy the whole link.');
    expect(parsePhotoUrl(handleAddress('photo', '@tidepo…')).ok).toBe(false);
  });
});

describe('a link of another site that contains the real link is read as the real link', () => {
  test.each([
    `https://l.facebook.com/l.php?u=${encoded(url)}&h=abc`,
    `https://lm.facebook.com/l.php?u=${encoded(url)}`,
    `https://www.google.com/url?q=${url}&sa=D&source=editors`,
    `https://www.google.co.uk/url?sa=t&url=${encoded(url)}`,
    `https://eur03.safelinks.protection.outlook.com/?url=${encoded(url)}&data=05`,
    `https://www.youtube.com/redirect?event=channel_header&q=${encoded(url)}`,
    `https://www.tiktok.com/link/v2?scene=bio_url&target=${encoded(url)}`,
    `https://www.instagram.com/accounts/login/?next=${encoded(url)}`,
    'https://www.instagram.com/accounts/login/?next=/tidepool/',
  ])('the link %s contains the link of a profile', (text) => {
    expect(parsePhotoUrl(text)).toEqual(profile('tidepool'));
  });

  test('the consent page of YouTube contains the link of a channel', () => {
    const continued = encoded('https://www.youtube.com/@tidepool?cbrd=1');
    expect(parseLongvideoUrl(`https://consent.youtube.com/m?continue=${continued}&gl=NL`)).toEqual(channel('tidepool'));
  });

  test.each([
    `https://l.facebook.com/l.php?u=${encoded('https://example.com/tidepool')}`,
    `https://l.facebook.com/l.php?u=${encoded(`https://l.facebook.com/l.php?u=${encoded(url)}`)}`,
    `https://x.safelinks.protection.outlook.com.example.com/?url=${encoded(url)}`,
    `https://www.google.example.com/url?q=${encoded(url)}`,
    'https://www.instagram.com/accounts/login/?next=//example.com/tidepool',
    'https://www.instagram.com/accounts/login/?next=/',
    'https://www.google.com/url',
  ])('the link %s does not lead to a profile', (text) => {
    expect(parsePhotoUrl(text).ok).toBe(false);
  });

  test.each([
    'https:/www.instagram.com/tide.pool/',
    'https:///www.instagram.com/tide.pool',
    'HTTP:/ instagram.com/tide.pool',
  ])('a link with a wrong number of slashes after its scheme is read: %s', (text) => {
    const target = { kind: 'profile', handle: 'tide.pool' };
    expect(parsePhotoUrl(text)).toEqual({ ok: true, target });
  });
});
