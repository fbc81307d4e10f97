/**
 * Node's test environment, with two additions: a process that a test file leaves behind fails it, and the outer typed arrays
 * are given to the tests, since onnxruntime-node compares constructors and a jest context has its own
 * (https://github.com/microsoft/onnxruntime/issues/16622).
 */
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { TestEnvironment } from 'jest-environment-node';
import { markProcesses, refuseLeftovers } from './leftovers.ts';

export default class Environment extends TestEnvironment {
  readonly #mark: string;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    const mark = markProcesses(); // before the tests get their copy of process.env
    super(config, context);
    this.#mark = mark;
    Object.assign(this.global, { Float32Array, BigInt64Array, Int32Array, Uint8Array });
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    await refuseLeftovers(this.#mark);
  }
}
