import { inflateSync } from 'node:zlib';

/** Returns the number of pages and the text, without white space, of a PDF made by Chromium. */
export function readPdf(pdf: Buffer): { pages: number; text: string } {
  const objects = objectsOf(pdf);
  const letters = new Map<string, Map<number, string>>();
  for (const [number, { head }] of objects) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1];
    if (map) letters.set(number, lettersOf(objects.get(map)?.stream ?? ''));
  }
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head)).length;
  const text = [...objects.values()].map(({ stream }) => written(stream, letters)).join('');
  return { pages, text: text.replace(/\s+/g, '') };
}

interface PdfObject {
  head: string;
  /** The decompressed stream; empty when the object has no stream. */
  stream: string;
}

function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  const whole = pdf.toString('latin1');
  for (const { 1: number = '', 2: head = '', 3: mark, index, 0: found } of whole.matchAll(
    /(?:^|\n)(\d+) 0 obj\n(.*?)(\nendobj|stream\r?\n)/gs,
  )) {
    const from = index + found.length;
    const length = Number(/\/Length (\d+)/.exec(head)?.[1]);
    const packed = mark?.startsWith('stream') && head.includes('/FlateDecode');
    const stream = packed ? inflateSync(pdf.subarray(from, from + length)).toString('latin1') : '';
    objects.set(number, { head, stream });
  }
  return objects;
}

/** Returns the text of each glyph number of a font, from the ToUnicode map in the PDF. */
function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>();
  const textOf = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, block = ''] of map.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, glyph = '', hex = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>/g)) {
      letters.set(Number.parseInt(glyph, 16), textOf(hex));
    }
  }
  for (const [, block = ''] of map.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, first = '', last = '', hex = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const [from, to, letter] = [first, last, hex].map((digits) => Number.parseInt(digits, 16)) as [
        number,
        number,
        number,
      ];
      for (let glyph = from; glyph <= to; glyph += 1) letters.set(glyph, String.fromCodePoint(letter + glyph - from));
    }
  }
  return letters;
}

/**
 * Returns the text of a page's content stream: `/F4 12 Tf` selects the font of object 4, `<00010002> Tj` writes two of
 * its glyphs.
 */
function written(content: string, fonts: Map<string, Map<number, string>>): string {
  let font: Map<number, string> | undefined;
  let text = '';
  for (const [, chosen, glyphs = ''] of content.matchAll(/\/F(\d+) [\d.-]+ Tf|<([\dA-Fa-f]+)>/g)) {
    if (chosen) font = fonts.get(chosen);
    for (const [glyph] of glyphs.matchAll(/.{4}/g)) text += font?.get(Number.parseInt(glyph, 16)) ?? '';
  }
  return text;
}
