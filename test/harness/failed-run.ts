import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node';
import type { FailedRun } from '../../scripts/second-look.mjs';

/**
 * Writes which files have failed to the file that `scripts/test.mjs` names, for its second look.
 */
export class FailedRunReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const path = process.env.PURSER_TEST_FAILED_RUN;
    if (path === undefined) return;
    const files = modules
      .filter((each) => !each.ok())
      .map((each) => relative(each.project.config.root, each.moduleId).replaceAll('\\', '/'));
    const run: FailedRun = { reason, files, unhandledErrors: unhandled.length };
    writeFileSync(path, JSON.stringify(run));
  }
}
