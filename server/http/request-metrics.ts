/** Counts the requests that this process has answered since it started. */
export interface RequestMetrics {
  /** Counts a request as in progress until `answered` is called. */
  started(): void;
  /** Counts an answer and its credits. `outcome` is OK, HIT (from the cache), SANDBOX or an error code. */
  answered(route: string, outcome: string, credits: number): void;
  read(): RequestCounts;
}

export interface RequestCounts {
  in_flight: number;
  requests: { route: string; outcome: string; count: number }[];
  /** Number of charged answers. `credits` is the total number of credits that these answers cost. */
  charges: number;
  credits: number;
}

/**
 * Creates the request counters of one process. They begin at 0 and never decrease, except the number of requests in
 * progress.
 */
export function createRequestMetrics(): RequestMetrics {
  const routes = new Map<string, Map<string, number>>();
  const totals = { in_flight: 0, charges: 0, credits: 0 };

  function answered(route: string, outcome: string, credits: number): void {
    let outcomes = routes.get(route);
    if (!outcomes) {
      outcomes = new Map();
      routes.set(route, outcomes);
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (credits > 0) totals.charges += 1;
    totals.credits += credits;
    totals.in_flight -= 1;
  }

  return {
    started() {
      totals.in_flight += 1;
    },
    answered,
    read: () => ({
      ...totals,
      requests: [...routes].flatMap(([route, outcomes]) =>
        Array.from(outcomes, ([outcome, count]) => ({ route, outcome, count })),
      ),
    }),
  };
}
