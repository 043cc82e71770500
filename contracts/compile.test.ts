import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Abi, type AbiItem, type Hex, toEventSelector, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import { create2Address } from './compile.ts';
import {
  type CompileRecord,
  contractsDir,
  digestCompilation,
  readCompileRecord,
} from './compile-record.ts';
import { addresses, coreDeployments, safeAbi, safeProxyFactoryAbi } from './index.ts';

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
      ['inputs', () => change('safe/SafeProxy.json')],
      ['inputs', () => change('compile.ts')],
      ['outputs', () => change('artifacts/WalletModule.json')],
      ['outputs', () => writeFileSync(join(folder, 'artifacts', 'New.json'), '{}')],
      ['outputs', () => rmSync(join(folder, 'artifacts', 'WalletSetup.json'))],
      ['outputs', () => change('generated.ts')],
    ];
    try {
      for (const path of ['src', 'safe', 'artifacts', 'compile.ts', 'generated.ts'])
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

  test.each([
    ['Safe', '0x41675C099F32341bf84BFc5382aF534df5C7461a'],
    ['SafeProxyFactory', '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67'],
    ['MultiSend', '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'],
  ])(
    'the bytecode of %s is that of Safe 1.4.1, whose address on every public chain is %s',
    (name, address) => {
      expect(create2Address(safeFile(name).bytecode)).toBe(address);
    },
  );

  test('the code of a wallet is what the published factory creates', () => {
    // The factory holds the proxy's creation code in full.
    expect(safeFile('SafeProxyFactory').bytecode).toContain(
      safeFile('SafeProxy').bytecode.slice(2),
    );
  });

  test('the ABI of a Safe that we name is part of the published one', () => {
    const published = [...safeFile('Safe').abi, ...safeFile('SafeProxyFactory').abi].map(
      signatureOf,
    );
    expect(
      [...safeAbi, ...safeProxyFactoryAbi]
        .map(signatureOf)
        .filter((signature) => !published.includes(signature)),
    ).toEqual([]);
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
    expect(Object.values(addresses)).toEqual(
      expect.arrayContaining(coreDeployments().map(({ address }) => address)),
    );
  });
});

function safeFile(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  return JSON.parse(readFileSync(join(contractsDir, 'safe', `${name}.json`), 'utf8')) as {
    abi: Abi;
    bytecode: Hex;
  };
}

/** Selector, outputs and mutability: all that decides how a call is encoded and its answer read. */
function signatureOf(item: AbiItem): string {
  if (item.type === 'event')
    return `${toEventSelector(item)} ${item.inputs.map((input) => String(input.indexed ?? false)).join()}`;
  if (item.type !== 'function') return item.type;
  return `${toFunctionSelector(item)} ${item.stateMutability} ${item.outputs.map((output) => output.type).join()}`;
}
