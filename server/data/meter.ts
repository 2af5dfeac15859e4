import { newId } from '../../db/ids.ts';
import type { UnconfirmedCharge } from '../../db/money/returned-charges.ts';
import type { Admission } from '../../db/requests/admission.ts';
import type { ChargeOutcome, Charger } from '../../db/requests/charges.ts';
import type { Replay, ReplayKey } from '../../db/requests/replays.ts';
import type { StoredAnswer } from '../../db/requests/responses.ts';
import { answerKey, hasOtherHints } from '../../pipeline/collect/answer-key.ts';
import type { CollectedAnswer, ReadAnswer } from '../../pipeline/collect/stored-answer.ts';
import type { Admitted } from '../http/authenticate.ts';
import { RequestError } from '../http/errors.ts';
import type { Metering } from '../http/reply.ts';
import { insufficient, noteCharge, overCap, withinBudget } from './budget.ts';
import { createInFlight } from './in-flight.ts';
import { type DataRequest, fingerprintOf } from './request.ts';
import type { SourcedRoute } from './route.ts';

/**
 * Dependencies of the meter. The meter answers data requests and is the only module that combines cache, credits and
 * sources.
 */
interface MeterDeps {
  now: () => Date;
  /** Returns the cached answer if it is at most `maxAgeSeconds` old, else null. */
  cached(cacheKey: string, maxAgeSeconds: number): Promise<StoredAnswer | null>;
  /** Stores a charged answer in the memory of this process. */
  remember(cacheKey: string, answer: StoredAnswer): void;
  charge: Charger;
  /**
   * Gives credits back later, after a charge that the database did not confirm. If the database made the charge after
   * all, the workspace would otherwise pay for a request that failed.
   */
  returnLater(charge: UnconfirmedCharge): void;
  readReplay(key: ReplayKey): Promise<Replay | null>;
  storeReplay(key: ReplayKey, replay: Replay): Promise<void>;
  /** Returns the fixed sample that a request with a development key gets instead of live data. */
  sample(request: DataRequest, admission: Admission): Promise<MeteredSample>;
  /** Returns the error for a route for which this server cannot fetch new data, else null. */
  unservableError(route: SourcedRoute): RequestError | null;
  /** Returns the rows that this workspace already paid for with an earlier page of the list, or null. */
  prepaid(request: DataRequest, workspaceId: string): Promise<CollectedAnswer | null>;
  /** Stores an answer in the cache without a charge, because the workspace has already paid for its rows. */
  storeAnswer(cacheKey: string, route: string, answer: StoredAnswer): Promise<void>;
  /** Fetches an answer from the sources of the route. Throws a SourceError when they fail. */
  fetchAnswer(request: DataRequest, workspaceId: string, signal: AbortSignal | null): Promise<CollectedAnswer>;
}

export interface MeteredSample extends CollectedAnswer {
  credits_remaining: number;
}

export interface MeteredRequest {
  request: DataRequest;
  admission: Admitted;
  request_id: string;
  idempotency_key: string | null;
  /**
   * Number of credits that must remain after this request, because the same API call needs a second data request. If
   * fewer credits would remain, no source is called and nothing is charged.
   */
  reserve?: number;
  /** Aborts the requests to the sources (Instagram, TikTok, YouTube). The sources have their own deadline too. */
  signal?: AbortSignal;
}

/**
 * An answer to a data request and its cost. `sandbox`: it is a sample. `replayed`: it was sent before for the same
 * Idempotency-Key.
 */
export interface Metered extends ReadAnswer {
  metering: Metering;
  sandbox: boolean;
  replayed: boolean;
}

/** A fetch in progress: its answer, the request, and the signal that cancels the fetch. */
interface Flight {
  metered: Promise<Metered>;
  request: DataRequest;
  signal: AbortSignal | null;
}

export type Meter = (input: MeteredRequest) => Promise<Metered>;

/**
 * Returns the cache key of a request. Requests for the same rows have the same key, whether the page is stored or must
 * be fetched again.
 */
