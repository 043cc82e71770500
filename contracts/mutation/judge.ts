/** Asks the contract tests about changed code, the nearest first, up to the first that fails. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type TestSpecification } from 'vitest/node';

/** Test files that say most about a source; the others follow. */
const nearest: Readonly<Record<string, readonly string[]>> = {
  'AddressSignature.sol': ['signatures', 'delegates', 'signer-verifier'],
  'BatchExecutor.sol': ['batch-executor', 'batch-gas'],
  'BoundedCall.sol': ['batch-executor', 'wallet-module'],
  'CallRunner.sol': ['wallet-module', 'batch-gas', 'hostile-scopes', 'simulation'],
  'DelegatedSigners.sol': ['scopes', 'delegates', 'epochs', 'hostile-scopes', 'delegate-messages'],
  'DelegatedAccount.sol': ['delegated-account'],
  'Epochs.sol': ['epochs', 'delegates'],
  'KnownWallets.sol': ['delegated-account', 'wallet-module'],
  'SafeWallets.sol': ['wallet-module', 'batch-executor'],
  'SignatureHandler.sol': ['signature-handler', 'delegate-messages'],
  'SignerOwner.sol': ['signer-owner'],
  'SignerOwnerFactory.sol': ['signer-owner'],
  'SignerVerifier.sol': ['signer-verifier', 'quorum'],
  'TokenReceiver.sol': ['signature-handler', 'delegated-account'],
  'WalletModule.sol': ['wallet-module', 'signatures', 'epochs', 'delegates', 'batch-gas', 'simulation', 'delegate-simulation'],
  'WalletSetup.sol': ['signer-owner', 'delegates'],
};
/** They hold committed artifacts or recorded numbers, which every change of the code breaks. */
const notAsked = /^(?:compile|gas|index)\.test\.ts$|\.long\.test\.ts$/;
const testMaxMs = 60_000;
/** A mutant that makes everything slow: no test says so in this time. */
export const judgeMaxMs = 900_000;

export interface Judge {
  /** @returns the first test that fails, or undefined when none does. @throws Error of a run that takes longer than `judgeMaxMs` */
  ask(file: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** One runner for all mutants: its start takes longer than most of the answers. */
export async function createJudge(root: string): Promise<Judge> {
  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    include: ['contracts/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    reporters: [{}],
    testTimeout: testMaxMs,
    hookTimeout: testMaxMs,
    sequence: { sequencer: AsGiven },
  });
  await vitest.standalone();
  const project = vitest.getRootProject();
  return {
    async ask(file) {
      for (const path of vitest.projects.flatMap((one) => [...one.vite.moduleGraph.fileToModulesMap.keys()]))
        if (path.startsWith(root)) vitest.invalidateFile(path);
      const specifications = orderTests(root, file).map((name) => project.createSpecification(join(root, 'contracts', name)));
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        void vitest.cancelCurrentRun('keyboard-input');
      }, judgeMaxMs);
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications).finally(() => clearTimeout(timer));
      if (late) throw new Error('the time was over');
      const failed = testModules.find((module) => module.state() === 'failed');
      if (failed === undefined) return unhandledErrors.length === 0 ? undefined : String(unhandledErrors[0]);
      const test = [...failed.children.allTests('failed')][0];
      return `${failed.relativeModuleId}${test === undefined ? '' : ` > ${test.fullName}`}`;
    },
    close: () => vitest.close(),
  };
}

/** Nearest first, random histories last. */
function orderTests(root: string, file: string): readonly string[] {
  const tests = readdirSync(join(root, 'contracts')).filter((name) => name.endsWith('.test.ts') && !notAsked.test(name));
  const first = (nearest[file] ?? []).map((name) => `${name}.test.ts`).filter((name) => tests.includes(name));
  const slow = tests.filter((name) => name.includes('invariant'));
  return [...first, ...tests.filter((name) => !first.includes(name) && !slow.includes(name)), ...slow];
}

class AsGiven {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
  sort(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}
