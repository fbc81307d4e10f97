/** The bytes of an ONNX model → a session that runs it on the CPU, without telemetry. Knows no model. */
import { InferenceSession } from 'onnxruntime-node';

/**
 * `threads`: of one run. More processes make better use of more cores than more threads.
 * Throws what onnxruntime throws for bytes that are no model, or one with operators that it doesn't know.
 */
export function openSession(model: Uint8Array, threads: number): Promise<InferenceSession> {
  refuseTelemetry();
  return InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // keeps a plan for every shape that it has seen, and texts have hundreds
    enableMemPattern: false,
    // waiting threads would keep a core busy that another process could use
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
}

/**
 * Official builds since 1.29 write an identifier and a queue of events under ~/.cache/Microsoft/DeveloperTools and upload them.
 * The variable is read once, when the first session of the process is made.
 * https://github.com/microsoft/onnxruntime/pull/27379
 */
function refuseTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