export function cacheKeyOf({ route, params, limit, cursor }: DataRequest): string {
  const position = cursor && 'again' in cursor && cursor.again !== null ? cursor.again : cursor;
  return answerKey({
    path: route.path,
    params,
    limit: route.container === 'items' ? limit : null,
    position,
  });
}

/**
 * Answers one request to a data route: with a sandbox sample, the earlier answer for its Idempotency-Key, a cached
 * answer, or a fresh answer. The database statement that stores a fresh answer also charges it. Identical requests of
 * one workspace at the same time share one fetch and one charge.
 */
export function createMeter(deps: MeterDeps): Meter {
  const inFlight = createInFlight<Flight>();

  return async function meter(input: MeteredRequest): Promise<Metered> {
    const { request, admission } = input;
    const cacheKey = cacheKeyOf(request);
    const flight = `${admission.workspace_id} ${cacheKey}`;
    const inFlightAtStart = inFlight.get(flight);
    const replay = replayKeyOf(input);
    if (replay) {
      const stored = await readReplayed(deps, replay, input);
      if (stored) return stored;
    }
    const free = await freeAnswer(deps, input, cacheKey);
    if (free) {
      if (replay) await deps.storeReplay(replay, { answer: free.answer, fingerprint: fingerprintOf(request) });
      return free;
    }
    const unservable = deps.unservableError(request.route);
    if (unservable) throw unservable;

    let leader = inFlightAtStart ?? inFlight.get(flight);
    while (leader) {
      const shared = await follow(deps, leader, input, replay);
      if (shared) return shared;
      const next = inFlight.get(flight);
      leader = next === leader ? undefined : next;
    }
    const credits = request.route.cost + (input.reserve ?? 0);
    const metered = withinBudget(admission, credits, () => chargedAnswer(deps, input, cacheKey, replay));
    const own = { metered, request, signal: input.signal ?? null };
    const remove = inFlight.add(flight, own);
    try {
      return await own.metered;
    } finally {
      remove();
    }
  };
}

/**
 * Returns an answer that costs nothing, or null: a sandbox sample, rows that are already paid for, or a cached answer.
 */
async function freeAnswer(deps: MeterDeps, input: MeteredRequest, cacheKey: string): Promise<Metered | null> {
  const { request, admission } = input;
  if (admission.kind === 'test') {
    const { credits_remaining, ...sample } = await deps.sample(request, admission);
    const metering = { cached: false, credits_charged: 0, credits_remaining };
    return { ...sample, metering, sandbox: true, replayed: false };
  }
  const prepaid = await deps.prepaid(request, admission.workspace_id);
  if (prepaid) await deps.storeAnswer(cacheKey, request.route.path, prepaid.answer);
  const { max_age_seconds } = request;
  const cached = prepaid || max_age_seconds === null ? null : await deps.cached(cacheKey, max_age_seconds);
  const read: ReadAnswer | null = prepaid ?? (cached && { answer: cached });
  if (!read) return null;
  const metering = { cached: true, credits_charged: 0, credits_remaining: admission.balance };
  return { ...read, metering, sandbox: false, replayed: false };
}

/** Fetches an answer, and charges for it before it is sent. When the charge is refused, nothing is stored. */
async function chargedAnswer(
  deps: MeterDeps,
  input: MeteredRequest,
  cacheKey: string,
  replay: ReplayKey | null,
): Promise<Metered> {
  const { request, admission, request_id } = input;
  const { cost, path: route } = request.route;
  await admission.claim?.();
  const { answer, content } = await deps.fetchAnswer(request, admission.workspace_id, input.signal ?? null);
  const { workspace_id, key_id } = admission;
  const unconfirmed = { charge_id: newId(deps.now()), workspace_id, key_id, request_id, route, cost };
  const stored = {
    answer,
    cache_key: cacheKey,
    replay: replay && { ...replay, fingerprint: fingerprintOf(request) },
  };
  const charge = await deps.charge({ ...unconfirmed, ...stored }, input.signal);
  if (charge.outcome === 'charged' || charge.outcome === 'refused') noteCharge(admission, charge, cost);
  if (charge.outcome === 'unconfirmed') {
    deps.returnLater(unconfirmed);
    throw new RequestError('CHARGE_UNCONFIRMED');
  }
  if (charge.outcome === 'replayed' && replay) {
    const earlier = await readReplayed(deps, replay, input);
    if (earlier) return earlier;
  }
  if (charge.outcome !== 'charged') throw refusal(charge, cost);
  deps.remember(cacheKey, answer);
  const metering = { cached: false, credits_charged: cost, credits_remaining: charge.balance };
  return { answer, content, metering, sandbox: false, replayed: false };
}

