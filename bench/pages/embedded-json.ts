/**
 * Returns the JSON of an answer: the whole text, or the largest script of an HTML page that is JSON. Returns '' without
 * JSON.
 */
export function embeddedJson(text: string): string {
  if (isJson(text)) return text;
  const scripts = Array.from(
    text.matchAll(/<script[^>]*>(?:var \w+ = )?(.*?);?<\/script>/gs),
    ([, script]) => script ?? '',
  );
  const largest = scripts.filter(isJson).toSorted((a, b) => b.length - a.length)[0];
  return largest ?? '';
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
