import { z } from 'zod';
import type { CanaryResult } from '../../db/requests/canary.ts';
import type { RouteHealth } from '../../db/requests/health.ts';
import type { BreakerState } from '../../pipeline/collect/breaker.ts';
import { catalog } from '../data/catalog.ts';
import { type HealthReading, percentile } from './health.ts';

const moment = z.iso.datetime().nullable();
const whole = z.int().nonnegative();

const routeStatus = z.strictObject({
  path: z.string(),
  availability: z.enum(['available', 'preview', 'unavailable', 'planned']),
  cost: whole,
  last_success_at: moment.describe('time of the last answer of a source, within the last 30 days'),
  success_rate_24h: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('share of the requests for new data that a source answered, in the last 24 hours'),
  requests_24h: whole.positive().nullable().describe('requests for new data in the last 24 hours; null without any'),
  p50_ms: whole.nullable().describe('median time: half of the answered requests took no longer'),
  p95_ms: whole.nullable().describe('95 of 100 answered requests took no longer'),
  canary: z
    .strictObject({
      state: z.enum(['right', 'wrong', 'failed']).describe('wrong: the answer differs from the expected values'),
      checked_at: z.iso.datetime(),
      last_right_at: moment,
    })
    .nullable()
    .describe('the last request of this server for well-known public data; null before the first one'),
});

const sourceStatus = z.strictObject({
  source: z.string(),
  state: z
    .enum(['closed', 'open', 'probing'])
    .describe('closed: works; open: paused after failures; probing: one request tests it'),
  consecutive_failures: whole,
  open_until: moment,
});

/** Schema of `data` in the answer of `GET /v1/status`. */
export const serviceStatus = z
  .strictObject({
    status: z.enum(['ok', 'degraded']),
    generated_at: z.iso.datetime(),
    routes: z.array(routeStatus),
    sources: z
      .array(sourceStatus)
      .describe('the sources from which this server process has requested data since it started'),
  })
  .meta({ id: 'Status' });
export type ServiceStatus = z.infer<typeof serviceStatus>;

/**
 * The status becomes `degraded` when a route answered no request in the current and the previous hour, and at least
 * this many failed.
 */
const failuresToDegrade = 5;

/** Returns the status of every API route and source. The values of a route without live requests are null, never 0. */
export function statusOf(reading: HealthReading, breakers: readonly BreakerState[], now: Date): ServiceStatus {
  const known = new Map(reading.routes.map((health) => [health.route, health]));
  const down = reading.routes.some((route) => route.answered_lately === 0 && route.failed_lately >= failuresToDegrade);
  const paused = breakers.some(({ state }) => state !== 'closed');
  return {
    status: down || paused || !reading.current ? 'degraded' : 'ok',
    generated_at: now.toISOString(),
    routes: catalog.map(({ path, availability, cost, collector }) => ({
      path,
      availability,
      cost,
      ...measured(known.get(path)),
      canary: canaryOf(reading.canaries.filter((one) => one.collector === collector?.name)),
    })),
    sources: breakers.map(({ source, state, consecutive_failures, open_until }) => ({
      source,
      state,
      consecutive_failures,
      open_until,
    })),
  };
}

/**
 * Returns the result of the canary requests (regular test requests for well-known data) for an API route. When several
 * subjects (such as accounts) are tested, returns the result of the subject with the most failures in a row.
 */
function canaryOf(results: readonly CanaryResult[]): z.infer<typeof routeStatus>['canary'] {
  const [worst] = results.filter(({ checked_at }) => checked_at !== null).sort((a, b) => b.failures - a.failures);
  if (!worst?.checked_at || !worst.state) return null;
  const { state, checked_at, right_at } = worst;
  return { state, checked_at: checked_at.toISOString(), last_right_at: right_at?.toISOString() ?? null };
}

type Measured = Omit<z.infer<typeof routeStatus>, 'path' | 'availability' | 'cost' | 'canary'>;

function measured(health: RouteHealth | undefined): Measured {
  const requests = health ? health.answered + health.failed : 0;
  return {
    last_success_at: health?.last_success_at?.toISOString() ?? null,
    success_rate_24h: health && requests > 0 ? roundedDown(health.answered, requests) : null,
    requests_24h: requests > 0 ? requests : null,
    p50_ms: wholeMilliseconds(health, 0.5),
    p95_ms: wholeMilliseconds(health, 0.95),
  };
}

/** Returns the share of answered requests, rounded down to four digits. The share is 1 only when no request failed. */
function roundedDown(answered: number, requests: number): number {
  return Math.floor((answered * 10_000) / requests) / 10_000;
}

function wholeMilliseconds(health: RouteHealth | undefined, share: number): number | null {
  const durationMs = health?.latency ? percentile(health.latency, share) : null;
  return durationMs === null ? null : Math.ceil(durationMs);
}

/** Returns true when the Accept header asks for HTML and not for JSON, as in a browser. Other clients get JSON. */
export function wantsPage(request: Request): boolean {
  const accepted = request.headers.get('accept') ?? '';
  return accepted.includes('text/html') && !accepted.includes('application/json');
}
