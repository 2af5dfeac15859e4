import { expect, test } from 'vitest';
import { highlightJson } from '../../../server/design/json.ts';
import { cpuMs } from '../../harness/cpu-time.ts';

const plain = (marked: string) =>
  marked
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

test('names, texts, numbers and words of JSON are highlighted, and the text stays the same', () => {
  const json = JSON.stringify({ id: '1', likes: -1.5e6, hidden: null, tags: ['a: "b"', true], "it's": '\\' }, null, 2);
  const marked = String(highlightJson(json));
  expect(plain(marked)).toBe(json);
  for (const [kind, text] of [
    ['name', '&quot;likes&quot;'],
    ['text', '&quot;1&quot;'],
    ['text', '&quot;a: \\&quot;b\\&quot;&quot;'],
    ['number', '-1500000'],
    ['word', 'null'],
    ['word', 'true'],
  ])
    expect(marked).toContain(`<span class="json-${kind}">${text}</span>`);
});

test('markup in a JSON value is escaped, even in a text that was cut', () => {
  const marked = String(highlightJson('{ "bio": "<script>alert(1)</script>", "cut": "<img src=x'));
  expect(marked).not.toMatch(/<(?!\/?span)/);
  expect(plain(marked)).toBe('{ "bio": "<script>alert(1)</script>", "cut": "<img src=x');
});

test.each(['\n…', '\\', ''])(
  'JSON that was cut in a long text of quotation marks and ends with %j is highlighted in little CPU time',
  async (end) => {
    const cut = `{ "bio": "${'\\"'.repeat(30_000)}${end}`;
    let marked = '';
    const spent = await cpuMs(() => {
      marked = String(highlightJson(cut));
    });
    expect(spent).toBeLessThan(500);
    expect(plain(marked)).toBe(cut);
  },
);
