import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { captionSegments } from '../../../pipeline/longvideo/captions.ts';
import { boundedJson } from '../../../pipeline/parse/bounded-json.ts';
import { parseJson } from '../../../pipeline/parse/json.ts';
import { derivedHashtags, derivedMentions, toFreeText, unescapeHtml } from '../../../pipeline/parse/values.ts';
import { pageMeta } from '../../../pipeline/photo/web/page-meta.ts';
import { metaItem } from '../../../pipeline/photo/web/permalink-meta.ts';
import { textLimits } from '../../../pipeline/records/limits.ts';
import { videoOembed } from '../../../pipeline/shortvideo/oembed.ts';
import { contextWith } from '../collect/collecting.ts';
import { filled, heavyJson, hostileJson } from './hostile.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'hostile.ts');
const changed = expect.objectContaining({ name: 'SourceError', code: 'SOURCE_RESPONSE_CHANGED' });

interface Cost {
  ms: number;
  megabytes: number;
  reason: string | null;
}

async function costOf(name: string): Promise<Cost> {
  const { stdout } = await run(process.execPath, [script, name]);
  return JSON.parse(stdout) as Cost;
}

describe('hostile JSON costs little memory and little time of the event loop', () => {
  test.each(Object.keys(hostileJson))('hostile JSON is refused before it is parsed: %s', async (name) => {
    const { ms, megabytes, reason } = await costOf(name);
    expect(reason).toMatch(/^The JSON has more than \d+ /);
    expect(megabytes).toBeLessThan(30);
    expect(ms).toBeLessThan(300);
  });

  test.each(Object.keys(heavyJson))(
    'JSON within the limits is parsed with little memory and time: %s',
    async (name) => {
      const { ms, megabytes, reason } = await costOf(name);
      expect(reason).toBeNull();
      expect(megabytes).toBeLessThan(80);
      expect(ms).toBeLessThan(1_000);
    },
  );
});

describe('limits of JSON from sources and users', () => {
  test('JSON may have 200 levels but not 201, and brackets in texts do not count', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(JSON.stringify(parseText(nested(200)))).toBe(nested(200));
    expect(() => parseText(nested(201))).toThrow(changed);
    expect(parseText(JSON.stringify(['"\\'.repeat(300), nested(300)]))).toEqual(['"\\'.repeat(300), nested(300)]);
  });

  test('a number in JSON may have 400 characters but not 401', () => {
    expect(parseText(`[0.${'1'.repeat(398)}]`)).toEqual([0.1111111111111111]);
    expect(() => parseText(`[0.${'1'.repeat(399)}]`)).toThrow(changed);
  });

  test('the limits apply to JSON from users too, whose numbers stay numbers', () => {
    expect(boundedJson('{"id":12345678901234567890}')).toEqual({ id: Number('12345678901234567890') });
    expect(() => boundedJson(filled('{"a":', 200_000))).toThrow(RangeError);
    expect(() => boundedJson('{')).toThrow(SyntaxError);
  });
});

test('NUL characters are removed from texts and names in JSON, and escaped backslashes stay', () => {
  const body = String.raw`{"na\u0000me":"a\u0000b","path":"c\\u0000","both":"\\\u0000d","only":"\u0000\u0000"}`;
  expect(parseText(body)).toEqual({ name: 'ab', path: String.raw`c\u0000`, both: '\\d', only: '' });
});

test('NUL characters are removed from pages and caption files', () => {
  expect(pageMeta(Buffer.from('<title>a\0b</title><meta name="x" content="c\0d">'))).toEqual(
    new Map([
      ['x', 'cd'],
      ['title', 'ab'],
    ]),
  );
  const file = '<transcript><text start="1" dur="2">a\0b</text></transcript>';
  expect(captionSegments(Buffer.from(file))).toEqual([{ start: 1, duration: 2, text: 'ab' }]);
});

describe('a hostile page of 4 MB', () => {
  const texts = [
    'a',
    'a.',
    '@',
    '#',
    '\u0301',
    '#\u0301',
    'a+',
    'a@a.',
    'http://',
    'www.',
    '.-·',
    '1.1',
    'ab.cd:11',
    '&a',
  ];
  const heads = ['<meta ', '<meta a="', '<meta a=', '<title', '<title>', ' a', 'a', 'a ', ' on Instagram: "'];
  const files = ['<text>', '<text ', '<text a="', '<p>', '<p a="1">', '<text>&lt;', '<', ' ', 'a="'];

  test.each(texts)(
    'a hostile page whose texts repeat %j is read in less than 200 ms, or refused for its length',
    async (part) => {
      expect(() => toFreeText(filled(part))).toThrow(changed);
      const text = `@${filled(part, textLimits.text - 2)}x`;
      expect(await fastest(() => derivedHashtags(text))).toBeLessThan(pageLimitMs);
      for (const platform of ['photo', 'longvideo', 'microblog'] as const)
        expect(await fastest(() => derivedMentions(text, platform))).toBeLessThan(pageLimitMs);
      expect(await fastest(() => unescapeHtml(text))).toBeLessThan(pageLimitMs);
    },
  );

  test.each(heads)('a hostile page whose head repeats %j is read in less than 200 ms', async (part) => {
    const pages = [
      filled(part),
      `<meta ${filled(part)}`,
      `<meta ${filled(part, 200_000)}>`,
      `<meta property="og:title" content='${filled(part, 200_000)}'>`,
    ];
    for (const page of pages.map((text) => Buffer.from(text)))
      expect(await fastest(() => refusable(() => metaItem(pageMeta(page), 'ABCDE')))).toBeLessThan(pageLimitMs);
  });

  test.each(files)('a hostile caption file that repeats %j is read in less than 200 ms', async (part) => {
    for (const root of ['<transcript>', '<transcript><text ', '<timedtext>', '<timedtext><p>']) {
      const file = Buffer.from(`${root}${filled(part)}`);
      expect(await fastest(() => refusable(() => captionSegments(file)))).toBeLessThan(pageLimitMs);
    }
  });

  const sound = '<a href="https://www.tiktok.com/music/b-77">♬ ';
  test.each([
    ['', '<a '],
    ['', '<a href="'],
    ['', '<a href="" '],
    ['', 'href=""'],
    ['', '<a href="x">'],
    [sound, ' - '],
    [sound, 'a - '],
  ])('a hostile oEmbed answer that begins with %j and repeats %j is read in less than 200 ms', async (start, part) => {
    const id = '7000000000000000001';
    const html = `${start}${filled(part, textLimits.text - 100)}</a>`;
    const body = Buffer.from(JSON.stringify({ embed_product_id: id, html }));
    const context = contextWith({ fetch: async ({ url }) => ({ status: 200, url, headers: {}, body }) });
    expect(await fastest(() => videoOembed.collect({ id, region: null }, context))).toBeLessThan(pageLimitMs);
  });
});

function parseText(text: string): unknown {
  return parseJson(Buffer.from(text));
}

/** Maximum CPU time to read a hostile page, in milliseconds. */
const pageLimitMs = 200;

/**
 * Returns the shortest of up to three CPU times (ms) of this thread, which excludes other work on the machine. Stops at
 * the first time within the limit, because only the limit matters.
 */
async function fastest(work: () => unknown): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && shortest >= pageLimitMs; round++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    shortest = Math.min(shortest, (user + system) / 1_000);
  }
  return shortest;
}

/** Runs a parser. Accepts that the parser refuses the page as a changed answer. */
function refusable(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toEqual(changed);
  }
}
