import { randomUUID } from 'node:crypto';
import { context, DiagLogLevel, diag, propagation, trace, ValueType } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { MetricFamily, Telemetry, TelemetryOptions } from './telemetry.ts';

const stopLimitMs = 2_000;
const defaultIntervalMs = 60_000;

/**
 * Starts the exporters of traces and metrics. The OpenTelemetry libraries read the address and the headers of the
 * collector server from the variables `OTEL_…`.
 */
export function openExporters(env: NodeJS.ProcessEnv, { service, families, log }: TelemetryOptions): Telemetry {
  const warn = (message: string) => log.warn({ reason: message }, 'telemetry could not be sent');
  const quiet = () => undefined;
  diag.setLogger({ error: warn, warn, info: quiet, debug: quiet, verbose: quiet }, { logLevel: DiagLogLevel.WARN });
  const resource = resourceFromAttributes({
    'service.name': env.OTEL_SERVICE_NAME || service,
    // Keeps the metrics of several processes with the same name apart.
    'service.instance.id': randomUUID(),
  });
  const traces = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(shareOf(env)) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  trace.setGlobalTracerProvider(traces);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const metrics = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: Number(env.OTEL_METRIC_EXPORT_INTERVAL) || defaultIntervalMs,
        exportTimeoutMillis: Math.min(10_000, Number(env.OTEL_METRIC_EXPORT_INTERVAL) || defaultIntervalMs),
        metricProducers: [producerOf(resource, families)],
      }),
    ],
  });
  log.info({ endpoint: new URL(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '').origin }, 'traces and metrics are sent');
  return {
    async stop() {
      const sent = Promise.allSettled([traces.shutdown(), metrics.shutdown()]);
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, stopLimitMs).unref())]);
    },
  };
}

/** Returns the share of requests whose trace is sent, from 0 to 1. Default: 1. */
function shareOf({ OTEL_TRACES_SAMPLER_ARG: text }: NodeJS.ProcessEnv): number {
  const share = text ? Number(text) : 1;
  return share >= 0 && share <= 1 ? share : 1;
}

/** Returns an object through which the OpenTelemetry exporter reads the metrics that the page `/metrics` shows. */
function producerOf(
  resource: ReturnType<typeof resourceFromAttributes>,
  families: () => Promise<MetricFamily[]>,
): MetricProducer {
  const startTime = timeOf(Date.now() - process.uptime() * 1_000);
  return {
    async collect() {
      const endTime = timeOf(Date.now());
      const metrics = (await families()).map((family) => metricOf(family, startTime, endTime));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'tidemark' }, metrics }] }, errors: [] };
    },
  };
}

type Time = [seconds: number, nanoseconds: number];

const timeOf = (unixMs: number): Time => [Math.floor(unixMs / 1_000), Math.round((unixMs % 1_000) * 1e6)];

function metricOf({ name, help, type, samples }: MetricFamily, startTime: Time, endTime: Time): MetricData {
  const shared = {
    descriptor: { name: `tidemark_${name}`, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints: samples.map(({ labels = {}, value }) => ({ startTime, endTime, attributes: labels, value })),
  };
  return type === 'counter'
    ? { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true }
    : { ...shared, dataPointType: DataPointType.GAUGE };
}
