type Id = string | number;

/**
 * The tool calls in progress in this process. A client cancels a call with a separate request, which finds the call
 * here.
 */
interface InFlightCalls {
  /** Adds a tool call. {@link cancel} aborts the returned signal. `done` removes the call from the list. */
  start(caller: string, id: Id): { signal: AbortSignal; done(): void };
  /**
   * Aborts the call with this id from this client. Does nothing when there is no such call. Also does nothing when two
   * calls with the same key have the same id, because two clients that share the key can have sent them.
   */
  cancel(caller: string, id: unknown): void;
}

/**
 * Creates the list of tool calls in progress. The list is in memory, so a client can cancel only calls that the same
 * process handles.
 */
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
