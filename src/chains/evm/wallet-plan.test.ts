import fc from 'fast-check';
import { type Address, decodeFunctionData, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { addresses, encodeDeployment, safeProxyFactoryAbi, walletAddress } from '../../../contracts/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Signer } from '../family.ts';
import { keccakOfText } from './keccak.ts';
import { encodeFactoryCall, encodeWalletDeployment, planEvmWallet, readWalletSetup } from './wallet-plan.ts';

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const aSigner = (address: string, type: Signer['type'] = 'external-wallet'): Signer => ({ type, locator: `${type}:${address}`, address });
const plan = (signer: Signer, creationSeed = 'seed') => planEvmWallet({ type: 'smart', adminSigner: signer, creationSeed });

const anAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Address)
  .filter((address) => BigInt(address) > 1n);

describe('the plan of an evm wallet', () => {
  it('has the address and the deployment that the generic encoders give', () => {
    fc.assert(
      fc.property(anAddress, fc.string(), (address, seed) => {
        const planned = plan(aSigner(address), seed);
        const input = { owners: [address], threshold: 1n, saltNonce: BigInt(`0x${keccakOfText(seed)}`) };
        expect(planned.address).toBe(walletAddress(input));
        expect(encodeWalletDeployment(readWalletSetup(planned.setup))).toBe(encodeDeployment(input));
      }),
      { numRuns: 200 },
    );
  });

  it('names the factory call that deploys it', () => {
    const setup = readWalletSetup(plan(aSigner(owner)).setup);
    const { factory, factoryData } = encodeFactoryCall(setup);
    expect(factory).toBe(addresses.safeProxyFactory);
    const call = decodeFunctionData({ abi: safeProxyFactoryAbi, data: factoryData });
    expect(call.functionName).toBe('createProxyWithNonce');
    expect(call.args?.[0]).toBe(addresses.safeSingleton);
    expect(call.args?.[2]).toBe(BigInt(setup.saltNonce));
    expect(encodeWalletDeployment(setup)).toContain((call.args?.[1] as Hex).slice(2));
  });

  it('does not depend on the case of the signer address, and depends on signer and seed', () => {
    expect(plan(aSigner(owner.toLowerCase())).address).toBe(plan(aSigner(owner)).address);
    expect(plan(aSigner(owner), 'other').address).not.toBe(plan(aSigner(owner)).address);
    expect(plan(aSigner('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')).address).not.toBe(plan(aSigner(owner)).address);
  });

  it('is the same for every type of signer that has the same address', () => {
    const expected = plan(aSigner(owner)).address;
    for (const type of ['server', 'api-key', 'email', 'phone'] as const) expect(plan(aSigner(owner, type)).address).toBe(expected);
  });

  it('refuses device signers with signer-type-not-supported', () => {
    expect(codeOf(() => plan(aSigner(owner, 'device')))).toBe('signer-type-not-supported');
  });

  it('refuses owners that nobody holds a key of', () => {
    const unusable = [
      '0x0000000000000000000000000000000000000000',
      '0x0000000000000000000000000000000000000001',
      addresses.walletModule,
      addresses.safeSingleton,
      '0x12',
      '',
    ];
    for (const address of unusable)
      expect(
        codeOf(() => plan(aSigner(address))),
        address,
      ).toBe('validation-error');
  });
});

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
  return undefined;
}
