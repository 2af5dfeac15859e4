import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** An answer given as it stands, whatever is asked. */
export type RawAnswer = { status: number; headers?: Record<string, string>; body: string };

/** `answers` are used up first, one for each request; then `people` by profile URL, column -> value. */
export type Setup = { keys: string[]; people: Record<string, Record<string, unknown>>; answers: RawAnswer[] };

export type StandInLog = {
  requests: { path: string; url_characters: number; key: string | null; parameters: Record<string, string[]> }[];
  credits_charged: number;
};

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** Starts the stand-in of the API in another process: the harness blocks this one while it waits for an answer. */
export async function startStandIn() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'stand-in.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { port }: { port: number } = JSON.parse(line);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    /** Forgets everything and begins again with this setup. */
    async begin(setup: Partial<Setup>): Promise<void> {
      const body = JSON.stringify({ keys: [], people: {}, answers: [], ...setup });
      const response = await fetch(`${origin}/stand-in`, { method: 'POST', body });
      if (!response.ok) throw new Error(`The stand-in refused its setup: ${await response.text()}`);
    },
    async log(): Promise<StandInLog> {
      const response = await fetch(`${origin}/stand-in`);
      return (await response.json()) as StandInLog;
    },
    async stop(): Promise<void> {
      child.kill();
      await once(child, 'exit');
    },
  };
}
