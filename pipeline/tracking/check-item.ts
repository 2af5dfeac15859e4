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
import { messageForRow, SourceError } from '../errors.ts';
import { pictureUrlOf } from '../media/addresses.ts';
import { metricValues, packQuality } from './metrics.ts';
import { accountIdentity, findKind } from './tracked-kinds.ts';

export interface CheckDeps {
  now: () => Date;
  claim(request: ClaimRequest): Promise<Claim>;
  /** Says why a reserved check must not call the platform any more; null when it may. */
  stopReason(request: ClaimRequest): Promise<NotClaimed | null>;
  /** Ends the reservation of a check that did not call the platform. */
  release(claimed: ClaimedItem, attemptId: string): Promise<void>;
  record(result: CheckResult): Promise<Recorded>;
  sources: Omit<CollectContext, 'signal'>;
  /**
   * Limits the number of simultaneous requests to a platform: calls `ask` as soon as the limit allows. If this function
   * throws without calling `ask`, the check is not recorded and can be continued later. Default: calls `ask`
   * immediately.
   */
  inTurn?<T>(platform: string, ask: () => Promise<T>): Promise<T>;
}

export type Checked =
  | ({ attempted: true; message: string | null } & Recorded)
  | { attempted: false; reason: NotClaimed; next_attempt_at: Date | null };

interface CheckRequest {
  workspace_id: string;
  item_id: string;
  trigger: 'scheduled' | 'manual';
  /**
   * The ID of this attempt to check the item. A check from the job queue sets it, so that an interrupted check
   * continues as the same attempt.
   */
  attempt_id?: string;
}

/** Milliseconds after the reservation of a check in which pause, cap and balance are not read again. */
const freshMs = 1_000;

/**
 * Fetches the current numbers of one tracked item (account or post), on schedule or on a user's request. First reserves
 * the item, so that it is checked at most once in 24 hours. Then calls the platform, unless the check must stop, for
 * example because the workspace was paused while the check waited. Finally charges the workspace and stores the
 * numbers, in one SQL statement. An error of the platform becomes the outcome of the check. An internal error is
 * recorded as INTERNAL and rethrown. A database error is rethrown, and a later scheduled check continues this one.
 */
export async function checkItem(request: CheckRequest, deps: CheckDeps, signal: AbortSignal): Promise<Checked> {
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
    const at = deps.now();
    if (claimed.continues || at.getTime() - attemptedAt.getTime() >= freshMs) {
      const reason = await deps.stopReason({ workspace_id, item_id, attempt_id: attemptId, now: at });
      if (reason !== null) return { reason };
    }
    const started = performance.now();
    const duration = () => Math.round(performance.now() - started);
    try {
      return { ...(await fetchObservation(claimed, deps, signal)), duration_ms: duration() };
    } catch (error) {
      await deps.record({ ...attempt, ...internalError, duration_ms: duration() });
      throw error;
    }
  });
  if ('reason' in found) {
    await deps.release(claimed, attemptId);
    return { attempted: false, reason: found.reason, next_attempt_at: null };
  }
  // An aborted check without a result says nothing about the platform. It is not recorded, and a later scheduled check
  // continues it.
  if (found.observation === null) signal.throwIfAborted();
  return { attempted: true, message: found.message, ...(await deps.record({ ...attempt, ...found })) };
}

type Found = Pick<CheckResult, 'outcome' | 'message' | 'observation'>;

const internalError: Found = {
  outcome: 'INTERNAL',
  message: 'The check failed because of an error on our side. Nothing was charged; the next check tries again.',
  observation: null,
};

async function fetchObservation(item: ClaimedItem, deps: CheckDeps, signal: AbortSignal): Promise<Found> {
  try {
    const { collector, params } = findKind(item.platform, item.kind);
    // Uses the permanent ID of a YouTube channel when it is known, so that a renamed channel is still found.
    const identifier = item.kind === 'channel' && item.platform_id ? item.platform_id : item.identifier;
    const parsed = collector.params.parse(params(identifier));
    return compareIdentity(item, await collect(collector, parsed, { ...deps.sources, signal }));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { outcome: error.code, message: messageForRow(error.message, null), observation: null };
  }
}

/**
 * Returns the fetched numbers. When the URL now belongs to a different account, returns the outcome
 * IDENTITY_CHANGED without numbers.
 */
function compareIdentity(item: ClaimedItem, collected: Collected<unknown>): Found {
  const { platform_id, name } = accountIdentity(item.platform, item.kind, collected);
  if (item.platform_id !== null && platform_id !== null && platform_id !== item.platform_id) {
    const message =
      'This handle now belongs to another account, so its numbers are not saved. Track the new handle of your account instead.';
    return { outcome: 'IDENTITY_CHANGED', message, observation: null };
  }
  const observation: Observation = {
    platform_id,
    name,
    values: metricValues(collected.record as Record<string, unknown>),
    quality: packQuality(collected.quality),
    source: collected.source,
    picture_url: pictureUrlOf(collected.record as Record<string, unknown>),
  };
  return { outcome: 'OK', message: collected.warnings.join(' ') || null, observation };
}
