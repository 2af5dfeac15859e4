import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unreadKeys } from '../../../pipeline/parse/bounded-json.ts';
import { embeddedJson, firstCharacter, jsonAt, parseJson, rawJson } from '../../../pipeline/parse/json.ts';
import { describeRecorded, recordedFolder } from '../../recorded.ts';

const changed = expect.objectContaining({ name: 'SourceError', code: 'SOURCE_RESPONSE_CHANGED' });

describe('parseJson with unread keys', () => {
  const unread = unreadKeys(['menu', 'ü'], { shelf: unreadKeys(['items']) });

  test('parseJson returns null for the strings, lists and objects of unread keys', () => {
    const text =
      '{"menu":{"a":[{"menu":"]}"}]},"id":12345678901234567890,"list":[{"menu":["\\"}",{}]},{"ü":"\\\\"}],"menu":[]}';
    const left = '{"id":"12345678901234567890","list":[{"menu":null},{"ü":null}],"menu":null}';
    expect(parseJson(Buffer.from(text), unread)).toEqual(JSON.parse(left));
  });

  test('parseJson keeps numbers, booleans, longer keys and texts that are equal to an unread key', () => {
    const value = { a: { menu: 1 }, b: { menu: false }, c: ['menu', ':'], d: 'menu', menus: [1], men: [2] };
    expect(parseJson(Buffer.from(JSON.stringify(value)), unread)).toEqual(value);
    expect(parseJson(Buffer.from('"menu"'), unread)).toBe('menu');
  });

  test('parseJson leaves out other keys inside the value of a key', () => {
    const shelf = { items: [1], menu: { items: {} } };
    const value = {
      items: [1],
      shelf: [shelf, { items: 'a' }],
      menu: [2],
      more: { items: [3], shelf: null, menu: [] },
    };
    for (const space of [0, 2])
      expect(parseJson(Buffer.from(JSON.stringify(value, null, space)), unread)).toEqual({
        ...value,
        shelf: [{ items: null, menu: { items: null } }, { items: null }],
        menu: null,
        more: { ...value.more, menu: null },
      });
  });

  test('parseJson does not count the values of unread keys for the limits', () => {
    const lists = `[${'[],'.repeat(60_000)}[]]`;
    expect(parseJson(Buffer.from(`{"menu":${lists},"a":1}`), unread)).toEqual({ menu: null, a: 1 });
    expect(() => parseJson(Buffer.from(`{"a":${lists}}`), unread)).toThrow(changed);
  });

  test('parseJson throws SOURCE_RESPONSE_CHANGED for a body that ends inside the value of an unread key', () => {
    const text = '{"a":[{"menu":{"text":"a","list":[1,2]}}]}';
    for (let length = 1; length < text.length; length++)
      expect(() => parseJson(Buffer.from(text.slice(0, length)), unread)).toThrow(changed);
  });

  test('parseJson names the reason when a body ends inside the text of an unread key', () => {
    for (const text of ['{"menu":"a', '{"menu":"a\\', '{"menu":"', '{"menu":'])
      expect(() => parseJson(Buffer.from(text), unread)).toThrow(
        expect.objectContaining({ code: 'SOURCE_RESPONSE_CHANGED', reason: 'the body is not JSON' }),
      );
  });

  test('parseJson with unread keys reads any JSON like JSON.parse without the values of these keys', () => {
    const key = fc.constantFrom('menu', 'ü', 'a', 'menus');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), tie('list'), tie('object')),
      list: fc.array(tie('tree'), { maxLength: 3 }),
      object: fc.dictionary(key, tie('tree')),
    }));
    const isCut = (name: string, value: unknown) =>
      (name === 'menu' || name === 'ü') && (typeof value === 'string' || typeof value === 'object');
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 1), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const expected = JSON.parse(text, (name, member) => (isCut(name, member) ? null : member));
        expect(parseJson(Buffer.from(text), unreadKeys(['menu', 'ü']))).toEqual(expected);
      }),
    );
  });
});

describe('jsonAt', () => {
  test('jsonAt reads the object or list at an index, and returns the index after it', () => {
    const json = '{"id":12345678901234567890,"text":"}","menu":[{}],"list":[[1]]}';
    for (const after of ['', '}', '</script>{"a"', ' "'])
      expect(jsonAt(Buffer.from(`a=${json}${after}`), 2, unreadKeys(['menu']))).toEqual({
        value: { id: '12345678901234567890', text: '}', menu: null, list: [[1]] },
        end: 2 + json.length,
      });
    expect(jsonAt(Buffer.from('[[]][]'), 0)).toEqual({ value: [[]], end: 4 });
  });

  test('jsonAt throws SOURCE_RESPONSE_CHANGED for an object that is not closed or not JSON', () => {
    for (const text of ['{"a":[1]', '{"a":"}', '{"a" 1}', '{"a":{"b":1', `${'['.repeat(300)}`])
      expect(() => jsonAt(Buffer.from(text), 0)).toThrow(changed);
  });
});

