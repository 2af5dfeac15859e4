import type { SharedAnswer, SharedRequest } from '../shared.ts';
import type { AuthMode, Caller, World } from '../world.ts';
import { googleTexts } from './google-texts.ts';

/** One run of the script with its world, its permissions, its caller and its HTTP function. */
export type Execution = {
  world: World;
  mode: AuthMode;
  caller: Caller;
  fetchJson: (requestsJson: string) => string;
  /** Uses a service that all executions of the file share, and moves the clock of the world. */
  shared: (request: SharedRequest) => SharedAnswer;
  /** True while this run holds the lock of the file. */
  has_lock: boolean;
  /** Why Google ended this run; null until then. The script cannot catch this. */
  ended: string | null;
};

/** Wraps a fake Google object so that a member that is not modelled throws instead of being undefined. */
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

const scopePrefix = 'https://www.googleapis.com/auth/';

/** Throws unless the user granted the scope. Formulas need no consent. */
export function requireScope({ world, mode }: Execution, what: string, scope: string): void {
  const refused = world.refused_scopes.includes(scopePrefix + scope);
  if (mode === 'FULL' && refused) throw new Error(googleTexts.scopeMissing(what, scopePrefix + scope));
}

/** In a formula the user is always the owner of the file. */
export function personOf({ world, mode }: Execution): string {
  return mode === 'CUSTOM_FUNCTION' ? world.owner : world.user;
}
