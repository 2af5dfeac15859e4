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

/**
 * Returns the names of the functions that the page calls, directly as `google.script.run.NAME(…)` or through the function
 * that contains `run[name](…)`. A name that cannot be read from the code is null.
 */
export function serverNames(page: string): (string | null)[] {
  const names: (string | null)[] = [];
  for (const program of scriptsOf(page).map((script) => parseScript(script))) {
    visit(program, (node) => {
      if (node.type !== 'MemberExpression' || !isRun(node.object)) return;
      const name = nameOf(node.property);
      if (node.computed) names.push(...wrappedNames(program, node, name));
      else if (!runMembers.includes(name)) names.push(name);
    });
  }
  return [...new Set(names)];
}

/** Returns true for `google.script.run`, also after handlers were set on it. */
function isRun(node: AnyNode): boolean {
  if (node.type === 'CallExpression') return isRun(node.callee);
  if (node.type !== 'MemberExpression' || node.computed) return false;
  if (nameOf(node.property) === 'run') return node.object.type === 'MemberExpression';
  return runMembers.includes(nameOf(node.property)) && isRun(node.object);
}

/** Returns the names passed to the function that contains `run[name](…)`. Its first parameter is the name. */
function wrappedNames(program: Program, run: AnyNode, parameter: string): (string | null)[] {
  const wrappers: string[] = [];
  const names: (string | null)[] = [];
  visit(program, (node) => {
    if (node.type !== 'FunctionDeclaration' || node.id === null || node.start > run.start || node.end < run.end) return;
    const [first] = node.params;
    if (first !== undefined && nameOf(first) === parameter) wrappers.push(nameOf(node.id));
  });
  visit(program, (node) => {
    if (node.type !== 'CallExpression' || !wrappers.includes(nameOf(node.callee))) return;
    const [first] = node.arguments;
    names.push(first?.type === 'Literal' && typeof first.value === 'string' ? first.value : null);
  });
  return wrappers.length === 0 ? [null] : names;
}
