import type { ThreadedFile } from './file-worker.ts';

/** Calls whose answers are delayed. `calls`: the number of those that have begun. */
type Hold = { released: Promise<void>; calls: number };

const noConnection = { error: 'NetworkError: Connection failure due to HTTP 0' };

/**
 * Runs the calls of a sidebar in the spreadsheet thread. Their answers can be delayed, lost or replaced, see
 * `OpenSidebar`.
 */
export function answerCalls(file: ThreadedFile) {
  const calls: string[] = [];
  const held = new Map<string, Hold>();
  const holds = new Set<Hold>();
  const lost = new Set<string>();
  const lostAnswers = new Set<string>();
  const replies = new Map<string, unknown>();
  /** Number of calls that are neither held nor handled by the sidebar. */
  let unhandled = 0;
  const outcomeOf = async (name: string, args: string): Promise<object> => {
    if (lost.delete(name)) return noConnection;
    const value = replies.get(name);
    replies.delete(name);
    if (value !== undefined) return { value };
    const isAnswerLost = lostAnswers.delete(name);
    const outcome = await file.ask('run', name, JSON.parse(args) as unknown[]).then(
      (returned) => ({ value: returned ?? null }),
      (error: Error) => ({ error: error.message }),
    );
    return isAnswerLost ? noConnection : outcome;
  };
  return {
    calls,
    unhandled: () => unhandled,
    async run(name: string, args: string): Promise<string> {
      calls.push(name);
      const hold = held.get(name);
      if (hold) hold.calls += 1;
      else unhandled += 1;
      const outcome = await outcomeOf(name, args);
      await hold?.released;
      return JSON.stringify(outcome);
    },
    handled() {
      unhandled -= 1;
    },
    hold(name: string) {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      const hold: Hold = { released, calls: 0 };
      held.set(name, hold);
      holds.add(hold);
      return () => {
        if (held.get(name) === hold) held.delete(name);
        unhandled += hold.calls;
        hold.calls = 0;
        resolve();
      };
    },
    lose: (name: string) => void lost.add(name),
    loseAnswer: (name: string) => void lostAnswers.add(name),
    reply: (name: string, value: unknown) => void replies.set(name, value),
    /** Forgets the calls of a sidebar that is being closed, which never handles their answers. */
    forget() {
      unhandled = 0;
      for (const hold of holds) hold.calls = 0;
    },
  };
}
