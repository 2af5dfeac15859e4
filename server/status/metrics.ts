import { answerMetrics } from '../../pipeline/metrics/answer.ts';
import { counter, gauge, type ReadMetrics } from '../../pipeline/metrics/metrics.ts';
import type { MetricFamily } from '../../pipeline/telemetry/telemetry.ts';
import type { RequestCounts } from '../http/request-metrics.ts';

/**
 * Returns the route `GET /metrics` for Prometheus, or no route when METRICS_TOKEN is not set. A request must send this
 * token as a bearer token.
 */
export function metricsRoute(
  token: string | null,
  read: ReadMetrics,
): Record<string, (request: Request) => Promise<Response>> {
  if (token === null) return {};
  return { '/metrics': (request) => answerMetrics(request.headers.get('authorization'), token, read) };
}

/** Returns the metrics that only servers have: those of the requests that this process has answered. */
export function requestFamilies({ in_flight, requests, charges, credits }: RequestCounts): MetricFamily[] {
  return [
    {
      ...counter('requests_total', 'Requests that were answered, by route and outcome.'),
      samples: requests.map(({ route, outcome, count }) => ({ labels: { route, outcome }, value: count })),
    },
    gauge('requests_in_flight', 'Requests in progress.', in_flight),
    { ...counter('charges_total', 'Charged answers of this process.'), samples: [{ value: charges }] },
    {
      ...counter('charged_credits_total', 'Credits charged for answers of this process.'),
      samples: [{ value: credits }],
    },
  ];
}
