import { Agent, request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killServices, startService } from '../harness/service-process.ts';
import { until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const connections = 120;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(killServices);
afterAll(() => db.close());

interface Answered {
  status: number;
  /** True when the answer has the header `Connection: close`. */
  closes: boolean;
}

/** Sends one request on an agent's keep-alive connection. */
function send(url: string, agent: Agent, key: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      response.resume().on('error', reject);
      const closes = response.headers.connection === 'close';
      response.on('end', () => resolve({ status: response.statusCode ?? 0, closes }));
    });
    sent.on('error', reject).end();
  });
}

test('SIGTERM under load resets none of 120 keep-alive connections: the server is not ready, asks clients to close, then stops', async () => {
  const service = await startService({ DATABASE_URL: db.database_url, PIPELINE: 'off', STOP_DELAY_SECONDS: '5' });
  const key = /tide_test_\w+/.exec(service.output())?.[0] ?? '';
  const url = `${service.base_url}/v1/photo/profile?handle=tidemark.sample`;
  const errors: unknown[] = [];
  let answered = 0;
  let left = 0;

  // Acts as a client behind a load balancer, which closes its connection when an answer contains `Connection: close`.
  async function caller(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (let closes = false; !closes; ) {
        ({ closes } = await send(url, agent, key));
        answered += 1;
      }
      left += 1;
    } catch (error) {
      errors.push(error);
    }
    agent.destroy();
  }
  const callers = Array.from({ length: connections }, caller);
  await until(async () => answered >= connections * 3);

  const ended = service.stop();
  await until(async () => {
    const readiness = await fetch(`${service.base_url}/readyz`, { headers: { connection: 'close' } });
    return readiness.status === 503 && (await readiness.text()) === '{"status":"stopping"}';
  });
  await Promise.all(callers);
  expect(errors).toEqual([]);
  expect(left).toBe(connections);
  expect((await ended).code).toBe(0);
}, 60_000);
