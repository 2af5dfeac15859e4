import vm from 'node:vm';
import type { AnyNode } from 'acorn';
import { readFormulas } from './addon-formulas.ts';
import type { ServerCall } from './check-addon-page.ts';
import { isFormula, nameOf, parseScript, readStubs, type Stub, visit } from './check-addon-syntax.ts';

/**
 * Names of all functions of the add-on that users can call. Before you add a function, make sure that it never returns
 * the API key, because every editor of the spreadsheet can call it.
 */
export const callable = {
  formulas: readFormulas().map(({ name }) => name),
  triggers: ['onOpen', 'onInstall'],
  page: [
    'sidebarOpen',
    'sidebarRemember',
    'sidebarFirstRows',
    'sidebarFirstRowsResult',
    'sidebarAccount',
    'sidebarConnect',
    'sidebarDisconnect',
    'sidebarAllowFormulas',
    'sidebarSamples',
    'sidebarSelection',
    'sidebarEstimate',
    'sidebarInsertFormula',
    'sidebarPickCells',
    'sidebarImports',
    'sidebarImport',
    'sidebarImportSave',
    'sidebarImportChange',
    'sidebarImportEstimate',
    'sidebarImportStart',
    'sidebarImportStep',
    'sidebarImportCancel',
    'sidebarCampaigns',
    'sidebarInsertReport',
    'sidebarRefreshFormulas',
    'sidebarFreeze',
    'sidebarSchedule',
    'sidebarSetSchedule',
    'sidebarRuns',
  ],
};

type Callable = typeof callable;

/**
 * Compares the functions that cells, the sidebar, the menu and triggers can call with the list of allowed functions.
 * Returns one sentence for each mistake.
 *
 * @param calls the functions that the sidebar calls, see `serverCalls`.
 * @param allowed the list of allowed functions, such as `callable`.
 */
export function checkCallable(code: string, calls: readonly ServerCall[], allowed: Callable): string[] {
  const stubs = readStubs(code);
  const names = stubs.map(({ name }) => name);
  return [
    ...stubs.filter(({ name }) => !name.endsWith('_')).flatMap((stub) => unlisted(stub, allowed)),
    ...Object.values(allowed)
      .flat()
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is on the list of callable functions but does not exist.`),
    ...calls.flatMap((call) => callFaults(call, stubs)),
    ...allowed.page.filter((name) => names.includes(name)).flatMap((name) => reachableFromCell(code, name)),
    ...handlerNames(code)
      .filter((name) => name === null || !names.includes(name))
      .map(
        (name) =>
          `The menu or a trigger calls ${name ?? 'a function whose name cannot be read'}, which does not exist.`,
      ),
  ];
}

function unlisted(stub: Stub, allowed: Callable): string[] {
  const kind = isFormula(stub) ? 'formulas' : allowed.triggers.includes(stub.name) ? 'triggers' : 'page';
  if (allowed[kind].includes(stub.name)) return [];
  return [`${stub.name} is callable by every editor but is not on the list in scripts/check-addon-callable.ts.`];
}

/**
 * Returns a mistake when the sidebar calls a function that Code.js does not have at its top level, or with more
 * arguments than the function takes.
 */
function callFaults({ name, arguments: sent }: ServerCall, stubs: readonly Stub[]): string[] {
  const stub = stubs.find((one) => one.name === name && !one.name.endsWith('_'));
  if (!stub)
    return [`The sidebar calls ${name ?? 'a function whose name cannot be read'}, which has no callable stub.`];
  const taken = stub.parameters.length;
  return sent > taken ? [`The sidebar calls ${name} with ${sent} arguments, but its stub takes ${taken}.`] : [];
}

/**
 * Returns a mistake when a function does anything before it calls `SpreadsheetApp.getUi()`. This call throws when a
 * cell runs the function as a formula, so it keeps formulas from running the rest of the function.
 */
function reachableFromCell(code: string, name: string): string[] {
  const context = vm.createContext({});
  vm.runInContext(refusingServices, context);
  vm.runInContext(code, context);
  const outcome: string = vm.runInContext(
    `try { ${name}(); 'nothing' } catch (error) { String(error.message) }`,
    context,
  );
  return outcome === 'getUi' ? [] : [`${name} does not begin with SpreadsheetApp.getUi(), so a cell could run it.`];
}

const refusingServices = `
  const refuse = (service) => new Proxy({}, { get(_, member) {
    throw new Error(service + member === 'SpreadsheetAppgetUi' ? 'getUi' : service + '.' + String(member));
  } });
  for (const service of ['SpreadsheetApp', 'PropertiesService', 'CacheService', 'LockService', 'UrlFetchApp',
    'Utilities', 'HtmlService', 'ScriptApp', 'Session', 'Logger', 'console']) globalThis[service] = refuse(service);
`;

/**
 * Returns the names of the functions that the menu and triggers call. A name is null when the code does not have it as
 * a constant.
 */
function handlerNames(code: string): (string | null)[] {
  const constants = new Map<string, string>();
  const triggers: AnyNode[] = [];
  visit(parseScript(code), (node) => {
    if (node.type === 'VariableDeclarator' && node.init?.type === 'Literal' && typeof node.init.value === 'string') {
      constants.set(nameOf(node.id), node.init.value);
    }
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
    if (nameOf(node.callee.property) === 'newTrigger' && node.arguments[0]) triggers.push(node.arguments[0]);
  });
  const ofTriggers = triggers.map((node) =>
    node.type === 'Literal' && typeof node.value === 'string' ? node.value : (constants.get(nameOf(node)) ?? null),
  );
  return [...new Set([...ofTriggers, ...menuHandlers(code)])];
}

/** Returns the functions of the menu that `onOpen` adds. Throws when `onOpen` uses any service except the menu. */
function menuHandlers(code: string): string[] {
  const context = vm.createContext({});
  vm.runInContext(menuRecorder, context);
  vm.runInContext(`${code}\n onOpen({ authMode: 'NONE' });`, context);
  return JSON.parse(vm.runInContext('JSON.stringify(handlers)', context));
}

const menuRecorder = `
  const handlers = [];
  const ui = new Proxy({}, { get: (_, member) => (label, handler) => {
    if (member === 'addItem') handlers.push(handler);
    return ui;
  } });
  globalThis.SpreadsheetApp = { getUi: () => ui };
`;
