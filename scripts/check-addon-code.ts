import vm from 'node:vm';
import type { Program } from 'acorn';
import { isFormula, nameOf, parseScript, readStubs, type Stub, visit } from './check-addon-syntax.ts';

const loadTimeoutMs = 1_000;
const bundleName = 'Addon_';
const triggerNames = ['onOpen', 'onInstall'];

/** Global names of Node or browsers that do not exist in Apps Script. */
const unavailableGlobals = new Set(
  `URL URLSearchParams fetch Headers Request Response XMLHttpRequest setTimeout setInterval setImmediate queueMicrotask
   TextEncoder TextDecoder atob btoa crypto structuredClone performance AbortController window document navigator
   process require module exports Buffer`.split(/\s+/),
);

const services = `SpreadsheetApp PropertiesService CacheService LockService UrlFetchApp Utilities HtmlService ScriptApp
  Session Logger`.split(/\s+/);

/**
 * Finds code that runs in Node but not in Apps Script. Returns one sentence for each mistake.
 *
 * @param code all of Code.js: the documented functions at the top level, then the bundle.
 */
export function checkBundle(code: string): string[] {
  let program: Program;
  try {
    program = parseScript(code);
  } catch (error) {
    return [`Apps Script cannot parse Code.js: ${String(error)}`];
  }
  const stubs = readStubs(code);
  return [
    ...topLevelNames(program),
    ...missingGlobals(program),
    ...templateLiterals(program),
    ...loadFailures(code, stubs),
    ...stubs.flatMap((stub) => checkStub(stub, code)),
  ];
}

/**
 * Returns a mistake for each name at the top level that is neither a function nor the bundle, because cells could call
 * it.
 */
function topLevelNames(program: Program): string[] {
  return program.body.flatMap((node) => {
    if (node.type === 'FunctionDeclaration') return [];
    const names = node.type === 'VariableDeclaration' ? node.declarations.map(({ id }) => nameOf(id)) : [node.type];
    return names.filter((name) => name !== bundleName).map((name) => `${name} must not be at the top level.`);
  });
}

function missingGlobals(program: Program): string[] {
  const found = new Set<string>();
  visit(program, (node, parent, member) => {
    if (node.type !== 'Identifier' || !unavailableGlobals.has(nameOf(node))) return;
    const computed = 'computed' in parent && parent.computed === true;
    const isPropertyName = (member === 'property' || member === 'key') && !computed;
    if (!isPropertyName) found.add(nameOf(node));
  });
  return [...found].map((name) => `${name} does not exist in Apps Script.`);
}

function templateLiterals(program: Program): string[] {
  let found = false;
  visit(program, (node) => {
    found ||= node.type === 'TemplateLiteral';
  });
  return found ? ['The bundle has a template literal.'] : [];
}

/**
 * Loads the code without Google's services, and returns one sentence for each failure. In Apps Script, code that runs
 * while the file loads has no permission for services, and the menu would then be missing.
 */
function loadFailures(code: string, stubs: readonly Stub[]): string[] {
  const context = vm.createContext({});
  const refusals = services.map(
    (name) =>
      `Object.defineProperty(globalThis, '${name}', { get() { throw new Error('${name} is used while loading') } });`,
  );
  vm.runInContext(refusals.join('\n'), context);
  let exported: [string, number][];
  try {
    vm.runInContext(code, context, { timeout: loadTimeoutMs });
    const lengths = `Object.entries(${bundleName}).map(([name, value]) => [name, value.length])`;
    exported = JSON.parse(vm.runInContext(`JSON.stringify(${lengths})`, context));
  } catch (error) {
    return [`Code.js does not load: ${String(error)}`];
  }
  const served = stubs.map((stub) => targetOf(stub.name));
  return [
    ...exported.filter(([name]) => !served.includes(name)).map(([name]) => `${name} is exported but has no stub.`),
    ...stubs.flatMap((stub) => stubFaults(stub, new Map(exported))),
  ];
}

/**
 * Returns a mistake when a function at the top level does not pass as many arguments as the bundled function
 * takes. Functions with `...rest` have the length 0, so only the TypeScript compiler checks them.
 */
function stubFaults({ name, parameters }: Stub, exported: ReadonlyMap<string, number>): string[] {
  const takes = exported.get(targetOf(name));
  if (takes === undefined) return [`${targetOf(name)} has a stub but is not exported.`];
  if (takes === 0 || takes === parameters.length) return [];
  return [`${name} passes ${parameters.length} arguments, but the function takes ${takes}.`];
}

/**
 * Returns the name of the bundle's function that a top-level function calls. The name of a top-level function may end
 * in an underscore, which hides the function from cells and the sidebar.
 */
function targetOf(stubName: string): string {
  return stubName.replace(/_$/, '');
}

function checkStub(stub: Stub, code: string): string[] {
  const body = code.slice(stub.declaration.body.start, stub.declaration.body.end).replace(/\s+/g, ' ');
  const expected = `{ return ${bundleName}.${targetOf(stub.name)}(${stub.parameters.join(', ')}); }`;
  const faults = body === expected ? [] : [`${stub.name} does more than pass its arguments.`];
  if (stub.name.endsWith('_') || triggerNames.includes(stub.name)) return faults;
  if (stub.comment === '') faults.push(`${stub.name} is callable but has no comment.`);
  if (!isFormula(stub)) return faults;
  for (const parameter of stub.parameters) {
    const documented = new RegExp(`@param \\{.+\\} ${parameter} \\S`).test(stub.comment);
    if (!documented) faults.push(`${stub.name} does not document ${parameter}.`);
  }
  return faults;
}
