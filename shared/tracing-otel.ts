/**
 * Spans by OpenTelemetry, sent as OTLP over HTTP. In: address of a receiver. Out: `Tracing`. BullMQ's spans are kept without
 * messages of errors and results of jobs, which may hold texts; what idle workers do is no trace.
 */
import { type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
} from '@opentelemetry/sdk-trace-node';
import type { SpanOptions, Telemetry } from 'bullmq';
import { BullMQOTelSpan, BullMQOtel } from 'bullmq-otel';
import { codeOf } from './errors.ts';
import type { Tracing } from './tracing.ts';

export function createTracing(url: string, part: string): Tracing {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `sidelight-${part}`, 'service.namespace': 'sidelight' }),
    sampler: new ParentBasedSampler({ root: NO_IDLE_ROOTS }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }), { scheduledDelayMillis: SEND_EVERY_MS })],
  });
  provider.register();
  const tracer = trace.getTracer('sidelight');
  return {
    telemetry: withoutTexts(new BullMQOtel({ tracerName: 'bullmq' })),
    span(name, attributes, work) {
      const kind = trace.getActiveSpan() === undefined ? SpanKind.CONSUMER : SpanKind.INTERNAL;
      return tracer.startActiveSpan(name, { kind, attributes }, (span) => finish(span, work));
    },
    describe: (attributes) => void trace.getActiveSpan()?.setAttributes(attributes),
    fail(error) {
      const span = trace.getActiveSpan();
      if (span !== undefined) fail(span, error);
    },
    async stop() {
      await provider.shutdown().catch(() => undefined); // a receiver that is away is nobody's trouble
      trace.disable();
      context.disable();
    },
  };
}

async function finish<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', codeOf(error));
}

/** The same tracer, whose spans keep names, numbers and ids. */
function withoutTexts(otel: BullMQOtel): Telemetry {
  const tracer = trace.getTracer('bullmq');
  return {
    contextManager: otel.contextManager,
    tracer: {
      startSpan: (name: string, options?: SpanOptions, parent?: Context) =>
        new QuietSpan(tracer.startSpan(name, options, parent)),
    },
  };
}

class QuietSpan extends BullMQOTelSpan {
  override addEvent(name: string): void {
    super.addEvent(name);
  }
  override recordException(exception: unknown): void {
    fail(this.span, exception);
  }
}

/** Each worker asks for its next job and looks for stalled ones, again and again: BullMQ's spans of that are roots of their own. */
const NO_IDLE_ROOTS: Sampler = {
  shouldSample: (_context: Context, _traceId: string, _name: string, kind: SpanKind) => ({
    decision: kind === SpanKind.INTERNAL ? SamplingDecision.NOT_RECORD : SamplingDecision.RECORD_AND_SAMPLED,
  }),
  toString: () => 'NoIdleRoots',
};

const SEND_EVERY_MS = 2000;
