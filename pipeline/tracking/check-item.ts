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
import { pictureUrlOf } from '../media/addresses.ts';
import { packQuality, valuesOf } from './metrics.ts';
import { findKind, identityOf } from './tracked-kinds.ts';

export interface TrackingDeps {
  now: () => Date;
  claim(request: ClaimRequest): Promise<Claim>;
  record(result: CheckResult): Promise<Recorded>;
  sources: Omit<CollectContext, 'signal'>;
  /**
   * Calls `ask`, which requests data from the platform, as soon as the platform's limit allows it. When this function throws an error of
   * its own, the attempt stays open. Default: calls `ask` immediately.
   */
  inTurn?<T>(platform: string, ask: () => Promise<T>): Promise<T>;
}

export type Checked =
  | ({ attempted: true; message: string | null } & Recorded)
  | { attempted: false; reason: NotClaimed; next_attempt_at: Date | null };

export interface CheckRequest {
  workspace_id: string;
  item_id: string;
  trigger: 'scheduled' | 'manual';
  /** The ID of this attempt. The scheduled check sets it, so that an interrupted check continues as the same attempt. */
  attempt_id?: string;
}

/**
 * Checks one item, on schedule or on a user's request. One SQL statement reserves the item, so that it is checked at most once in 24 hours.
 * Then the sources are called. A second statement charges the workspace and stores the observation. An error of a source
 * becomes the outcome of the attempt. An internal error is recorded as INTERNAL and thrown. A database error is thrown, and a
 * later scheduled check continues the attempt.
 */
export async function checkItem(request: CheckRequest, deps: TrackingDeps, signal: AbortSignal): Promise<Checked> {
  const attemptedAt = deps.now();
  const attemptId = request.attempt_id ?? newId(attemptedAt);
  const { workspace_id, item_id, trigger } = request;
  const claim = await deps.claim({ workspace_id, item_id, attempt_id: attemptId, now: attemptedAt });
  if (!claim.claimed) return { attempted: false, reason: claim.reason, next_attempt_at: claim.next_attempt_at };

  const { claimed } = claim;
  const attempt = {
    charge_id: attemptId,
    attempt_id: attemptId,
    workspace_id,
    item_id,
    attempted_at: attemptedAt,
    trigger,
  };
  const inTurn = deps.inTurn ?? ((_, ask) => ask());
  const found = await inTurn(claimed.platform, async () => {
    const started = performance.now();
    const duration = () => Math.round(performance.now() - started);
    try {
      return { ...(await fetchObservation(claimed, deps, signal)), duration_ms: duration() };
    } catch (error) {
      await deps.record({ ...attempt, ...internalError, duration_ms: duration() });
      throw error;
    }
  });
  // When the check was aborted, the missing result says nothing about the source. The attempt stays open, and a later scheduled
  // check continues it.
  if (found.observation === null) signal.throwIfAborted();
  return { attempted: true, message: found.message, ...(await deps.record({ ...attempt, ...found })) };
}

type Found = Pick<CheckResult, 'outcome' | 'message' | 'observation'>;

const internalError: Found = {
  outcome: 'INTERNAL',
  message: 'The check failed because of an error on our side. Nothing was charged; the next check tries again.',
  observation: null,
};

async function fetchObservation(item: ClaimedItem, deps: TrackingDeps, signal: AbortSignal): Promise<Found> {
  try {
    const { collector, params } = findKind(item.platform, item.kind);
    // Uses the channel's permanent ID when it is known, so that a renamed channel is still found.
    const identifier = item.kind === 'channel' && item.platform_id ? item.platform_id : item.identifier;
    const parsed = collector.params.parse(params(identifier));
    return compareIdentity(item, await collect(collector, parsed, { ...deps.sources, signal }));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { outcome: error.code, message: error.message, observation: null };
  }
}

/** Returns the observation. If the URL now belongs to another account, returns IDENTITY_CHANGED and no observation. */
function compareIdentity(item: ClaimedItem, collected: Collected<unknown>): Found {
  const { platform_id, name } = identityOf(item.platform, item.kind, collected);
  if (item.platform_id !== null && platform_id !== null && platform_id !== item.platform_id) {
    const message =
      'This handle now belongs to another account, so its numbers are not added. Track the new handle of your account instead.';
    return { outcome: 'IDENTITY_CHANGED', message, observation: null };
  }
  const observation: Observation = {
    platform_id,
    name,
    values: valuesOf(collected.record as Record<string, unknown>),
    quality: packQuality(collected.quality),
    source: collected.source,
    picture_url: pictureUrlOf(collected.record as Record<string, unknown>),
  };
  return { outcome: 'OK', message: collected.warnings.join(' ') || null, observation };
}
