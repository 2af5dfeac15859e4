import type { AuthMode, Caller, World } from '../world.ts';

/** One run of the script with its world, its permissions, its caller and its HTTP function. */
export type Execution = {
  world: World;
  mode: AuthMode;
  caller: Caller;
  fetchJson: (requestsJson: string) => string;
  /** True while this run holds the lock of the file. */
  has_lock: boolean;
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

/** In a formula the user is always the owner of the file. */
export function personOf({ world, mode }: Execution): string {
  return mode === 'CUSTOM_FUNCTION' ? world.owner : world.user;
}
