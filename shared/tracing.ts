/**
 * Traces from a change of the wiki to its finding, for who sets OTEL_EXPORTER_OTLP_ENDPOINT; without it nothing is loaded, and
 * work is done as if this file were not there. In: work with a name. Out: spans, made by tracing-otel.ts.
 */
import type { Telemetry } from 'bullmq';

/** Small values that say what a span is about: wiki, revision, claim, job, a code. Never a text. */
export type Attributes = Record<string, string | number | boolean>;

export interface Tracing {
  telemetry: Telemetry;
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Adds to the span that is open. */
  describe(attributes: Attributes): void;
  /** Marks the span that is open as failed, with class and code of the error. */
  fail(error: unknown): void;
  /** Sends what is not sent yet. */
  stop(): Promise<void>;
}

/** Before anything is opened that is to be traced. `url` null: nothing is. */
export async function startTracing(url: string | null, part: string): Promise<{ stop(): Promise<void> }> {
  if (url === null) return { stop: async () => undefined };
  const { createTracing } = await import('./tracing-otel.ts');
  const begun = createTracing(url, part);
  tracing = begun;
  return {
    async stop() {
      tracing = null;
      await begun.stop();
    },
  };
}

/** To be spread into the options of what speaks to queues: a job then knows what led to it. */
export function traced(): { telemetry?: Telemetry } {
  return tracing === null ? {} : { telemetry: tracing.telemetry };
}

/** Part of what is being traced, or the beginning of a trace. */
export function span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracing === null ? work() : tracing.span(name, attributes, work);
}

/** Adds to the span that is open, if one is. */
export function describe(attributes: () => Attributes): void {
  tracing?.describe(attributes());
}

/** Marks the span that is open, if one is: what BullMQ's own says of a failed job is a message, which is not kept. */
export function markFailed(error: unknown): void {
  tracing?.fail(error);
}

let tracing: Tracing | null = null;
