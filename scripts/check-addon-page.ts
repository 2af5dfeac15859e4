import type { AnyNode, Program } from 'acorn';
import { nameOf, parseScript, visit } from './check-addon-syntax.ts';

const scriptElement = /<script>\n([\s\S]*?)<\/script/g;
/** The members of `google.script.run` that are not functions of the add-on. */
const runMembers = ['withSuccessHandler', 'withFailureHandler', 'withUserObject'];

/**
 * Finds HTML that works in a browser but not in HtmlService. Returns one sentence for each mistake.
 *
 * @param page all of Sidebar.html, including its style and script.
 */
export function checkPage(page: string): string[] {
  const faults: string[] = [];
  const scripts = scriptsOf(page);
  if (scripts.length !== 1 || count(page, '</script') !== 1) faults.push('The page must have exactly one script.');
  if (count(page, '</style') > 1) faults.push('The page must have at most one style.');
  if (page.includes('`')) faults.push('The page has a backtick: HtmlService cuts template literals at // and /*.');
  if (page.includes('<?')) faults.push('The page has <?, which begins a scriptlet of HtmlService.');
  if (page.includes('<!--')) faults.push('The page has <!--, which begins a comment even in a script.');
  return [...faults, ...scripts.flatMap(syntaxFaults)];
}

function scriptsOf(page: string): string[] {
  return [...page.matchAll(scriptElement)].map(([, script = '']) => script);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function syntaxFaults(script: string): string[] {
  try {
    parseScript(script);
    return [];
  } catch (error) {
    return [`The script of the page is not ES2020: ${String(error)}`];
  }
}

/** A call in the sidebar page of a function in Code.js. */
export interface ServerCall {
  /** Name of the called function. Null when it cannot be read from the code. */
  name: string | null;
  /** The number of arguments of the call. */
  arguments: number;
}

/**
 * Returns the functions that the page calls, directly as `google.script.run.NAME(…)` or through the function that
 * contains `run[name](…)`.
 */
export function serverCalls(page: string): ServerCall[] {
  const calls: ServerCall[] = [];
  for (const program of scriptsOf(page).map((script) => parseScript(script))) {
    visit(program, (node, parent) => {
      if (node.type !== 'MemberExpression' || !isRun(node.object)) return;
      const name = nameOf(node.property);
      if (node.computed) calls.push(...wrappedCalls(program, node, name));
      else if (!runMembers.includes(name))
        calls.push({ name, arguments: parent.type === 'CallExpression' ? parent.arguments.length : 0 });
    });
  }
  return calls;
}

/** Returns true for `google.script.run`, even after handlers were set on it. */
function isRun(node: AnyNode): boolean {
  if (node.type === 'CallExpression') return isRun(node.callee);
  if (node.type !== 'MemberExpression' || node.computed) return false;
  if (nameOf(node.property) === 'run') return node.object.type === 'MemberExpression';
  return runMembers.includes(nameOf(node.property)) && isRun(node.object);
}

/**
 * Returns the calls of the function that contains `run[name](…)`. The first argument of each call is the name of the
 * function in Code.js. The other arguments are passed on to that function.
 */
function wrappedCalls(program: Program, run: AnyNode, parameter: string): ServerCall[] {
  const wrappers: string[] = [];
  const calls: ServerCall[] = [];
  visit(program, (node) => {
    if (node.type !== 'FunctionDeclaration' || node.id === null || node.start > run.start || node.end < run.end) return;
    const [first] = node.params;
    if (first !== undefined && nameOf(first) === parameter) wrappers.push(nameOf(node.id));
  });
  visit(program, (node) => {
    if (node.type !== 'CallExpression' || !wrappers.includes(nameOf(node.callee))) return;
    const [first, ...others] = node.arguments;
    const name = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : null;
    calls.push({ name, arguments: others.length });
  });
  return wrappers.length === 0 ? [{ name: null, arguments: 0 }] : calls;
}
