import { newId } from '../../db/ids.ts';
import type { Admission } from '../../db/requests/admission.ts';
import type { Charge, ChargeOutcome } from '../../db/requests/charges.ts';
import type { KeptAnswer, ReplayKey } from '../../db/requests/responses.ts';
import { answerKey } from '../../pipeline/collect/answer-key.ts';
import { RequestError } from '../http/errors.ts';
import { type DataRequest, fingerprintOf } from './request.ts';
import type { SourcedRoute } from './route.ts';

/** What the meter needs of the rest of the service; it is the only one that knows cache, credits and sources together. */
export interface MeterDeps {
  now: () => Date;
  /** A cached answer not older than `max_age_seconds`, null when there is none. */
  cached(cacheKey: string, maxAgeSeconds: number): Promise<KeptAnswer | null>;
  /** Puts an answer that was charged where other requests of this process find it first. */
  remember(cacheKey: string, answer: KeptAnswer): void;
  settle(item: Charge): Promise<ChargeOutcome>;
  readReplay(key: ReplayKey): Promise<(KeptAnswer & { fingerprint: string }) | null>;
  keepReplay(key: ReplayKey, answer: KeptAnswer & { fingerprint: string }): Promise<void>;
  /** A sample of a development key. */
  sample(request: DataRequest, admission: Admission): Promise<Sample>;
  /** Throws when no source of the route could be asked at all. */
  assertServable(route: SourcedRoute): void;
  /** The rows that this workspace was charged for with an earlier page, null when the cursor names none. */
  bought(request: DataRequest, workspaceId: string): Promise<KeptAnswer | null>;
  /** Keeps an answer of bought rows in the cache. */
  keepAnswer(cacheKey: string, route: string, answer: KeptAnswer): Promise<void>;
  /** Asks the sources for this workspace; throws a SourceError. */
  fresh(request: DataRequest, workspaceId: string, signal: AbortSignal | null): Promise<KeptAnswer>;
}

export interface Sample extends KeptAnswer {
  credits_remaining: number;
}

export interface MeteredRequest {
  request: DataRequest;
  admission: Admission;
  request_id: string;
  idempotency_key: string | null;
  /** Credits that must be left for what the caller asks next: less than that, and nothing is asked or charged. */
  reserve?: number;
  /** Ends the waiting for sources before their own deadline. */
  signal?: AbortSignal;
}

export interface Metered extends KeptAnswer {
  cached: boolean;
  credits_charged: number;
  credits_remaining: number;
  sandbox: boolean;
  replayed: boolean;
}

/** A fresh answer under way, and what its caller gives it up with. */
interface Flight {
  answer: Promise<Metered>;
  signal: AbortSignal | null;
}

export type Meter = (asked: MeteredRequest) => Promise<Metered>;

/** Returns the identity of the answer to a request: the same rows have it while their page is kept and when they are fetched again. */
export function cacheKeyOf({ route, asked, limit, place: cursor }: DataRequest): string {
  const place = cursor && 'again' in cursor && cursor.again !== null ? cursor.again : cursor;
  return answerKey({
    path: route.path,
    params: asked,
    limit: route.container === 'items' ? limit : null,
    position: place,
  });
}

/**
 * Answers one request to a data route: sample, replay, cache, or a fresh answer that is charged in the statement that
 * keeps it. Identical requests of one workspace that are in flight at once share one fetch and one charge.
 */
export function createMeter(deps: MeterDeps): Meter {
  const inFlight = new Map<string, Flight>();

  return async function meter(asked: MeteredRequest): Promise<Metered> {
    const { request, admission } = asked;
    const cacheKey = cacheKeyOf(request);
    const flight = `${admission.workspace_id} ${cacheKey}`;
    const seenOnArrival = inFlight.get(flight);
    const replay = replayKeyOf(asked);
    if (replay) {
      const kept = await replayed(deps, replay, asked);
      if (kept) return kept;
    }
    const found = await free(deps, asked, cacheKey);
    if (found) {
      if (replay) await deps.keepReplay(replay, { ...found, fingerprint: fingerprintOf(request) });
      return found;
    }
    deps.assertServable(request.route);

    let leader = seenOnArrival ?? inFlight.get(flight);
    while (leader) {
      const shared = await follow(deps, leader, asked, replay);
      if (shared) return shared;
      const next = inFlight.get(flight);
      leader = next === leader ? undefined : next;
    }
    const own = { answer: charged(deps, asked, cacheKey, replay), signal: asked.signal ?? null };
    inFlight.set(flight, own);
    try {
      return await own.answer;
    } finally {
      if (inFlight.get(flight) === own) inFlight.delete(flight);
    }
  };
}

