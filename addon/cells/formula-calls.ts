/**
 * Returns the arguments of a function call in a formula; null when the closing parenthesis is missing. `begin`: the
 * position after the opening parenthesis.
 */
export function argumentsFrom(text: string, begin: number): string[] | null {
  const args: string[] = [];
  const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[({})]|[,;]/g;
  let [depth, from] = [0, begin];
  token.lastIndex = begin;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [mark] = match;
    if (mark === '(' || mark === '{') depth += 1;
    else if (depth === 0 && (mark === ',' || mark === ';' || mark === ')')) {
      args.push(text.slice(from, match.index));
      from = match.index + 1;
      if (mark === ')') return args;
    } else if (mark === ')' || mark === '}') depth -= 1;
  }
  return null;
}

/**
 * A function call around a position in a formula. `name`: in upper case; "" for a pair of parentheses. `argument`: the
 * number of the argument that contains the position; the first is 0. `first`: the text of the first argument, when the
 * position is in a later one.
 */
export type OuterCall = { name: string; argument: number; first: string };

/** Returns the function calls of a formula that contain the position `at`, the outermost call first. */
export function callsAround(formula: string, at: number): OuterCall[] {
  const calls: (OuterCall & { from: number })[] = [];
  const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|([A-Z_][\w.]*)?\s*[({]|[)},;]/gi;
  for (let match = token.exec(formula); match !== null && match.index < at; match = token.exec(formula)) {
    const [mark, name = ''] = match;
    const last = calls[calls.length - 1];
    if (/[({]$/.test(mark)) calls.push({ name: name.toUpperCase(), argument: 0, first: '', from: token.lastIndex });
    else if (mark === ')' || mark === '}') calls.pop();
    else if ((mark === ',' || mark === ';') && last !== undefined) {
      if (last.argument === 0) last.first = formula.slice(last.from, match.index).trim();
      last.argument += 1;
    }
  }
  return calls;
}
