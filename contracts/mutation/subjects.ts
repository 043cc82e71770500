/** What is mutated: where its sources are, how they become code, and which tests are asked. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAssemblyScriptCompiler } from './assembly-script.ts';
import { createMutantCompiler, type MutantCompiler } from './compiler.ts';
import type { TestChoice } from './judge.ts';

export interface Subject {
  readonly name: string;
  /** From the root of the repository. */
  readonly sources: string;
  readonly isSource: (file: string) => boolean;
  /** What its tests need, beside the packages. */
  readonly copied: readonly string[];
  readonly tests: TestChoice;
  /** @param root of a copy, which is written to */
  readonly createCompiler: (root: string) => MutantCompiler;
}

const solidity: Subject = {
  name: 'solidity',
  sources: 'contracts/src',
  // Not those of tests alone, or without code of their own.
  isSource: (file) => file.endsWith('.sol') && !/^(?:Test.*|I[A-Z].*|Call)\.sol$/.test(file),
  copied: ['contracts'],
  tests: {
    folder: 'contracts',
    // They hold committed artifacts or recorded numbers, which every change of the code breaks.
    notAsked: /^(?:compile|gas|index)\.test\.ts$|\.long\.test\.ts$/,
    slow: /invariant/,
    nearest: {
      'AddressSignature.sol': ['signatures', 'delegates', 'signer-verifier'],
      'BatchExecutor.sol': ['batch-executor', 'batch-gas', 'gas-limits'],
      'BoundedCall.sol': ['batch-executor', 'wallet-module'],
      'CallRunner.sol': [
        'call-gas',
        'wallet-module',
        'batch-gas',
        'hostile-scopes',
        'simulation',
        'gas-limits',
        'batch-executor',
        'scopes',
      ],
      'DelegatedSigners.sol': [
        'scopes',
        'delegates',
        'epochs',
        'hostile-scopes',
        'delegate-messages',
      ],
      'DelegatedAccount.sol': ['delegated-account'],
      'Epochs.sol': ['epochs', 'delegates'],
      'KnownWallets.sol': ['delegated-account', 'wallet-module'],
      'SafeWallets.sol': ['wallet-module', 'batch-executor'],
      'SignatureHandler.sol': ['signature-handler', 'delegate-messages'],
      'SignerOwner.sol': ['signer-owner'],
      'SignerOwnerFactory.sol': ['signer-owner'],
      'SignerVerifier.sol': ['signer-verifier', 'quorum'],
      'TokenReceiver.sol': ['signature-handler', 'delegated-account'],
      'WalletModule.sol': [
        'wallet-module',
        'signatures',
        'epochs',
        'delegates',
        'batch-gas',
        'call-gas',
        'simulation',
        'delegate-simulation',
      ],
      'WalletSetup.sol': ['signer-owner', 'delegates'],
    },
  },
  createCompiler: (root) => createMutantCompiler(join(root, 'contracts')),
};

const stellar: Subject = {
  name: 'stellar',
  sources: 'contracts/stellar/source',
  isSource: (file) => file.endsWith('.as'),
  copied: ['contracts', 'devnet', 'programs', 'src'],
  tests: {
    folder: 'contracts/stellar/test',
    // Recorded numbers.
    notAsked: /^units\.test\.ts$|\.long\.test\.ts$/,
    slow: /model/,
    nearest: {
      'approvals.as': ['hostile', 'wallet', 'delegates'],
      'delegates.as': ['delegates', 'hostile'],
      'factory.as': ['wallet', 'hostile'],
      'host.as': ['wallet', 'delegates'],
      'wallet.as': ['wallet', 'hostile', 'delegates'],
    },
  },
  createCompiler: createAssemblyScriptCompiler,
};

export const subjects: readonly Subject[] = [solidity, stellar];

/** The sources of a subject, by the name of their file. */
export function readSubject(
  repository: string,
  { sources, isSource }: Subject,
): readonly (readonly [file: string, source: string])[] {
  const files = readdirSync(join(repository, sources)).filter(isSource);
  return files.map((file) => [file, readFileSync(join(repository, sources, file), 'utf8')]);
}
