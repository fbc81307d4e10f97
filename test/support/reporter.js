/**
 * A jest reporter: writes `N passed, N failed` to .sidelight/test-summary, and in CI fails a run in which a test was skipped.
 * JavaScript, since jest loads it as it is.
 */
import { mkdirSync, writeFileSync } from 'node:fs';

export default class Summary {
  #error;

  onRunComplete(_contexts, results) {
    // a file that does not even load has no tests, and is a failure
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    mkdirSync('.sidelight', { recursive: true });
    const parts = [
      `${results.numPassedTests} passed`,
      `${failed} failed`,
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ];
    writeFileSync('.sidelight/test-summary', `${parts.join(', ')}\n`);
    if (process.env.CI === 'true' && skipped > 0)
      this.#refuse(`tests were skipped, which CI does not allow: ${skipped}`);
  }

  #refuse(reason) {
    process.stderr.write(`${reason}\n`);
    this.#error = new Error(reason);
  }

  /** An error here fails the run. */
  getLastError() {
    return this.#error;
  }
}
