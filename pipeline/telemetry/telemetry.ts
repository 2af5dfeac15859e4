import type { Log } from '../../db/log.ts';

/** A metric with its values for all labels. */
export interface MetricFamily {
  /** Name without the prefix `tidemark_`, which is added later. */
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  samples: { labels?: Record<string, string>; value: number }[];
}

export interface TelemetryOptions {
  /** `tidemark-server` or `tidemark-pipeline`; OTEL_SERVICE_NAME replaces it. */
  service: string;
  /** Returns the current values of all metrics. */
  families(): Promise<MetricFamily[]>;
  log: Pick<Log, 'info' | 'warn'>;
}

export interface Telemetry {
  /** Sends the traces and metrics that are still in memory. Waits for at most two seconds and never throws. */
  stop(): Promise<void>;
}
