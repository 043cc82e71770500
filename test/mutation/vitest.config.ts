/**
 * Of the runs in a scratch copy: the files that `run-tests.ts` names, in its order, up to the first
 * test that fails.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { sourceAliases } from '../harness/source-aliases.ts';
import { tags } from '../harness/tags.ts';
import { askedFiles, type News, testMaxMs } from './run-tests.ts';

const { files, isAlone, isWhole } = askedFiles();
const tell = (news: News) => void process.send?.(news);
// Whoever asked is gone.
process.on('disconnect', () => process.exit(1));

const reporter: Reporter = {
  onTestCaseResult(test: TestCase) {
    tell({
      kind: 'test',
      file: test.module.relativeModuleId,
      name: test.fullName,
      state: test.result().state,
    });
  },
  onTestModuleStart: (module: TestModule) =>
    tell({ kind: 'step', file: module.relativeModuleId, name: 'read', state: 'running' }),
  onHookEnd: ({ name }) => tell({ kind: 'step', file: '', name, state: 'running' }),
  onTestModuleEnd(module: TestModule) {
    tell({
      kind: 'file',
      file: module.relativeModuleId,
      name: 'the file as a whole',
      state: module.state(),
    });
  },
};

class AsGiven {
  shard(specifications: TestSpecification[]): TestSpecification[] {
    return specifications;
  }
  sort(specifications: TestSpecification[]): TestSpecification[] {
    const at = ({ moduleId }: TestSpecification) =>
      files.findIndex((file) => moduleId.endsWith(file));
    return [...specifications].sort((a, b) => at(a) - at(b));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: sourceAliases },
  test: {
    include: [...files],
    tags,
    // What needs neither database nor programs starts sooner without.
    globalSetup: isAlone ? [] : ['test/harness/global-setup.ts'],
    reporters: [reporter],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    bail: isWhole ? 0 : 1,
    sequence: { sequencer: AsGiven },
    expect: { poll: { timeout: 20_000 } },
    testTimeout: testMaxMs,
    hookTimeout: testMaxMs,
  },
});
