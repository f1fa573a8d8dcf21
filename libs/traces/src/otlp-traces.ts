import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createHash } from 'node:crypto';
import type { Span, Traces } from './traces';

/** OpenTelemetry's SDK. It sends spans in the background, in batches, and drops those that the endpoint rejects. */
export class OtlpTraces implements Traces {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor(service: string, endpoint: string) {
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': `passerelle-${service}` }),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
    });
    this.tracer = this.provider.getTracer('passerelle');
  }

  record({ name, kind, startMs, endMs, attributes, requestId, hasFailed, steps = [] }: Span): void {
    const known = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
    const span = this.tracer.startSpan(
      name,
      {
        kind: kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: startMs,
        attributes: Object.fromEntries(known) as Record<string, string | number | boolean>,
      },
      requestId === null ? ROOT_CONTEXT : contextOf(requestId),
    );
    const within = trace.setSpan(ROOT_CONTEXT, span);
    for (const step of steps) {
      this.tracer.startSpan(step.name, { startTime: step.startMs }, within).end(step.endMs);
    }
    if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
  }

  async close(): Promise<void> {
    // An unreachable endpoint must not prevent the process from ending normally.
    await this.provider.shutdown().catch(() => undefined);
  }
}

/** A run stores the id of its request, so every process computes the same trace. */
function contextOf(requestId: string): Context {
  const hash = createHash('sha256').update(requestId).digest('hex');
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: hash.slice(0, 32),
    spanId: hash.slice(32, 48),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}
