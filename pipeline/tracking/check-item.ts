import { newId } from '../../db/ids.ts';
import type {
  CheckResult,
  Claim,
  ClaimedItem,
  ClaimRequest,
  NotClaimed,
  Observation,
  Recorded,
} from '../../db/tracking/checks.ts';
import { type CollectContext, type Collected, collect } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import { findKind, identityOf, packQuality, valuesOf } from './tracked-kinds.ts';

export interface TrackingDeps {
  now: () => Date;
  claim(request: ClaimRequest): Promise<Claim>;
  record(result: CheckResult): Promise<Recorded>;
  sources: Omit<CollectContext, 'signal'>;
}

export type Checked =
  | ({ attempted: true; message: string | null } & Recorded)
  | { attempted: false; reason: NotClaimed; next_attempt_at: Date | null };

export interface CheckRequest {
  workspace_id: string;
  item_id: string;
  trigger: 'scheduled' | 'manual';
  /** Given by the schedule, so that a check that was interrupted goes on as the same attempt. */
  attempt_id?: string;
}

/**
 * One check of one item: claims its 24 hours in one statement, asks the sources, then charges and observes in one statement.
 * Scheduled and manual checks are the same. What a source says is never thrown: that is the attempt's outcome. An error of
 * ours is recorded as INTERNAL and thrown; one of the database is thrown, and the attempt goes on later.
 */
export async function checkItem(request: CheckRequest, deps: TrackingDeps, signal: AbortSignal): Promise<Checked> {
  const attemptedAt = deps.now();
  const attemptId = request.attempt_id ?? newId(attemptedAt);
  const { workspace_id, item_id, trigger } = request;
  const claim = await deps.claim({ workspace_id, item_id, attempt_id: attemptId, now: attemptedAt });
  if (!claim.claimed) return { attempted: false, reason: claim.reason, next_attempt_at: claim.next_attempt_at };

  const started = performance.now();
  const attempt = {
    charge_id: attemptId,
    attempt_id: attemptId,
    workspace_id,
    item_id,
    attempted_at: attemptedAt,
    trigger,
  };
  const record = (seen: Seen) =>
    deps.record({ ...attempt, ...seen, duration_ms: Math.round(performance.now() - started) });
  let seen: Seen;
  try {
    seen = await observe(claim.claimed, deps, signal);
  } catch (error) {
    await record(ourError);
    throw error;
  }
  // Whoever gave up says nothing of the source: the attempt stays open, and a later sweep goes on with it.
  if (seen.observation === null) signal.throwIfAborted();
  return { attempted: true, message: seen.message, ...(await record(seen)) };
}

type Seen = Pick<CheckResult, 'outcome' | 'message' | 'observation'>;

const ourError: Seen = { outcome: 'INTERNAL', message: 'An error of ours, which is logged.', observation: null };

async function observe(item: ClaimedItem, deps: TrackingDeps, signal: AbortSignal): Promise<Seen> {
  try {
    const { collector, params } = findKind(item.platform, item.kind);
    // A channel is asked by its stable id once that is known: a renamed one goes on.
    const identifier = item.kind === 'channel' && item.platform_id ? item.platform_id : item.identifier;
    const parsed = collector.params.parse(params(identifier));
    return judge(item, await collect(collector, parsed, { ...deps.sources, signal }));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { outcome: error.code, message: error.message, observation: null };
  }
}

/** A handle that another account has taken over is marked and its numbers are not mixed in. */
function judge(item: ClaimedItem, collected: Collected<unknown>): Seen {
  const { platform_id, name } = identityOf(item.platform, item.kind, collected);
  if (item.platform_id !== null && platform_id !== null && platform_id !== item.platform_id) {
    const message = 'The address now belongs to another account: its numbers are not mixed in.';
    return { outcome: 'IDENTITY_CHANGED', message, observation: null };
  }
  const observation: Observation = {
    platform_id,
    name,
    values: valuesOf(collected.record as Record<string, unknown>),
    quality: packQuality(collected.quality),
    source: collected.source,
  };
  return { outcome: 'OK', message: collected.warnings.join(' ') || null, observation };
}
