import vm from 'node:vm';
import { type Comment, type FunctionDeclaration, type Node, type Program, parse } from 'acorn';

const load_timeout_ms = 1_000;
const bundle_name = 'Addon_';
const trigger_names = ['onOpen', 'onInstall'];

/** Names that Apps Script's runtime does not have, and that Node or a browser would. */
const missing_globals = new Set(
  `URL URLSearchParams fetch Headers Request Response XMLHttpRequest setTimeout setInterval setImmediate queueMicrotask
   TextEncoder TextDecoder atob btoa crypto structuredClone performance AbortController window document navigator
   process require module exports Buffer`.split(/\s+/),
);

const services = `SpreadsheetApp PropertiesService CacheService LockService UrlFetchApp Utilities HtmlService ScriptApp
  Session Logger`.split(/\s+/);

type Stub = { name: string; parameters: string[]; comment: string; declaration: FunctionDeclaration };

/**
 * What would break the script in Apps Script although it runs elsewhere, one sentence each; empty when it is fit to push.
 *
 * @param code the whole of Code.js: documented stubs, then the bundle.
 */
export function checkBundle(code: string): string[] {
  const comments: Comment[] = [];
  let program: Program;
  try {
    program = parse(code, { ecmaVersion: 2020, sourceType: 'script', onComment: comments });
  } catch (error) {
    return [`Apps Script cannot parse it: ${String(error)}`];
  }
  const stubs = program.body.flatMap((node) =>
    node.type === 'FunctionDeclaration' ? [readStub(node, code, comments)] : [],
  );
  return [
    ...strayNames(program),
    ...missingGlobals(program),
    ...loadFailures(code, stubs),
    ...stubs.flatMap((stub) => checkStub(stub, code)),
  ];
}

function readStub(declaration: FunctionDeclaration, code: string, comments: readonly Comment[]): Stub {
  const above = comments.find(
    (comment) => comment.end <= declaration.start && code.slice(comment.end, declaration.start).trim() === '',
  );
  return {
    name: declaration.id.name,
    parameters: declaration.params.map((parameter) => code.slice(parameter.start, parameter.end)),
    comment: above?.type === 'Block' ? above.value : '',
    declaration,
  };
}

/** Whatever stands at the top level is callable from a cell or shared by all scripts: only stubs and the bundle may. */
function strayNames(program: Program): string[] {
  return program.body.flatMap((node) => {
    if (node.type === 'FunctionDeclaration') return [];
    const names = node.type === 'VariableDeclaration' ? node.declarations.map(({ id }) => nameOf(id)) : [node.type];
    return names.filter((name) => name !== bundle_name).map((name) => `${name} stands at the top level.`);
  });
}

function nameOf(node: Node): string {
  return 'name' in node && typeof node.name === 'string' ? node.name : node.type;
}

function missingGlobals(program: Program): string[] {
  const found = new Set<string>();
  visit(program, (node, parent, member) => {
    if (node.type !== 'Identifier' || !missing_globals.has(nameOf(node))) return;
    const computed = 'computed' in parent && parent.computed === true;
    const only_a_name = (member === 'property' || member === 'key') && !computed;
    if (!only_a_name) found.add(nameOf(node));
  });
  return [...found].map((name) => `${name} does not exist in Apps Script.`);
}

function visit(node: Node, seen: (node: Node, parent: Node, member: string) => void): void {
  for (const [member, value] of Object.entries(node)) {
    for (const child of [value].flat()) {
      if (!isNode(child)) continue;
      seen(child, node, member);
      visit(child, seen);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** At load there is no authorisation: one service call makes the menu vanish. */
function loadFailures(code: string, stubs: readonly Stub[]): string[] {
  const context = vm.createContext({});
  const refusals = services.map(
    (name) =>
      `Object.defineProperty(globalThis, '${name}', { get() { throw new Error('${name} is used while loading') } });`,
  );
  vm.runInContext(refusals.join('\n'), context);
  let exported: string[];
  try {
    vm.runInContext(code, context, { timeout: load_timeout_ms });
    exported = JSON.parse(vm.runInContext(`JSON.stringify(Object.keys(${bundle_name}))`, context));
  } catch (error) {
    return [`It does not load: ${String(error)}`];
  }
  const served = stubs.map((stub) => targetOf(stub.name));
  return [
    ...exported.filter((name) => !served.includes(name)).map((name) => `${name} is exported and has no stub.`),
    ...served.filter((name) => !exported.includes(name)).map((name) => `${name} has a stub and is not exported.`),
  ];
}

/** The export behind a stub: the final underscore only keeps cells and the sidebar from calling it. */
function targetOf(stub_name: string): string {
  return stub_name.replace(/_$/, '');
}

function checkStub(stub: Stub, code: string): string[] {
  const body = code.slice(stub.declaration.body.start, stub.declaration.body.end).replace(/\s+/g, ' ');
  const expected = `{ return ${bundle_name}.${targetOf(stub.name)}(${stub.parameters.join(', ')}); }`;
  const faults = body === expected ? [] : [`${stub.name} does more than hand its arguments on.`];
  if (stub.name.endsWith('_') || trigger_names.includes(stub.name)) return faults;
  if (!/@customfunction\b/.test(stub.comment)) faults.push(`${stub.name} is callable and not a documented formula.`);
  for (const parameter of stub.parameters) {
    const documented = new RegExp(`@param \\{.+\\} ${parameter} \\S`).test(stub.comment);
    if (!documented) faults.push(`${stub.name} does not document ${parameter}.`);
  }
  return faults;
}