describe('parseJson', () => {
  test('parseJson reads integers beyond 2^53 as strings, and all other numbers as numbers', () => {
    const text =
      '{"a":9007199254740993,"b":[-12345678901234567890, 9007199254740991],"c":1.25,"d":12345678901234567.5,"e":1e300}';
    expect(parseText(text)).toEqual({
      a: '9007199254740993',
      b: ['-12345678901234567890', 9007199254740991],
      c: 1.25,
      d: 12345678901234568,
      e: 1e300,
    });
    expect(parseText('9007199254740993')).toBe('9007199254740993');
  });

  test('parseJson keeps digits inside strings unchanged, even next to long integers', () => {
    const value = { text: 'a:12345678901234567890,b [98765432109876543210]', key: ':12345678901234567890,' };
    expect(parseText(JSON.stringify(value))).toEqual(value);
    expect(parseText(`{"id":12345678901234567890,"value":${JSON.stringify(value)}}`)).toEqual({
      id: '12345678901234567890',
      value,
    });
  });

  test('parseJson finds long integers after characters of several bytes, and in bytes that begin anywhere', () => {
    const json = '{"é€😀":"ü","id":12345678901234567890,"日":[-98765432109876543210,"ß"]}';
    const value = new Map<string, unknown>([
      ['é€😀', 'ü'],
      ['id', '12345678901234567890'],
      ['日', ['-98765432109876543210', 'ß']],
    ]);
    for (let offset = 0; offset < 8; offset++)
      expect(parseJson(Buffer.from(' '.repeat(offset) + json).subarray(offset))).toEqual(Object.fromEntries(value));
  });

  test('parseJson finds the end of strings of any length that end with backslashes or escaped quotes', () => {
    for (let length = 0; length < 10; length++)
      for (const end of ['', '\\', '\\\\', '\\\\\\', '"', '\\"', '"\\', '"":12345678901234567890,"']) {
        const text = `${'x'.repeat(length)}${end}`;
        const json = `{${JSON.stringify(text)}:12345678901234567890,"t":[${JSON.stringify(text)},9007199254740993]}`;
        expect(parseText(json)).toEqual({ [text]: '12345678901234567890', t: [text, '9007199254740993'] });
      }
  });

  test('parseJson keeps negative zero, infinite numbers, and long numbers that are not integers', () => {
    expect(parseText('[-0,1e400,-1e400,1234567890123456e2,0.12345678901234567890]')).toEqual([
      -0,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      123456789012345600,
      0.12345678901234568,
    ]);
  });

  test('parseJson reads bytes that are not UTF-8 as replacement characters', () => {
    const bytes = (hex: string) =>
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from(hex, 'hex'), Buffer.from('","id":12345678901234567890}')]);
    for (const hex of ['ff', 'e2', 'e282', 'f09f98', 'c0', 'eda080'])
      expect(parseJson(bytes(hex))).toEqual({ a: Buffer.from(hex, 'hex').toString(), id: '12345678901234567890' });
  });

  test('parseJson reads any JSON like JSON.parse, except for long integers', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseText(text)).toEqual(slowly(text));
      }),
    );
  });

  test('parseJson distinguishes long integers from digits in strings around them', () => {
    const long = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
    fc.assert(
      fc.property(long, fc.string(), (id, text) => {
        const json = `{${JSON.stringify(text)}:[${id},-${id} ,{"t":${JSON.stringify(`${text}:${id},`)}}]}`;
        expect(parseJson(Buffer.from(json))).toEqual({ [text]: [`${id}`, `-${id}`, { t: `${text}:${id},` }] });
      }),
    );
  });

  test('parseJson accepts a byte order mark', () => {
    expect(parseJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
    expect(parseText('\ufeff[]')).toEqual([]);
    expect(() => parseText('\ufeff\ufeff[]')).toThrow(changed);
  });

  test.each(['', '<html>', '{"a":', '{"a":12345678901234567890', `${'['.repeat(50_000)}12345678901234567890`])(
    'parseJson throws SOURCE_RESPONSE_CHANGED for text that is not JSON: %.20s',
    (text) => {
      expect(() => parseText(text)).toThrow(changed);
    },
  );
});

test('firstCharacter returns the first character of a body after a byte order mark and white space', () => {
  for (const [body, first] of [
    ['{"a":1}', '{'],
    ['\ufeff \r\n\t<html>', '<'],
    ['  ', ''],
    ['', ''],
  ] as const)
    expect(firstCharacter(Buffer.from(body))).toBe(first);
});

