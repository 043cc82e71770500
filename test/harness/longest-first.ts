import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take about a minute in a whole run, the longest first: a fresh clone has no record of
 * how long its files take.
 */
export const longFiles: readonly string[] = [
  'test/shops/generated.test.ts',
  'test/faults/faults.test.ts',
  'test/flows/npm-start.test.ts',
  'test/flows/examples.test.ts',
  'src/runner/engine/rules.test.ts',
  'test/flows/agent-checkout.test.ts',
  'src/runner/engine/cart/cart.test.ts',
  'src/runner/engine/steps/approval.test.ts',
  'src/runner/runner.test.ts',
  'test/shops/real/shops.test.ts',
  'src/areas/orders/kinds/offramp/kill.test.ts',
  'src/areas/orders/kinds/offramp/deposits.test.ts',
  'src/runner/engine/steps/parts.test.ts',
  'devnet/postgres.test.ts',
  'test/run-faults/run-faults.test.ts',
  'programs/solana-wallet/model.test.ts',
  'test/flows/clock-start.test.ts',
  'src/chains/sui/relay/kill.test.ts',
  'test/flows/vault-canary.test.ts',
  'src/runner/patience.test.ts',
];

/** So much of the run has begun when the last of them begins. */
const spread = 0.8;

/**
 * The longest begin first, so that none keeps one worker busy while the others are idle. But they
 * are also those with the browsers and processes: between two of them come many of the others,
 * which wait most of the time. All at once are too much for two cores.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const pathOf = (file: TestSpecification) =>
      relative(this.ctx.config.root, file.moduleId).replaceAll('\\', '/');
    const byPath = new Map(files.map((file) => [pathOf(file), file]));
    const long = longFiles.flatMap((path) => byPath.get(path) ?? []);
    const others = (await super.sort(files)).filter((file) => !longFiles.includes(pathOf(file)));
    const between = Math.floor((others.length * spread) / Math.max(1, long.length));
    return [
      ...long.flatMap((file, index) => [
        file,
        ...others.slice(index * between, (index + 1) * between),
      ]),
      ...others.slice(long.length * between),
    ];
  }
}
