import type { AuthMode, Door, World } from '../world.ts';

/** One run of the script: the world it works on, how it was authorised and called, and its door to the socket. */
export type Execution = {
  world: World;
  mode: AuthMode;
  door: Door;
  fetchDoor: (requestsJson: string) => string;
  /** Whether this run holds the lock of the file. */
  has_lock: boolean;
};

/** A stand-in of one Google object: whatever is not modelled throws instead of being undefined. */
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

/** In a formula the user is the file's owner, whoever typed it. */
export function personOf({ world, mode }: Execution): string {
  return mode === 'CUSTOM_FUNCTION' ? world.owner : world.user;
}
