import { html, raw } from 'hono/html';

/**
 * Matches a token of JSON: a string with an optional colon after it (the name of a member), a number, or one of the
 * words true, false and null. An unterminated string ends at the end of the text. Otherwise, matching a text with many
 * quotation marks would take quadratic time.
 */
const tokens = /("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(\s*:)?|-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/**
 * Returns JSON text as HTML. Member names, strings, numbers and words get CSS classes that color them. Other text is
 * only escaped.
 */
export function highlightJson(text: string): ReturnType<typeof raw> {
  let from = 0;
  const parts: string[] = [];
  for (const found of text.matchAll(tokens)) {
    const [token, quoted, colon = ''] = found;
    parts.push(escaped(text.slice(from, found.index)));
    const shown = quoted ?? token;
    const kind = colon !== '' ? 'name' : quoted !== undefined ? 'text' : /^[a-z]/.test(token) ? 'word' : 'number';
    parts.push(`<span class="json-${kind}">${escaped(shown)}</span>${colon}`);
    from = found.index + token.length;
  }
  return raw(parts.join('') + escaped(text.slice(from)));
}

const escaped = (text: string) => String(html`${text}`);
