type Id = string | number;

/** The unfinished calls of this process, so that a cancellation that arrives as a request of its own can end one. */
export interface InFlightCalls {
  /** Returns a signal that {@link cancel} aborts; `done` forgets the call. */
  start(caller: string, id: Id): { signal: AbortSignal; done(): void };
  /** Aborts the call of this caller and id. Does nothing when there is no such call, or when two clients of one key use the same id. */
  cancel(caller: string, id: unknown): void;
}

export function createInFlightCalls(): InFlightCalls {
  const calls = new Map<string, Set<AbortController>>();
  const nameOf = (caller: string, id: unknown) => `${caller} ${JSON.stringify(id)}`;
  return {
    start(caller, id) {
      const name = nameOf(caller, id);
      const controller = new AbortController();
      const same = calls.get(name) ?? new Set();
      calls.set(name, same.add(controller));
      const done = () => {
        same.delete(controller);
        if (same.size === 0) calls.delete(name);
      };
      return { signal: controller.signal, done };
    },
    cancel(caller, id) {
      const [call, other] = calls.get(nameOf(caller, id)) ?? [];
      if (call && !other) call.abort();
    },
  };
}
