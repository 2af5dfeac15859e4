import vm from 'node:vm';
import type { Program } from 'acorn';
import { isFormula, nameOf, parseScript, readStubs, type Stub, visit } from './check-addon-syntax.ts';

const loadTimeoutMs = 1_000;
const bundleName = 'Addon_';
const triggerNames = ['onOpen', 'onInstall'];

/** Globals of Node or browsers that Apps Script does not have. */
const unavailableGlobals = new Set(
  `URL URLSearchParams fetch Headers Request Response XMLHttpRequest setTimeout setInterval setImmediate queueMicrotask
   TextEncoder TextDecoder atob btoa crypto structuredClone performance AbortController window document navigator
   process require module exports Buffer`.split(/\s+/),
);

const services = `SpreadsheetApp PropertiesService CacheService LockService UrlFetchApp Utilities HtmlService ScriptApp
  Session Logger`.split(/\s+/);

/**
 * Finds code that Node runs but Apps Script does not. Returns one sentence for each fault.
 *
 * @param code all of Code.js: documented stubs, then the bundle.
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

/** Refuses other names at the top level than stubs and the bundle: cells could call them. */
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

/** Loads the code without services: while loading there is no authorization, and one service call removes the menu. */
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

/** A function with `...rest` has the length 0; the type check of the stubs covers it. */
function stubFaults({ name, parameters }: Stub, exported: ReadonlyMap<string, number>): string[] {
  const takes = exported.get(targetOf(name));
  if (takes === undefined) return [`${targetOf(name)} has a stub but is not exported.`];
  if (takes === 0 || takes === parameters.length) return [];
  return [`${name} passes ${parameters.length} arguments, but the function takes ${takes}.`];
}

/** Returns the export that a stub calls. The final underscore only hides the stub from cells and the sidebar. */
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
