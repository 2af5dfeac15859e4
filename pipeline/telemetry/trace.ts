import {
  type Attributes,
  context,
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracer = trace.getTracer('tidemark');
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, job: SpanKind.CONSUMER } as const;

interface Traced {
  /**
   * Name of the span (one timed operation of a trace): a route, a host or a job. It must not contain identifiers,
   * because too many different names make traces hard to search.
   */
  name: string;
  kind: keyof typeof kinds;
  attributes: Attributes;
  /**
   * The W3C header `traceparent` of the caller, if the caller sent one. The span then belongs to the trace of the
   * caller.
   */
  traceparent?: string | null;
}

/**
 * Runs `work` as a span (one timed operation) of an OpenTelemetry trace. Spans that start inside `work` become its
 * children. A thrown error marks the span as failed. When telemetry is off (see {@link startTelemetry}), only runs
 * `work`.
 */
export function traced<T>(
  { name, kind, attributes, traceparent }: Traced,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isTracing()) return work(noSpan);
  const parent = traceparent ? propagation.extract(context.active(), { traceparent }) : context.active();
  return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, (error as { code?: string } | null)?.code ?? 'INTERNAL');
      throw error;
    } finally {
      span.end();
    }
  });
}

function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('tidemark') !== undefined;
}

/**
 * Marks a span of a trace as failed. `type` is an error code. The error message is left out, because it can contain a
 * user's input.
 */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
