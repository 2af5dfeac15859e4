import type { SharedAnswer, SharedRequest } from '../shared.ts';
import type { AuthMode, Caller, SheetState, World } from '../world.ts';
import { googleTexts } from './google-texts.ts';

/** One run of the add-on script: its world (files, users, settings), permissions, caller and HTTP function. */
export type Execution = {
  world: World;
  mode: AuthMode;
  caller: Caller;
  fetchJson: (requestsJson: string) => string;
  /** Uses the cache or the lock that all executions of the file share, and moves the clock of the world. */
  shared: (request: SharedRequest) => SharedAnswer;
  /**
   * Returns the `Sheet` object of a sheet. range.ts calls this function, because it cannot import sheet.ts, which
   * imports range.ts.
   */
  sheet_of: (state: SheetState) => unknown;
  /** Runs the work, if any, that the test set for this call of a Google service; see `file.meanwhile`. */
  pause: (at: string) => void;
  /** True when this run has written into cells since its last `SpreadsheetApp.flush`. */
  has_unflushed: boolean;
  /** True while this run holds the lock of the file. */
  has_lock: boolean;
  /** The error with which Google ended this run; null until then. The script cannot catch this error. */
  ended: string | null;
};

/** Wraps a fake Google object so that using a member that the object does not have throws an error. */
export function modelled<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get(target, member) {
      if (member in target) return Reflect.get(target, member);
      throw new Error(`The harness does not model ${name}.${String(member)}`);
    },
  });
}

export function requireMode(execution: Execution, what: string, modes: readonly AuthMode[]): void {
  if (!modes.includes(execution.mode))
    throw new Error(`You do not have permission to call ${what} (${execution.mode})`);
}

/** Counts a call that Google answers slowly, and moves the virtual clock forward by the duration of the call. */
export function countQuestion({ world }: Execution, what: string): void {
  world.questions[what] = (world.questions[what] ?? 0) + 1;
  world.now_ms += world.question_ms;
}

const scopePrefix = 'https://www.googleapis.com/auth/';

/** Throws unless the user granted this permission scope. Formulas need no consent. */
export function requireScope({ world, mode }: Execution, what: string, scope: string): void {
  const refused = world.refused_scopes.includes(scopePrefix + scope);
  if (mode === 'FULL' && refused) throw new Error(googleTexts.scopeMissing(what, scopePrefix + scope));
}

/** Returns the user of an execution. In a formula, this is always the owner of the file. */
export function personOf({ world, mode }: Execution): string {
  return mode === 'CUSTOM_FUNCTION' ? world.owner : world.user;
}
