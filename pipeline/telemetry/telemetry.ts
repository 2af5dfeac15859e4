import type { Log } from '../../db/log.ts';

/** A metric of the service, such as a request counter, with one value for each combination of labels. */
export interface MetricFamily {
  /** Name of the metric without the prefix `tidemark_`, which is added when the metric is shown or sent. */
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  samples: { labels?: Record<string, string>; value: number }[];
}

export interface TelemetryOptions {
  /**
   * Name of this process in traces: `tidemark-server` or `tidemark-pipeline`. The variable OTEL_SERVICE_NAME overrides
   * it.
   */
  service: string;
  /** Returns all metrics with their current values. */
  families(): Promise<MetricFamily[]>;
  log: Pick<Log, 'info' | 'warn'>;
}

export interface Telemetry {
  /** Sends the remaining traces and metrics and stops telemetry. Waits at most two seconds and never throws. */
  stop(): Promise<void>;
}