/**
 * Returns true when a request failed because the workspace had too few credits or the key reached its monthly cap. An
 * identical request that waits for this answer may have another key or a newer balance, so it fetches the answer
 * itself.
 */
const isUnpaid = (error: unknown) => error instanceof RequestError && error.code === 'INSUFFICIENT_CREDITS';

/**
 * Returns true when a request failed because of the rate limit. An identical request that waits for this answer may
 * already be counted, so it fetches the answer itself.
 */
const isRateLimited = (error: unknown) => error instanceof RequestError && error.code === 'RATE_LIMITED';

const isUnconfirmed = (error: unknown) => error instanceof RequestError && error.code === 'CHARGE_UNCONFIRMED';

/**
 * Waits for `leader`, an identical request that is being answered, and returns the answer of `leader`. Returns null
 * when this request must fetch the answer itself.
 */
async function follow(
  deps: MeterDeps,
  leader: Flight,
  input: MeteredRequest,
  replay: ReplayKey | null,
): Promise<Metered | null> {
  const metered = await leader.metered.catch((error: unknown) => {
    if (isUnpaid(error) || isRateLimited(error) || leader.signal?.aborted) return null;
    if (hasOtherHints(input.request.params, leader.request.params)) return null;
    // Of simultaneous identical requests, only the first calls the source and is charged. The others must not report a
    // charge whose outcome is unknown.
    throw isUnconfirmed(error) ? new RequestError('SERVICE_UNAVAILABLE') : error;
  });
  if (metered === null) return null;
  const { metering, ...read } = metered;
  if (replay) await deps.storeReplay(replay, { answer: read.answer, fingerprint: fingerprintOf(input.request) });
  return { ...read, metering: { ...metering, cached: true, credits_charged: 0 }, replayed: false };
}

function replayKeyOf({ admission, idempotency_key }: MeteredRequest): ReplayKey | null {
  if (idempotency_key === null) return null;
  return {
    workspace_id: admission.workspace_id,
    mode: admission.kind === 'test' ? 'sandbox' : 'live',
    idempotency_key,
  };
}

/**
 * Returns the answer to an earlier request with the same Idempotency-Key, or null when there was no such request.
 * Throws IDEMPOTENCY_KEY_REUSED when the earlier request was different.
 */
async function readReplayed(deps: MeterDeps, key: ReplayKey, input: MeteredRequest): Promise<Metered | null> {
  const stored = await deps.readReplay(key);
  if (!stored) return null;
  if (stored.fingerprint !== fingerprintOf(input.request)) throw new RequestError('IDEMPOTENCY_KEY_REUSED');
  const { balance: creditsRemaining, kind } = input.admission;
  const sandbox = kind === 'test';
  const metering = { cached: !sandbox, credits_charged: 0, credits_remaining: creditsRemaining };
  return { answer: stored.answer, metering, sandbox, replayed: true };
}

function refusal(charge: Extract<ChargeOutcome, { outcome: 'refused' | 'replayed' }>, cost: number): RequestError {
  if (charge.outcome === 'replayed') return new RequestError('INTERNAL');
  return charge.reason === 'balance' ? insufficient(cost, charge.balance) : overCap(cost);
}
