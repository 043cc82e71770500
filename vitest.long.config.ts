import { defineConfig } from 'vitest/config';
import { sourceAliases } from './test/harness/source-aliases.ts';

/** `npm run test:long`: what takes longer than a change should wait for. */
export default defineConfig({
  resolve: { alias: sourceAliases },
  test: {
    include: [
      '{src,contracts,devnet,programs,scripts,test,sdk,sdk-react,fixtures}/**/*.long.test.ts',
    ],
    globalSetup: ['test/harness/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    // A busy machine takes seconds for what takes milliseconds.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
});
