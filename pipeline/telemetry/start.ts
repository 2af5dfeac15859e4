import type { Telemetry, TelemetryOptions } from './telemetry.ts';

const none: Telemetry = { stop: async () => undefined };

/**
 * Sends traces and metrics to the OpenTelemetry collector in OTEL_EXPORTER_OTLP_ENDPOINT, over HTTP. Without this variable it does nothing,
 * and the libraries for it are not loaded.
 */
export async function startTelemetry(env: NodeJS.ProcessEnv, options: TelemetryOptions): Promise<Telemetry> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return none;
  const { openExporters } = await import('./exporters.ts');
  return openExporters(env, options);
}
