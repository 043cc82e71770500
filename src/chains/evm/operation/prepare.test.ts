import { type Address, encodeFunctionData, parseAbi, parseEther, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addresses, testTokenAbi } from '../../../../contracts/index.ts';
import {
  baseSepoliaId,
  usdcAddress,
  type WatchedChain,
} from '../../../../test/harness/watched-chain.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { ChainFamily, TransferIntent } from '../../family.ts';
import {
  anEvmWallet,
  type EvmTestBed,
  startEvmTestBed,
  type TestWallet,
} from '../testing/chain.ts';
import { approvePersonally, approveTyped, executeOperation } from '../testing/execute.ts';
import { readOperation } from './prepared-operation.ts';

const recipient: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const clock = createManualClock(new Date());
let bed: EvmTestBed;
let chain: WatchedChain;
let family: ChainFamily;

beforeAll(async () => {
  bed = await startEvmTestBed({ clock });
  ({ chain, family } = bed);
});
afterAll(() => bed?.close());

const aWallet = () => anEvmWallet(family);
const transferEntry = {
  type: 'function',
  name: 'transfer',
  inputs: [
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
} as const;
const aTransferCall = (amount: string | number, to: string = recipient) => ({
  address: usdcAddress,
  functionName: 'transfer',
  abi: [transferEntry],
  args: [to, amount],
});
const prepare = ({ wallet }: TestWallet, params: JsonObject, transfer?: TransferIntent) =>
  family.prepareOperation({
    wallet,
    params,
    signer: wallet.adminSigner,
    now: clock.now(),
    transfer,
  });
const prepareCalls = (wallet: TestWallet, ...calls: JsonObject[]) =>
  prepare(wallet, { calls, chain: 'base-sepolia' });
const usdcOf = async (address: string) =>
  (
    await family.readBalances(address, [
      await family.resolveToken('base-sepolia', { symbol: 'usdc' }),
    ])
  )[0]!.amountMinor;

async function refusal(run: Promise<unknown>): Promise<ServiceError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}

