type Id = string | number;

/** The calls under way of this process, so that a notification that arrives on its own can end one. */
export interface Running {
  /** A signal that {@link cancel} ends; `over` forgets the call. */
  start(caller: string, id: Id): { signal: AbortSignal; over(): void };
  /** Ends the call of that caller and id; nothing when there is none, or when two clients of one key use the same id. */
  cancel(caller: string, id: unknown): void;
}

export function createRunning(): Running {
  const calls = new Map<string, Set<AbortController>>();
  const nameOf = (caller: string, id: unknown) => `${caller} ${JSON.stringify(id)}`;
  return {
    start(caller, id) {
      const name = nameOf(caller, id);
      const controller = new AbortController();
      const same = calls.get(name) ?? new Set();
      calls.set(name, same.add(controller));
      const over = () => {
        same.delete(controller);
        if (same.size === 0) calls.delete(name);
      };
      return { signal: controller.signal, over };
    },
    cancel(caller, id) {
      const [call, other] = calls.get(nameOf(caller, id)) ?? [];
      if (call && !other) call.abort();
    },
  };
}
