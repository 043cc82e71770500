import { parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  baseSepoliaId,
  planTestWallet,
  tokenTransfer,
  usdcAddress,
} from '../../../../test/harness/watched-chain.ts';
import type { DepositIntent, ResolvedToken } from '../../family.ts';
import { type EvmTestBed, startEvmTestBed } from '../testing/chain.ts';

const chain = 'base-sepolia';
const treasury = planTestWallet();

let bed: EvmTestBed;
let usdc: ResolvedToken;
let eth: ResolvedToken;
beforeAll(async () => {
  bed = await startEvmTestBed();
  usdc = await bed.family.resolveToken(chain, { symbol: 'usdc' });
  eth = await bed.family.resolveToken(chain, { symbol: 'eth' });
});
afterAll(() => bed?.close());

const anIntent = (overrides: Partial<DepositIntent> = {}): DepositIntent => ({
  chain,
  token: usdc,
  amountMinor: 5n,
  payerAddress: bed.chain.sender,
  recipientAddress: treasury.address,
  memo: bed.family.deposits!.newMemo(),
  ...overrides,
});
async function instruct(intent: DepositIntent) {
  const { serializedTransaction, carriesMemo } =
    await bed.family.deposits!.depositInstructions(intent);
  return { ...parseTransaction(serializedTransaction as `0x02${string}`), carriesMemo };
}

describe('instructions of a deposit', () => {
  it('are an unsigned EIP-1559 transaction of the payer, with the memo behind the transfer and gas for both', async () => {
    await bed.chain.mint(bed.chain.sender, 100n);
    const intent = anIntent();
    const transaction = await instruct(intent);
    expect(transaction).toMatchObject({
      type: 'eip1559',
      chainId: baseSepoliaId,
      nonce: Number(await bed.chain.call('eth_getTransactionCount', [bed.chain.sender, 'latest'])),
      data: `${tokenTransfer(treasury.address, 5n).data}${intent.memo.slice(2)}`,
      carriesMemo: true,
    });
    expect(transaction.to!.toLowerCase()).toBe(usdcAddress.toLowerCase());
    expect(transaction).not.toHaveProperty('r');
    const used = BigInt(
      (await bed.chain.call('eth_estimateGas', [
        { from: bed.chain.sender, to: usdcAddress, data: transaction.data },
      ])) as string,
    );
    expect(transaction.gas).toBeGreaterThan(used);
    const { baseFeePerGas } = (await bed.chain.call('eth_getBlockByNumber', ['latest', false])) as {
      baseFeePerGas: string;
    };
    expect(transaction.maxFeePerGas).toBeGreaterThanOrEqual(BigInt(baseFeePerGas));
  });

  it('are made for a payer who has nothing yet too', async () => {
    const payerAddress = privateKeyToAccount(generatePrivateKey()).address;
    expect(await instruct(anIntent({ payerAddress }))).toMatchObject({
      gas: 150_000n,
      carriesMemo: true,
    });
    expect(await instruct(anIntent({ payerAddress, token: eth }))).toMatchObject({
      gas: 60_000n,
      value: 5n,
    });
  });

  it('of native money carry the memo as calldata, until the treasury is deployed and takes none', async () => {
    const intent = anIntent({ token: eth });
    expect(await instruct(intent)).toMatchObject({
      value: 5n,
      data: intent.memo,
      carriesMemo: true,
    });
    await bed.chain.execute({ wallet: treasury, calls: [] });
    const later = await instruct(intent);
    expect(later).toMatchObject({ value: 5n, carriesMemo: false });
    expect(later.data).toBeUndefined();
  });

  it('are refused for what cannot be paid or received', async () => {
    const refusal = (overrides: Partial<DepositIntent>) =>
      bed.family.deposits!.depositInstructions(anIntent(overrides));
    await expect(refusal({ token: { ...usdc, tokenId: '1' } })).rejects.toMatchObject({
      code: 'token-not-supported',
    });
    await expect(refusal({ recipientAddress: `0x${'0'.repeat(40)}` })).rejects.toMatchObject({
      code: 'invalid-recipient',
    });
    await expect(refusal({ payerAddress: '0x12' })).rejects.toMatchObject({
      code: 'validation-error',
    });
    await expect(refusal({ chain: 'nowhere' })).rejects.toMatchObject({
      code: 'chain-not-supported',
    });
    await expect(refusal({ memo: '0x12' })).rejects.toThrow('is no memo');
  });
});

describe('a posted transaction', () => {
  const look = (txId: string) =>
    bed.family.deposits!.readDeposits({ chain, txId, recipientAddress: treasury.address });

  it('that failed, or is in no block yet, says so', async () => {
    const failed = await bed.chain.send({
      to: usdcAddress,
      data: tokenTransfer(treasury.address, 10n ** 30n).data,
      allowFailure: true,
    });
    expect(await look(failed)).toEqual({ status: 'failed', transfers: [] });
    await bed.chain.call('evm_setAutomine', [false]);
    const raw = await bed.chain.sign(tokenTransfer(treasury.address, 1n));
    const waiting = (await bed.chain.call('eth_sendRawTransaction', [raw])) as string;
    expect(await look(waiting)).toEqual({ status: 'pending', transfers: [] });
    await bed.chain.call('evm_mine');
    await bed.chain.call('evm_setAutomine', [true]);
    expect(await look(waiting)).toMatchObject({
      status: 'included',
      transfers: [{ amountMinor: 1n, txId: waiting }],
    });
    expect(await look(waiting.toUpperCase().replace('0X', '0x'))).toMatchObject({
      status: 'included',
      transfers: [{ txId: waiting }],
    });
  });

  it('of native money tells what came, with its memo', async () => {
    const fresh = planTestWallet();
    const memo = bed.family.deposits!.newMemo() as `0x${string}`;
    const txId = await bed.chain.send({ to: fresh.address, value: 9n, data: memo });
    const found = await bed.family.deposits!.readDeposits({
      chain,
      txId,
      recipientAddress: fresh.address,
    });
    expect(found).toMatchObject({
      status: 'included',
      transfers: [{ amountMinor: 9n, memo, token: { symbol: 'eth' } }],
    });
  });
});
