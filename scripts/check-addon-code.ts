import vm from 'node:vm';
import type { Program } from 'acorn';
import { isFormula, nameOf, parseScript, readStubs, type Stub, visit } from './check-addon-syntax.ts';

const loadTimeoutMs = 1_000;
const bundleName = 'Addon_';
const triggerNames = ['onOpen', 'onInstall'];

/** Names that Apps Script's runtime does not have, and that Node or a browser would. */
const missing_globals = new Set(
  `URL URLSearchParams fetch Headers Request Response XMLHttpRequest setTimeout setInterval setImmediate queueMicrotask
   TextEncoder TextDecoder atob btoa crypto structuredClone performance AbortController window document navigator
   process require module exports Buffer`.split(/\s+/),
);

const services = `SpreadsheetApp PropertiesService CacheService LockService UrlFetchApp Utilities HtmlService ScriptApp
  Session Logger`.split(/\s+/);

/**
 * What would break the script in Apps Script although it runs elsewhere, one sentence each; empty when it is fit to push.
 *
 * @param code the whole of Code.js: documented stubs, then the bundle.
 */
export function checkBundle(code: string): string[] {
  let program: Program;
  try {
    program = parseScript(code);
  } catch (error) {
    return [`Apps Script cannot parse it: ${String(error)}`];
  }
  const stubs = readStubs(code);
  return [
    ...strayNames(program),
    ...missingGlobals(program),
    ...templateLiterals(program),
    ...loadFailures(code, stubs),
    ...stubs.flatMap((stub) => checkStub(stub, code)),
  ];
}

/** Whatever stands at the top level is callable from a cell or shared by all scripts: only stubs and the bundle may. */
function strayNames(program: Program): string[] {
  return program.body.flatMap((node) => {
    if (node.type === 'FunctionDeclaration') return [];
    const names = node.type === 'VariableDeclaration' ? node.declarations.map(({ id }) => nameOf(id)) : [node.type];
    return names.filter((name) => name !== bundleName).map((name) => `${name} stands at the top level.`);
  });
}

function missingGlobals(program: Program): string[] {
  const found = new Set<string>();
  visit(program, (node, parent, member) => {
    if (node.type !== 'Identifier' || !missing_globals.has(nameOf(node))) return;
    const computed = 'computed' in parent && parent.computed === true;
    const onlyAName = (member === 'property' || member === 'key') && !computed;
    if (!onlyAName) found.add(nameOf(node));
  });
  return [...found].map((name) => `${name} does not exist in Apps Script.`);
}

function templateLiterals(program: Program): string[] {
  let found = false;
  visit(program, (node) => {
    found ||= node.type === 'TemplateLiteral';
  });
  return found ? ['A template literal survived the build.'] : [];
}

/** At load there is no authorisation: one service call makes the menu vanish. */
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
    return [`It does not load: ${String(error)}`];
  }
  const served = stubs.map((stub) => targetOf(stub.name));
  return [
    ...exported.filter(([name]) => !served.includes(name)).map(([name]) => `${name} is exported and has no stub.`),
    ...stubs.flatMap((stub) => stubFaults(stub, new Map(exported))),
  ];
}

/** What takes `...rest` has the length 0; the type check of the stubs counts there. */
function stubFaults({ name, parameters }: Stub, exported: ReadonlyMap<string, number>): string[] {
  const takes = exported.get(targetOf(name));
  if (takes === undefined) return [`${targetOf(name)} has a stub and is not exported.`];
  if (takes === 0 || takes === parameters.length) return [];
  return [`${name} hands on ${parameters.length} arguments, and ${takes} are taken.`];
}

/** The export behind a stub: the final underscore only keeps cells and the sidebar from calling it. */
function targetOf(stubName: string): string {
  return stubName.replace(/_$/, '');
}

function checkStub(stub: Stub, code: string): string[] {
  const body = code.slice(stub.declaration.body.start, stub.declaration.body.end).replace(/\s+/g, ' ');
  const expected = `{ return ${bundleName}.${targetOf(stub.name)}(${stub.parameters.join(', ')}); }`;
  const faults = body === expected ? [] : [`${stub.name} does more than hand its arguments on.`];
  if (stub.name.endsWith('_') || triggerNames.includes(stub.name)) return faults;
  if (stub.comment === '') faults.push(`${stub.name} is callable and says nothing about itself.`);
  if (!isFormula(stub)) return faults;
  for (const parameter of stub.parameters) {
    const documented = new RegExp(`@param \\{.+\\} ${parameter} \\S`).test(stub.comment);
    if (!documented) faults.push(`${stub.name} does not document ${parameter}.`);
  }
  return faults;
}
