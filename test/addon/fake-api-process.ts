import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A raw response that the fake API sends, whatever the request. */
export type RawAnswer = { status: number; headers?: Record<string, string>; body: string };

type Cells = Record<string, unknown>;
type Break = 'before' | 'after' | 'never';

/**
 * The data and faults of the fake API. `answers`: sent to the first requests, one each. `people` (by profile URL) and
 * `post` (by post URL): map a column to its value. `posts`: lists by profile URL. `observations`: lists by tracked
 * item. `reports`: by campaign ID. `balance`: more fields of the balance answer. `warnings`: added to every table.
 * `refusals`: the number of 429 answers, by a request's first `url` or `item`, or by its path. `breaks`: breaks the
 * connections of the first requests, one each: before the request is read, or after it was answered and charged.
 */
export type Setup = {
  keys: string[];
  people: Record<string, Cells>;
  post: Record<string, Cells>;
  posts: Record<string, Cells[]>;
  observations: Record<string, Cells[]>;
  campaigns: { id: string; name: string }[];
  reports: Record<string, unknown>;
  warnings: string[];
  refusals: Record<string, number>;
  balance: Cells;
  answers: RawAnswer[];
  breaks: Break[];
};

export const emptySetup: Setup = {
  ...{ keys: [], people: {}, post: {}, posts: {}, observations: {}, campaigns: [], reports: {} },
  ...{ warnings: [], refusals: {}, balance: {}, answers: [], breaks: [] },
};

export type FakeApiLog = {
  requests: {
    path: string;
    url_characters: number;
    key: string | null;
    idempotency_key: string | null;
    parameters: Record<string, string[]>;
  }[];
  credits_charged: number;
};

export type FakeApi = Awaited<ReturnType<typeof useFakeApi>>;

let started: Promise<string> | undefined;

/**
 * Returns the fake API. The fake API runs in another process, because the harness blocks the test process during a
 * request. All test files of a process use the same fake API, one after the other.
 */
export async function useFakeApi() {
  started ??= startProcess();
  const origin = await started;
  return {
    origin,
    /** Resets the fake API and gives it this data. */
    async begin(setup: Partial<Setup>): Promise<void> {
      const body = JSON.stringify({ ...emptySetup, ...setup });
      const response = await fetch(`${origin}/fake-api`, { method: 'POST', body });
      if (!response.ok) throw new Error(`The fake API refused its setup: ${await response.text()}`);
    },
    async log(): Promise<FakeApiLog> {
      const response = await fetch(`${origin}/fake-api`);
      return (await response.json()) as FakeApiLog;
    },
  };
}

/** Starts the process of the fake API and returns its address. The process ends with the test process. */
async function startProcess(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fake-api.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { port }: { port: number } = JSON.parse(line);
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) (pipe as Socket).unref();
  return `http://127.0.0.1:${port}`;
}