/** A sample, rows that were paid before, or a cached answer: what costs nothing. */
async function free(deps: MeterDeps, asked: MeteredRequest, cacheKey: string): Promise<Metered | null> {
  const { request, admission } = asked;
  const unpaid = { credits_charged: 0, replayed: false };
  if (admission.kind === 'test') {
    const sample = await deps.sample(request, admission);
    return { ...sample, ...unpaid, cached: false, sandbox: true };
  }
  const bought = await deps.bought(request, admission.workspace_id);
  if (bought) await deps.keepAnswer(cacheKey, request.route.path, bought);
  const { max_age_seconds } = request;
  const kept = bought ?? (max_age_seconds === null ? null : await deps.cached(cacheKey, max_age_seconds));
  return kept && { ...kept, ...unpaid, cached: true, credits_remaining: admission.balance, sandbox: false };
}

// The charge is made after the source answered and before the answer leaves; a refused charge keeps nothing.
async function charged(
  deps: MeterDeps,
  asked: MeteredRequest,
  cacheKey: string,
  replay: ReplayKey | null,
): Promise<Metered> {
  const { request, admission, request_id, reserve = 0 } = asked;
  const { cost, path: route } = request.route;
  if (admission.balance < cost + reserve) throw insufficient(cost + reserve, admission.balance);
  const answer = await deps.fresh(request, admission.workspace_id, asked.signal ?? null);
  const settled = await deps.settle({
    ...answer,
    charge_id: newId(deps.now()),
    workspace_id: admission.workspace_id,
    key_id: admission.key_id,
    request_id,
    route,
    cost,
    cache_key: cacheKey,
    replay: replay && { ...replay, fingerprint: fingerprintOf(request) },
  });
  if (settled.outcome === 'replayed' && replay) {
    const kept = await replayed(deps, replay, asked);
    if (kept) return kept;
  }
  if (settled.outcome !== 'charged') throw refusal(settled, cost);
  deps.remember(cacheKey, answer);
  return {
    ...answer,
    cached: false,
    credits_charged: cost,
    credits_remaining: settled.balance,
    sandbox: false,
    replayed: false,
  };
}

/** The cap of the other request's key, or the balance that it saw: no verdict on this request. */
const isUnpaid = (error: unknown) => error instanceof RequestError && error.code === 'INSUFFICIENT_CREDITS';

async function follow(
  deps: MeterDeps,
  leader: Flight,
  asked: MeteredRequest,
  replay: ReplayKey | null,
): Promise<Metered | null> {
  const answer = await leader.answer.catch((error: unknown) =>
    isUnpaid(error) || leader.signal?.aborted ? null : Promise.reject(error),
  );
  if (answer === null) return null;
  const shared = { ...answer, cached: true, credits_charged: 0, replayed: false };
  if (replay) await deps.keepReplay(replay, { ...shared, fingerprint: fingerprintOf(asked.request) });
  return shared;
}

function replayKeyOf({ admission, idempotency_key }: MeteredRequest): ReplayKey | null {
  if (idempotency_key === null) return null;
  return {
    workspace_id: admission.workspace_id,
    mode: admission.kind === 'test' ? 'sandbox' : 'live',
    idempotency_key,
  };
}

async function replayed(deps: MeterDeps, key: ReplayKey, asked: MeteredRequest): Promise<Metered | null> {
  const kept = await deps.readReplay(key);
  if (!kept) return null;
  if (kept.fingerprint !== fingerprintOf(asked.request)) throw new RequestError('IDEMPOTENCY_KEY_REUSED');
  const { body, meta, retrieved_at } = kept;
  const { balance: creditsRemaining, kind } = asked.admission;
  const sandbox = kind === 'test';
  return {
    body,
    meta,
    retrieved_at,
    cached: !sandbox,
    credits_charged: 0,
    credits_remaining: creditsRemaining,
    sandbox,
    replayed: true,
  };
}

function insufficient(cost: number, balance: number): RequestError {
  const message = `This request costs ${cost} ${cost === 1 ? 'credit' : 'credits'} and the balance is ${balance}: add credits and send it again.`;
  return new RequestError('INSUFFICIENT_CREDITS', { message });
}

function refusal(settled: Exclude<ChargeOutcome, { outcome: 'charged' }>, cost: number): RequestError {
  if (settled.outcome === 'replayed') return new RequestError('INTERNAL');
  if (settled.reason === 'balance') return insufficient(cost, settled.balance);
  return new RequestError('INSUFFICIENT_CREDITS', {
    message: 'The monthly cap of this key is reached: raise it, use another key, or wait for the 1st (UTC).',
  });
}
