import type { Telemetry, TelemetryOptions } from './telemetry.ts';

const none: Telemetry = { stop: async () => undefined };

/**
 * Starts sending traces and metrics to the OpenTelemetry collector whose URL is in OTEL_EXPORTER_OTLP_ENDPOINT. Without
 * this variable, sends nothing and does not load the OpenTelemetry libraries.
 */
export async function startTelemetry(env: NodeJS.ProcessEnv, options: TelemetryOptions): Promise<Telemetry> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return none;
  const { openExporters } = await import('./exporters.ts');
  return openExporters(env, options);
}
