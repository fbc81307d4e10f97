/**
 * Node's test environment with the outer typed arrays: onnxruntime-node compares constructors, and a jest context has its
 * own (https://github.com/microsoft/onnxruntime/issues/16622).
 */
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, { Float32Array, BigInt64Array, Int32Array, Uint8Array });
  }
};
