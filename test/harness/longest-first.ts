import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take more than half a minute, the longest first. One that starts last would keep one worker busy while the others
 * are idle, and a fresh clone has no record of how long its files take.
 */
export const longFiles: readonly string[] = [
  'test/faults/faults.test.ts',
  'test/flows/npm-start.test.ts',
  'src/runner/engine/rules.test.ts',
  'src/runner/runner.test.ts',
  'test/run-faults/run-faults.test.ts',
  'src/runner/engine/shops.test.ts',
  'test/flows/clock-start.test.ts',
  'src/runner/engine/looks.test.ts',
  'test/flows/vault-canary.test.ts',
  'devnet/postgres.test.ts',
  'test/flows/agent-checkout.test.ts',
  'src/areas/reconciliation/turns.test.ts',
  'test/interface/openapi-fuzz.test.ts',
  'test/flows/runner-processes.test.ts',
  'contracts/delegates.invariant.test.ts',
  'contracts/gas.test.ts',
];

/** Those first; of the others vitest knows how long they took, or else how large they are. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = (file: TestSpecification) => {
      const place = longFiles.indexOf(relative(this.ctx.config.root, file.moduleId).replaceAll('\\', '/'));
      return place < 0 ? longFiles.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
