import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Abi, type AbiItem, toEventSelector, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import { type CompileRecord, contractsDir, digestCompilation, readCompileRecord } from './compile-record.ts';
import { addresses, coreDeployments, safeAbi, safeProxyFactoryAbi } from './index.ts';

const require = createRequire(import.meta.url);

describe('compiled contracts', () => {
  test('neither a source nor an artifact has changed since the artifacts were compiled (else: npx tsx contracts/compile.ts)', () => {
    expect(digestCompilation()).toEqual(readCompileRecord());
  });

  test('a changed source, a changed compiler setting and a changed, added or lost artifact are each noticed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'purser-contracts-'));
    const change = (path: string) => appendFileSync(join(folder, path), ' ');
    const changes: readonly [what: keyof CompileRecord, change: () => void][] = [
      ['inputs', () => change('src/WalletModule.sol')],
      ['inputs', () => writeFileSync(join(folder, 'src', 'New.sol'), '')],
      ['inputs', () => change('compile.ts')],
      ['outputs', () => change('artifacts/WalletModule.json')],
      ['outputs', () => writeFileSync(join(folder, 'artifacts', 'New.json'), '{}')],
      ['outputs', () => rmSync(join(folder, 'artifacts', 'WalletSetup.json'))],
      ['outputs', () => change('generated.ts')],
    ];
    try {
      for (const path of ['src', 'artifacts', 'compile.ts', 'generated.ts'])
        cpSync(join(contractsDir, path), join(folder, path), { recursive: true });
      expect(digestCompilation(folder)).toEqual(digestCompilation());
      for (const [what, apply] of changes) {
        const before = digestCompilation(folder);
        apply();
        const after = digestCompilation(folder);
        expect([what, after.inputs !== before.inputs, after.outputs !== before.outputs]).toEqual([
          what,
          what === 'inputs',
          what === 'outputs',
        ]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('the ABI of a Safe that we name is part of the published one', () => {
    const published = [...abiOf('Safe.sol/Safe.json'), ...abiOf('proxies/SafeProxyFactory.sol/SafeProxyFactory.json')].map(signatureOf);
    expect([...safeAbi, ...safeProxyFactoryAbi].map(signatureOf).filter((signature) => !published.includes(signature))).toEqual([]);
  });

  test('the core contracts are deployed in an order in which each finds what it needs', () => {
    expect(coreDeployments().map(({ name }) => name)).toEqual([
      'Safe',
      'SafeProxyFactory',
      'SignerVerifier',
      'WalletModule',
      'BatchExecutor',
      'SignerOwner',
      'SignerOwnerFactory',
      'WalletSetup',
      'SignatureHandler',
    ]);
    expect(new Set(coreDeployments().map(({ address }) => address)).size).toBe(9);
    expect(Object.values(addresses)).toEqual(expect.arrayContaining(coreDeployments().map(({ address }) => address)));
  });
});

function abiOf(path: string): Abi {
  return (require(`@safe-global/safe-contracts/build/artifacts/contracts/${path}`) as { abi: Abi }).abi;
}

/** Selector, outputs and mutability: all that decides how a call is encoded and its answer read. */
function signatureOf(item: AbiItem): string {
  if (item.type === 'event') return `${toEventSelector(item)} ${item.inputs.map((input) => String(input.indexed ?? false)).join()}`;
  if (item.type !== 'function') return item.type;
  return `${toFunctionSelector(item)} ${item.stateMutability} ${item.outputs.map((output) => output.type).join()}`;
}
