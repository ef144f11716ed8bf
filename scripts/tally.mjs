// Vitest reporter that writes the number of passed tests, and the names of failed and retried ones.
import { writeFileSync } from 'node:fs';

export default class Tally {
  /** `path` is the output file. */
  constructor({ path }) {
    this.path = path;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const failed = unhandledErrors.map(({ message }) => `(outside of a test) ${message}`);
    const retried = [];
    let passed = 0;
    for (const module of modules) {
      const nameOf = (test) => `${module.relativeModuleId} > ${test.fullName}`;
      const before = failed.length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed.push(nameOf(test));
        if (state === 'passed' && test.diagnostic()?.flaky === true) retried.push(nameOf(test));
      }
      // A file that fails to load, or whose hook throws, has no failed test of its own.
      if (!module.ok() && failed.length === before) failed.push(module.relativeModuleId);
    }
    writeFileSync(this.path, JSON.stringify({ passed, failed, retried }));
  }
}
