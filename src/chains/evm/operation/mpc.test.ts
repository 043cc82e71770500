import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatHex, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addresses } from '../../../../contracts/index.ts';
import { createManualClock } from '../../../lib/clock.ts';
import type { ChainFamily, FamilyWallet } from '../../family.ts';
import { anEvmFamily, anEvmWallet, type EvmTestBed, startEvmTestBed } from '../testing/chain.ts';
import { delegatedCode, delegationDigest } from '../wallet/delegation.ts';

// Operations of accounts: what their key signs beside them, and where there can be none.

const chain = 'base-sepolia';
const chainId = 84_532;
const somebody = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const clock = createManualClock(new Date());
let bed: EvmTestBed;
let family: ChainFamily;
beforeAll(async () => {
  bed = await startEvmTestBed({ clock });
  ({ family } = bed);
});
afterAll(() => bed?.close());

function anAccount(): FamilyWallet {
  const publicKey = secp256k1.getPublicKey(secp256k1.utils.randomSecretKey(), false);
  const { address, setup } = family.planWallet({ type: 'mpc', publicKey });
  return {
    id: address,
    type: 'mpc',
    address,
    setup,
    adminSigner: { type: 'api-key', locator: `api-key:${address}`, address },
  };
}
const prepare = (wallet: FamilyWallet, on = chain, from = family) =>
  from.prepareOperation({
    wallet,
    params: { call: { to: somebody, data: '0x' }, chain: on },
    signer: wallet.adminSigner,
    now: clock.now(),
  });
/** Puts the account into a state, as transactions would. */
async function become({ address }: FamilyWallet, code: Hex, count: number) {
  await bed.chain.call('anvil_setCode', [address, code]);
  await bed.chain.call('anvil_setNonce', [address, numberToHex(count)]);
}
const extraOf = async (wallet: FamilyWallet) => {
  const { operation } = await prepare(wallet);
  return family.custodyExtra!.digest(JSON.parse(JSON.stringify(operation)));
};

describe('an operation of an account', () => {
  it('comes with a delegation that names the chain and the count of the account', async () => {
    const account = anAccount();
    expect(await extraOf(account)).toEqual(delegationDigest({ chainId, nonce: 0n }));
    // Code of another generation is replaced.
    await become(account, concatHex(['0xef0100', addresses.multicall3]), 3);
    expect(await extraOf(account)).toEqual(delegationDigest({ chainId, nonce: 3n }));
  });

  it('comes with the one that took effect for as long as a reorganisation may undo it, and then with none', async () => {
    const account = anAccount();
    await become(account, delegatedCode, 1);
    expect(await extraOf(account)).toEqual(delegationDigest({ chainId, nonce: 0n }));
    clock.advance(16_000);
    expect(await extraOf(account)).toBeUndefined();
  });

  it('is counted with the gas of its delegation, which a later one does not have', async () => {
    const account = anAccount();
    const gasOf = async () => BigInt((await prepare(account)).feesEstimate['gas'] as string);
    const first = await gasOf();
    await become(account, delegatedCode, 1);
    const difference = first - (await gasOf());
    // Nonces differ in their zero bytes.
    expect(difference > 24_500n && difference < 25_500n).toBe(true);
  });

  it('is refused where a contract stands that no key can replace', async () => {
    const account = anAccount();
    await become(account, '0x60006000fd', 1);
    await expect(prepare(account)).rejects.toMatchObject({
      code: 'transaction-invalid',
      message: expect.stringContaining('its key cannot act'),
    });
  });

  it('is a call that the account sends by itself on a network that is not known to have delegations', async () => {
    const url = bed.chain.url;
    const staging = anEvmFamily({
      store: bed.store,
      rpcUrls: { [chain]: url, 'hypersonic-testnet': url },
      clock,
      environment: 'staging',
    });
    const here = await prepare(anAccount(), chain, staging);
    expect(staging.late!.isLate(here.operation)).toBe(false);
    const account = anAccount();
    const { operation } = await prepare(account, 'hypersonic-testnet', staging);
    expect(staging.late!.isLate(operation)).toBe(true);
    expect(staging.readSigned(operation)).toMatchObject({
      chain: 'hypersonic-testnet',
      walletAddress: account.address.toLowerCase(),
    });
    expect(staging.describeSigned(operation)).toBe(
      `send 0 ETH to ${somebody} on hypersonic-testnet`,
    );
    const { wallet } = anEvmWallet(staging);
    const params = { calls: [{ to: somebody, data: '0x' }], chain: 'hypersonic-testnet' };
    const smart = await staging.prepareOperation({
      wallet,
      params,
      signer: wallet.adminSigner,
      now: clock.now(),
    });
    expect(staging.custodyExtra!.digest(smart.operation)).toBeUndefined();
  });
});
