import { rawJson } from '../../pipeline/parse/json.ts';
import { dig } from '../../pipeline/parse/values.ts';

/**
 * Returns a JSON body that contains only the value at a dot path. The value stays at that path, so that a source can
 * read it. Returns undefined when the body has no such value. The text of the value is copied, so that long integers
 * keep all digits.
 */
export function cutBody(body: Buffer, dotPath: string): Buffer | undefined {
  const path = dotPath.split('.');
  if (dig(parsed(body), ...path) === undefined) return undefined;
  const value = rawJson(body, path);
  if (value === undefined) return undefined;
  return path.reduceRight((inner, key, depth) => {
    const container = rawJson(body, path.slice(0, depth));
    const isList = container?.[0] === '['.charCodeAt(0);
    const [start, end] = isList ? ['[', ']'] : [`{${JSON.stringify(key)}:`, '}'];
    return Buffer.concat([Buffer.from(start), inner, Buffer.from(end)]);
  }, value);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
