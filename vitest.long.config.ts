import { defineConfig } from 'vitest/config';
import { sourceAliases } from './test/harness/source-aliases.ts';

/**
 * `npm run test:long`: what takes longer than a change should wait for, with a fifth of its random
 * inputs; all of them with TEST_SHARE=1/1.
 */
export default defineConfig({
  resolve: { alias: sourceAliases },
  test: {
    include: [
      '{src,contracts,devnet,programs,scripts,test,sdk,sdk-react,fixtures}/**/*.long.test.ts',
    ],
    globalSetup: ['test/harness/long-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A busy machine takes seconds for what takes milliseconds.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
});
