import { createRequire } from 'node:module';
import { type Abi, type AbiItem, toEventSelector, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import { findStaleArtifacts } from './compile.ts';
import { addresses, coreDeployments, safeAbi, safeProxyFactoryAbi } from './index.ts';

const require = createRequire(import.meta.url);

describe('compiled contracts', () => {
  test('the committed artifacts are byte by byte what the sources compile to', () => {
    expect(findStaleArtifacts()).toEqual([]);
  }, 300_000);

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
