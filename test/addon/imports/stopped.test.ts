import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';

type ImportId = (id: string) => unknown;

/** Loads a module of the add-on without its types, because only addon/ has the types of Google's services. */
function load<Module>(name: string): Promise<Module> {
  return import(join(import.meta.dirname, '../../../addon/imports', name));
}

const { claimDue } = await load<{ claimDue: ImportId }>('due.ts');
const { findRun } = await load<{ findRun: ImportId }>('run-state.ts');
type Saved = { deleteRun: ImportId; findImport: ImportId; saveImport: (saved: object) => void };
const { deleteRun, findImport, saveImport } = await load<Saved>('saved.ts');

const hourMs = 3_600_000;

afterEach(() => {
  vi.unstubAllGlobals();
});

/**
 * Replaces Google's services with stubs that use these properties of a file. Stops the script when it deletes more than
 * `maxDeletions` properties.
 */
function stubServices(properties: Record<string, string>, maxDeletions = Number.POSITIVE_INFINITY): void {
  const texts = new Map(Object.entries(properties));
  let deletions = 0;
  const store = {
    getProperty: (name: string) => texts.get(name) ?? null,
    setProperty: (name: string, text: string) => texts.set(name, text),
    setProperties: (values: Record<string, string>) => {
      for (const [name, text] of Object.entries(values)) texts.set(name, text);
    },
    getKeys: () => [...texts.keys()],
    deleteProperty: (name: string) => {
      deletions += 1;
      if (deletions > maxDeletions) throw new Error('stopped');
      texts.delete(name);
    },
  };
  vi.stubGlobal('INSTALL', 'bound');
  vi.stubGlobal('PropertiesService', { getDocumentProperties: () => store, getUserProperties: () => store });
  vi.stubGlobal('SpreadsheetApp', { getActiveSpreadsheet: () => null, flush: () => undefined });
  vi.stubGlobal('LockService', { getDocumentLock: () => ({ tryLock: () => true, releaseLock: () => undefined }) });
}

function savedImport(schedule: object | null): Record<string, string> {
  return { import_a: JSON.stringify({ id: 'a', source: {}, schedule }), import_user: 'ann' };
}

test('when two triggers start at the same time, only the first one runs a scheduled import', () => {
  const schedule = { every_hours: 1, weekday: 1, by: 'ann', last_ms: Date.now() - 2 * hourMs };
  stubServices(savedImport(schedule));
  expect([claimDue('a'), claimDue('a')]).toEqual([true, false]);
});

test('a trigger neither runs nor restores an import that a user deleted or unscheduled while the trigger ran other imports', () => {
  stubServices(savedImport(null));
  expect(claimDue('a')).toBe(false);
  expect(findImport('a')).toMatchObject({ schedule: null });
  stubServices({});
  expect(claimDue('a')).toBe(false);
});

test('a script that is stopped while it removes an import run leaves no run that would request rows again', () => {
  stubServices({ import_a_run_0: 'marks', import_a_run: '{}', import_a_run_1: 'marks' }, 1);
  expect(() => deleteRun('a')).toThrow('stopped');
  expect(findRun('a')).toBeNull();
});

test('a script that is stopped while it saves a shorter list leaves the whole new list, without old entries', () => {
  stubServices({}, 1);
  const list = Array.from({ length: 30 }, (_, index) => `${index} ${'x'.repeat(900)}`);
  saveImport({ id: 'a', source: { list } });
  expect(findImport('a')).toMatchObject({ source: { list } });
  expect(() => saveImport({ id: 'a', source: { list: ['new'] } })).toThrow('stopped');
  expect(findImport('a')).toMatchObject({ source: { list: ['new'] } });
});
