import { defineConfig } from 'vitest/config';
import { FailedRunReporter } from './test/harness/failed-run.ts';
import { LongestFirst } from './test/harness/longest-first.ts';
import { reportingExecArgv, SilentRunReporter } from './test/harness/silent-run.ts';
import { SkippedRunReporter } from './test/harness/skipped-run.ts';
import { sourceAliases } from './test/harness/source-aliases.ts';
import { tags } from './test/harness/tags.ts';

export default defineConfig({
  resolve: { alias: sourceAliases },
  test: {
    include: [
      '{src,contracts,devnet,programs,test,bin,scripts,bench,sdk,sdk-react,examples,fixtures}/**/*.test.ts',
    ],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    tags,
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