describe('an operation of an evm wallet', () => {
  it('is planned, prepared, approved by personal_sign and executed, deploying the wallet', async () => {
    const from = aWallet();
    await chain.mint(from.wallet.address as Address, 1_000_000n);
    const before = await usdcOf(recipient);
    const prepared = await prepareCalls(from, aTransferCall('400000'));
    expect(prepared.onChain).toMatchObject({
      userOperationHash: prepared.message,
      userOperation: { sender: from.wallet.address, factory: addresses.safeProxyFactory },
    });
    const approval = await approvePersonally(from, prepared);
    expect(await family.checkApproval(prepared.operation, approval)).toBe(true);
    const result = await executeOperation(chain, {
      wallet: from.wallet,
      prepared,
      approvals: [approval],
    });
    expect(result).toEqual({ executed: true, success: true });
    expect(await usdcOf(from.wallet.address)).toBe(600_000n);
    expect(await usdcOf(recipient)).toBe(before + 400_000n);
  });

  it('approved by EIP-712 runs on a wallet that stands already, several calls at once', async () => {
    const from = aWallet();
    await chain.mint(from.wallet.address as Address, 1_000_000n);
    await chain.send({ to: from.wallet.address as Address, value: 10n ** 15n });
    const first = await prepareCalls(from, aTransferCall('1'));
    await executeOperation(chain, {
      wallet: from.wallet,
      prepared: first,
      approvals: [await approveTyped(from, first)],
    });
    const second = await prepareCalls(
      from,
      aTransferCall(2),
      { to: recipient, value: '7' },
      {
        to: usdcAddress,
        data: encodeFunctionData({
          abi: testTokenAbi,
          functionName: 'transfer',
          args: [recipient, 3n],
        }),
      },
    );
    expect(second.onChain.userOperation).not.toHaveProperty('factory');
    const result = await executeOperation(chain, {
      wallet: from.wallet,
      prepared: second,
      approvals: [await approveTyped(from, second)],
    });
    expect(result).toEqual({ executed: true, success: true });
    expect(await usdcOf(from.wallet.address)).toBe(999_994n);
    expect(await chain.call('eth_getBalance', [from.wallet.address, 'latest'])).toBe(
      `0x${(10n ** 15n - 7n).toString(16)}`,
    );
  });

  it('has gas caps that suffice with room, from one small call to many large ones', async () => {
    const from = aWallet();
    await chain.mint(from.wallet.address as Address, 1_000_000n);
    const shapes: JsonObject[][] = [
      [aTransferCall(1)],
      [aTransferCall(1)],
      Array.from({ length: 20 }, () => aTransferCall(1)),
      [{ to: recipient, data: `0x${'ff'.repeat(90_000)}` }],
      Array.from({ length: 100 }, (_, index) => ({
        to: recipient,
        data: `0x${'ab'.repeat(index)}`,
      })),
    ];
    for (const [index, calls] of shapes.entries()) {
      // The first one deploys.
      const gasMargin = index === 0 ? 60_000n : 20_000n;
      const prepared = await prepareCalls(from, ...calls);
      const approvals = [await approvePersonally(from, prepared)];
      for (const gasCut of [gasMargin, 0n])
        expect(
          await executeOperation(chain, { wallet: from.wallet, prepared, approvals, gasCut }),
          `${calls.length} calls, ${gasCut} less`,
        ).toEqual({ executed: true, success: true });
    }
  });

  it('with much calldata is estimated at no less than nodes ask for it (EIP-7623)', async () => {
    const data = `0x${'ff'.repeat(64 * 1024)}`;
    const { feesEstimate, onChain } = await prepareCalls(aWallet(), { to: recipient, data });
    const floor = 40n * 65_536n;
    expect(BigInt(String(feesEstimate.gas))).toBeGreaterThan(floor);
    expect(BigInt(String(feesEstimate.gas))).toBeLessThan((floor * 11n) / 10n);
    const { preVerificationGas } = onChain.userOperation as { preVerificationGas: string };
    expect(BigInt(preVerificationGas)).toBeLessThan(floor);
  });

  it('survives being stored as JSON, and ends after a day', async () => {
    const from = aWallet();
    await chain.mint(from.wallet.address as Address, 10n);
    const prepared = await prepareCalls(from, aTransferCall(1));
    expect(JSON.parse(JSON.stringify(prepared.operation))).toEqual(prepared.operation);
    expect(prepared.validUntil.getTime() - clock.now().getTime()).toBeLessThanOrEqual(86_400_000);
    expect(prepared.validUntil.getTime() - clock.now().getTime()).toBeGreaterThan(86_398_000);
  });

  it('is never the same twice, although everything else is', async () => {
    const from = aWallet();
    await chain.mint(from.wallet.address as Address, 10n);
    const [first, second] = [
      await prepareCalls(from, aTransferCall(1)),
      await prepareCalls(from, aTransferCall(1)),
    ];
    expect(first.message).not.toBe(second.message);
    // Neighbours share a storage slot.
    expect(readOperation(first.operation).operation.nonce >> 8n).toBe(
      readOperation(second.operation).operation.nonce >> 8n,
    );
  });

  it('answers params with defaults filled in and a main name as the test network that it stands for', async () => {
    const from = aWallet();
    const { params, chain: network } = await prepare(from, {
      calls: [{ to: recipient, extra: 1 }],
      chain: 'base',
      unknown: true,
    });
    expect(network).toBe('base-sepolia');
    expect(params).toEqual({
      calls: [{ to: recipient, value: '0', data: '0x' }],
      chain: 'base-sepolia',
    });
  });

  it('takes a serialised transaction', async () => {
    const from = aWallet();
    await chain.send({ to: from.wallet.address as Address, value: 1_000n });
    const transaction = serializeTransaction({
      chainId: baseSepoliaId,
      type: 'eip1559',
      to: recipient,
      value: 12n,
      data: '0x1234',
    });
    const prepared = await prepareCalls(from, { transaction });
    expect(readOperation(prepared.operation).operation.calls).toEqual([
      { to: recipient.toLowerCase(), value: 12n, data: '0x1234' },
    ]);
    expect(prepared.params).toEqual({ calls: [{ transaction }], chain: 'base-sepolia' });
  });

  it('is refused when its simulation fails, with the reason decoded', async () => {
    const from = aWallet();
    const error = await refusal(prepareCalls(from, aTransferCall('5')));
    expect(error.code).toBe('transaction-simulation-failed');
    expect(error.details).toMatchObject({
      message: expect.stringContaining('ERC20InsufficientBalance'),
      error: {
        reason: 'execution_reverted',
        revertData: expect.stringMatching(/^0xe450d38c/),
        revert: {
          type: 'contract_call',
          reasonData: {
            name: 'ERC20InsufficientBalance',
            args: { sender: from.wallet.address, balance: '0', needed: '5' },
          },
        },
      },
    });
  });

  it('names the failing one of several calls', async () => {
    const from = aWallet();
    await chain.mint(from.wallet.address as Address, 10n);
    const error = await refusal(prepareCalls(from, aTransferCall(1), aTransferCall(11)));
    expect(error.message).toMatch(/^Call 1 reverts/);
  });

  it('that sends more native money than there is says so', async () => {
    const error = await refusal(
      prepareCalls(aWallet(), { to: recipient, value: parseEther('1').toString() }),
    );
    expect(error.code).toBe('transaction-simulation-failed');
    expect(error.message).toBe(
      'The calls send 1000000000000000000 wei, but the wallet has 0 wei on "base-sepolia".',
    );
  });

  it('of a transfer without the means is insufficient-balance, with what is there and what is needed', async () => {
    const from = aWallet();
    await chain.mint(from.wallet.address as Address, 1_500_000n);
    for (const [symbol, have] of [
      ['usdc', '1.5 usdc'],
      ['eth', '0 eth'],
    ] as const) {
      const token = await family.resolveToken('base-sepolia', { symbol });
      const intent: TransferIntent = {
        wallet: from.wallet,
        chain: 'base-sepolia',
        token,
        amountMinor: 2_000_000n,
        recipientAddress: recipient,
      };
      const error = await refusal(prepare(from, await family.transferParams(intent), intent));
      expect(error.code).toBe('insufficient-balance');
      expect(error.message).toContain(
        `The wallet has ${have} on "base-sepolia", the transfer needs `,
      );
      // The body has no fields of its own for it.
      expect(error.details).toEqual({});
    }
  });

  it('may not call a function where no contract stands, nor the wallet itself', async () => {
    const from = aWallet();
    const missing = await refusal(prepareCalls(from, { ...aTransferCall(1), address: recipient }));
    expect([missing.code, missing.message]).toEqual([
      'transaction-invalid',
      `params.calls[0].address: no contract stands at this address on "base-sepolia".`,
    ]);
    const own = await refusal(
      prepareCalls(from, {
        to: from.wallet.address,
        data: encodeFunctionData({
          abi: parseAbi(['function enableModule(address)']),
          args: [recipient],
        }),
      }),
    );
    expect(own.code).toBe('transaction-invalid');
  });

  it('refuses calls that no transaction could carry', async () => {
    // Runs until its gas is gone.
    const burner: Address = '0x00000000000000000000000000000000000b0001';
    await chain.call('anvil_setCode', [burner, '0x5b600056']);
    const error = await refusal(prepareCalls(aWallet(), { to: burner }));
    expect(error.code).toBe('transaction-simulation-failed');
  });
});
