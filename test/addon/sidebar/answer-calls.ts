import type { ThreadedFile } from './file-worker.ts';

/** Calls whose answers are delayed. `calls`: how many of these calls have begun. */
type Hold = { released: Promise<void>; release: () => void; calls: number };

const noConnection = { error: 'NetworkError: Connection failure due to HTTP 0' };

/**
 * Runs the calls of a sidebar in the spreadsheet thread. Answers can be delayed, lost or replaced; see `OpenSidebar`.
 */
export function answerCalls(file: ThreadedFile) {
  const calls: string[] = [];
  const held = new Map<string, Hold>();
  const holds = new Set<Hold>();
  const lost = new Set<string>();
  const lostAnswers = new Set<string>();
  const replies = new Map<string, unknown>();
  /** Number of calls whose answers are neither held back nor handled by the sidebar yet. */
  let unhandled = 0;
  /** The ID of the sidebar that was opened last. */
  let current = '';
  const closed = new Set<string>();
  /** Returns false for a sidebar that is being closed, which may still begin calls but never handles their answers. */
  const isOpen = (sidebar: string): boolean => {
    if (closed.has(sidebar)) return false;
    current = sidebar;
    return true;
  };
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
    async run(sidebar: string, name: string, args: string): Promise<string> {
      calls.push(name);
      const hold = held.get(name);
      const counted = isOpen(sidebar) ? 1 : 0;
      if (hold) hold.calls += counted;
      else unhandled += counted;
      const outcome = await outcomeOf(name, args);
      await hold?.released;
      return JSON.stringify(outcome);
    },
    handled(sidebar: string) {
      if (isOpen(sidebar)) unhandled -= 1;
    },
    hold(name: string) {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      const release = () => {
        if (held.get(name) === hold) held.delete(name);
        unhandled += hold.calls;
        hold.calls = 0;
        resolve();
      };
      const hold: Hold = { released, release, calls: 0 };
      held.set(name, hold);
      holds.add(hold);
      return release;
    },
    /** Ends all delays, for example those that a failed test has left. */
    releaseAll() {
      for (const { release } of holds) release();
    },
    lose: (name: string) => void lost.add(name),
    loseAnswer: (name: string) => void lostAnswers.add(name),
    reply: (name: string, value: unknown) => void replies.set(name, value),
    /**
     * Forgets the unanswered calls of a sidebar that is being closed, because the sidebar never handles their answers.
     */
    forget() {
      closed.add(current);
      unhandled = 0;
      for (const hold of holds) hold.calls = 0;
    },
  };
}
