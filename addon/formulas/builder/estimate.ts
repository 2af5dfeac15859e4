import { asObject, fetchAnswers } from '../../platform/client.ts';
import { failureSentence } from '../../platform/failure-sentence.ts';
import { PlainError } from '../../platform/page-call.ts';
import type { Estimate } from '../../platform/page-replies.ts';
import { actionServer, network } from '../../platform/platform.ts';
import { maxAgeParameter } from '../max-age.ts';
import type { EstimateRoute } from '../offer.ts';
import { packRequests } from '../pack-requests.ts';
import { byPlatform, hasPlatform, isHandle, platformCode, readPlatform } from '../rows/handles.ts';
import { findFormula } from './formula-builder.ts';
import { profilesIn, readSelection } from './selection.ts';

/**
 * Estimates the credits that a formula would cost for the URLs in the given cells. The estimate is free.
 *
 * @throws PlainError when the formula is free or the cells are not usable.
 */
export function estimateSelection(
  maxAge: unknown,
  area: unknown,
  formula: unknown = 'SOCIAL_PROFILE',
  limit: unknown = '',
  platform: unknown = '',
): Estimate {
  const kind = findFormula(String(formula))?.estimate ?? null;
  if (kind === null) throw new PlainError('This formula costs no credits.');
  const entries = profilesIn(readSelection(area).cells);
  const handlesOn = readPlatform(platform, entries);
  const isOfPlatform = (text: string): boolean => isHandle(text) && hasPlatform(text, handlesOn);
  return estimateEntries(kind, entries, maxAge, limit, handlesOn && platformCode(handlesOn.name), isOfPlatform);
}

/**
 * Estimates the credits that these URLs and handles would cost. The estimate is free. `platform`: the platform of the
 * handles; null when it is unknown. `isOfPlatform`: tells which entries are handles of that platform.
 */
export function estimateEntries(
  kind: EstimateRoute,
  entries: readonly string[],
  maxAge: unknown,
  limit: unknown,
  platform: string | null,
  isOfPlatform: (text: string) => boolean = isHandle,
): Estimate {
  const server = actionServer();
  const sent = entries.slice(0, kind.rows_max);
  const head = headOf(kind, server.origin, maxAge, limit);
  const requests = byPlatform(sent, platform, isOfPlatform).flatMap(
    ({ texts, parameter }) => packRequests(head + parameter, { ...kind, name: 'url' }, texts).requests,
  );
  const urls = requests.map(({ url }) => url);
  const answers = server.key === null ? [] : fetchAnswers(urls, server.key, server.network);
  const sum = { cost_min: 0, cost_max: entries.length * kind.most, cached_rows: 0, unreadable_rows: 0 };
  let note: string | null = server.key === null ? 'Connect a key to see which rows are cached and free.' : null;
  answers.forEach((answer, index) => {
    const data = answer.ok ? asObject(answer.data) : null;
    if (typeof data?.cost !== 'number') {
      note = answer.ok ? 'The server did not return the cost. Try again in a minute.' : failureSentence(answer.failure);
      return;
    }
    sum.cost_min += data.cost;
    sum.cost_max += data.cost - (requests[index]?.values.length ?? 0) * kind.most;
    sum.cached_rows += Number(data.cached_rows ?? 0);
    sum.unreadable_rows += Number(data.unreadable_rows ?? 0);
  });
  if (entries.length > sent.length) note ??= `Only the first ${kind.rows_max} rows were checked.`;
  return { ok: true, rows: entries.length, ...sum, note };
}

function headOf({ route }: EstimateRoute, origin: string, maxAge: unknown, limit: unknown): string {
  const ofPosts = route === 'posts' && /^\d{1,2}$/.test(String(limit)) ? `&limit=${String(limit)}` : '';
  return `${origin}/v1/workflows/${route}?estimate=true&${maxAgeParameter(maxAge, network.now())}${ofPosts}`;
}
