import { html, raw } from 'hono/html';

/** A text with an optional colon after it (the name of a member), a number, or a word of JSON. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Returns JSON text with its names, texts, numbers and words marked for the style sheet. Other text stays as it is. */
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