describe('embeddedJson', () => {
  const page = (json: string) =>
    Buffer.from(
      `<p>stateful</p><script>if (window.state) { run(); }</script><script>var state = ${json};go({"x":1});</script>`,
    );

  test('embeddedJson parses the object or array after the marker, with any characters in its strings', () => {
    const value = { a: '} ] \\" {', 'k"}': ['[', { u: '\u2028é' }], n: null };
    expect(embeddedJson(page(JSON.stringify(value)), 'state = ')).toEqual(value);
    expect(embeddedJson(page('[1,["]"]]'), 'state')).toEqual([1, [']']]);
    expect(embeddedJson(page('{"id":12345678901234567890}'), 'state')).toEqual({ id: '12345678901234567890' });
  });

  test('embeddedJson reads JSON that fills its script to the end', () => {
    const script = Buffer.from(
      '<script id="STATE" type="application/json">\n{"a":"</b>","id":12345678901234567890}\n</script> {}',
    );
    expect(embeddedJson(script, 'id="STATE"')).toEqual({ a: '</b>', id: '12345678901234567890' });
  });

  test('embeddedJson skips a marker without JSON after it', () => {
    expect(embeddedJson(Buffer.from('<a id="S"></a><p>{}</p><script id="S">[2]</script>'), 'id="S"')).toEqual([2]);
    expect(embeddedJson(Buffer.from('state; {"a":1} state=null, {"a":2}'), 'state')).toBeUndefined();
  });

  test('embeddedJson with a path parses the member at exactly that depth', () => {
    const text = '{"x":{"c":1,"d":{"c":2}},"y" : "c","\\u0063":{ "d.\\/e" : [10,{"f":true}] , "g":-1.5},"z":[]}';
    expect(embeddedJson(page(text), 'state', ['c', 'd./e'])).toEqual([10, { f: true }]);
    expect(embeddedJson(page(text), 'state', ['c', 'd./e', '1', 'f'])).toBe(true);
    expect(embeddedJson(page(text), 'state', ['c', 'g'])).toBe(-1.5);
    expect(embeddedJson(page(text), 'state', ['z'])).toEqual([]);
  });

  test.each([[['d']], [['y', 'c']], [['c', 'd./e', '2']], [['c', 'd./e', 'length']], [['z', '0']], [['__proto__']]])(
    'embeddedJson returns undefined for a missing path: %j',
    (path) => {
      const text = '{"x":{"c":1,"d":{"c":2}},"y":"c","c":{"d./e":[10,{"f":true}]},"z":[]}';
      expect(embeddedJson(page(text), 'state', path)).toBeUndefined();
    },
  );

  test('embeddedJson returns undefined for a missing marker', () => {
    expect(embeddedJson(Buffer.from(''), 'state')).toBeUndefined();
    expect(embeddedJson(page('{}'), 'other')).toBeUndefined();
  });

  test.each(['{"a":[1', '{"a":"b', '{"a" 1}', '{"a":{'])(
    'embeddedJson throws SOURCE_RESPONSE_CHANGED for incomplete or invalid JSON: %s',
    (json) => {
      expect(() => embeddedJson(Buffer.from(`state=${json}`), 'state', ['b'])).toThrow(changed);
      expect(() => embeddedJson(Buffer.from(`state=${json}`), 'state')).toThrow(changed);
    },
  );

  test('embeddedJson finds any value under its path', () => {
    const member = fc.tuple(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.array(member), (value, key, others) => {
        const record = Object.fromEntries([...others, [key, { value }]]);
        const body = Buffer.from(`x state = ${JSON.stringify(record, null, 1)}; }`);
        expect(embeddedJson(body, 'state', [key, 'value'])).toEqual(parseText(JSON.stringify(value)));
      }),
    );
  });

  test('rawJson returns the unchanged bytes of embedded JSON', () => {
    const body = Buffer.from(' {"data": [1, {"id":12345678901234567890, "n":1.0}]}');
    expect(rawJson(body, ['data', '1'])?.toString()).toBe('{"id":12345678901234567890, "n":1.0}');
    expect(rawJson(body, ['other'])).toBeUndefined();
  });
});

describeRecorded('embeddedJson over the recorded pages', () => {
  const pages = ['photo', 'shortvideo', 'longvideo'].flatMap((folder) =>
    readdirSync(join(recordedFolder, folder))
      .filter((name) => name.endsWith('.html'))
      .map((name) => join(recordedFolder, folder, name)),
  );

  test('every recorded JSON script with an id equals the text of its tag, whole and member by member', () => {
    let scripts = 0;
    for (const file of pages) {
      const page = readFileSync(file);
      for (const [, marker = '', text = ''] of page
        .toString()
        .matchAll(/<script ([^>]*id="[^>]+)>(\s*\{.*?)<\/script>/gs)) {
        const whole = slowly(text);
        expect(embeddedJson(page, marker), file).toEqual(whole);
        for (const [key, value] of Object.entries(whole))
          expect(embeddedJson(page, marker, [key]), file).toEqual(value);
        scripts++;
      }
    }
    expect(scripts).toBeGreaterThan(5);
  });
});

function parseText(text: string): unknown {
  return parseJson(Buffer.from(text));
}

/** Parses JSON with a reviver that keeps long integers as text, for comparison with parseJson. */
function slowly(text: string) {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? '';
    return typeof value === 'number' && Math.abs(value) >= 2 ** 53 && /^-?\d+$/.test(source) ? source : value;
  });
}
