import { defineConfig } from 'vitest/config';
import { FailedRunReporter } from './test/harness/failed-run.ts';
import { LongestFirst } from './test/harness/longest-first.ts';
import { reportingExecArgv, SilentRunReporter } from './test/harness/silent-run.ts';
import { SkippedRunReporter } from './test/harness/skipped-run.ts';
import { sourceAliases } from './test/harness/source-aliases.ts';

export default defineConfig({
  resolve: { alias: sourceAliases },
  test: {
    include: [
      '{src,contracts,devnet,programs,test,bin,scripts,bench,sdk,sdk-react,examples,fixtures}/**/*.test.ts',
    ],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    // `npm test` leaves these out; `npm run test:all`, CI and `npx vitest run <file>` do not
    // (docs/decisions/0071).
    tags: [
      {
        name: 'slow',
        description: 'takes seconds, and a cheaper test in `npm test` stands for its rule',
      },
    ],
    globalSetup: ['test/harness/global-setup.ts'],
    reporters: [
      'default',
      new FailedRunReporter(),
      new SilentRunReporter(),
      new SkippedRunReporter(),
    ],
    pool: 'forks',
    // A larger young generation: a fifth of a worker's time was the collector's.
    execArgv: [...reportingExecArgv, '--max-semi-space-size=64'],
    // More than two cores: tests wait for browsers, databases and chains most of the time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Files share what they import: reading the service anew for each of them was a sixth of the
    // run. None replaces a module.
    isolate: false,
    // A busy machine takes seconds for what takes milliseconds.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
