import { type Address, encodeFunctionData, type Hex, numberToHex, size } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addresses, walletModuleAbi } from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  execute,
  farFuture,
  isNonceUsed,
  recipient,
  sign,
  simulate,
  startTestChain,
  submit,
  type TestChain,
  transferCall,
} from './test/chain.ts';
import { describeRevert } from './test/errors.ts';
import { aHostile } from './test/hostile.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const callTo = (to: Address, value = 0n, data: Hex = '0x') => ({ to, value, data });

describe('simulation', () => {
  test('tells what an operation would do, without a signature, and changes nothing', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet, {
      callGas: 0n,
      calls: [callTo(recipient, 1n), transferCall(chain.token, recipient, 5n)],
    });
    const result = await simulate(chain, op);
    expect(result).toMatchObject({
      success: true,
      failedCall: 2n ** 256n - 1n,
      returnData: numberToHex(1, { size: 32 }),
    });
    expect(await isNonceUsed(chain, op)).toBe(false);
  });

  test('deploys a wallet that does not exist yet, for the moment', async () => {
    const wallet = await aWallet(chain);
    expect(
      await simulate(chain, anOperation(chain, wallet, { callGas: 0n }), wallet.deployment),
    ).toMatchObject({ success: true });
    expect(await chain.client.getCode({ address: wallet.address })).toBeUndefined();
    await expect(simulate(chain, anOperation(chain, wallet))).rejects.toThrow(
      `UnknownWallet(${wallet.address})`,
    );
    const other = await aWallet(chain);
    await expect(simulate(chain, anOperation(chain, wallet), other.deployment)).rejects.toThrow(
      `WalletAddressMismatch(${wallet.address},${other.address})`,
    );
  });

  test('names the call that fails and its reason', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const hostile = await aHostile(chain, 'revertWithReason');
    const single = await simulate(
      chain,
      anOperation(chain, wallet, { callGas: 0n, calls: [callTo(hostile)] }),
    );
    const third = await simulate(
      chain,
      anOperation(chain, wallet, {
        callGas: 0n,
        calls: [callTo(recipient), callTo(recipient), callTo(hostile)],
      }),
    );
    expect([single.success, single.failedCall, describeRevert(single.returnData)]).toEqual([
      false,
      0n,
      'Unpleasant(42)',
    ]);
    expect([third.success, third.failedCall, describeRevert(third.returnData)]).toEqual([
      false,
      2n,
      'Unpleasant(42)',
    ]);
    const long = await simulate(
      chain,
      anOperation(chain, wallet, {
        callGas: 0n,
        calls: [callTo(await aHostile(chain, 'revertBomb', 20_000n))],
      }),
    );
    expect(size(long.returnData)).toBe(16_384);
  });

  test('the gas it reports is what the calls need: it suffices as callGas, and half of it does not', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    for (const calls of [
      [transferCall(chain.token, anAccount('fresh 1').address, 5n)],
      [
        transferCall(chain.token, anAccount('fresh 2').address, 5n),
        callTo(anAccount('fresh 3').address, 1n),
      ],
    ]) {
      const { gasUsed } = await simulate(chain, anOperation(chain, wallet, { callGas: 0n, calls }));
      const short = anOperation(chain, wallet, { calls, callGas: gasUsed / 2n });
      expect(await execute(chain, short, await sign(chain, wallet, short))).toMatchObject({
        status: 'success',
        success: false,
      });
      const op = anOperation(chain, wallet, { calls, callGas: (gasUsed * 11n) / 10n });
      expect(await simulate(chain, op)).toMatchObject({ success: true });
      expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
        success: true,
      });
    }
  });

  test('names a call that had too little gas, and none where all of them together had', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const calls = [callTo(recipient)];
    expect(
      await simulate(chain, anOperation(chain, wallet, { callGas: 1_000n, calls })),
    ).toMatchObject({ success: false, failedCall: 0n, returnData: '0x' });
    expect(
      await simulate(
        chain,
        anOperation(chain, wallet, { callGas: 1_000n, calls: [...calls, ...calls] }),
      ),
    ).toMatchObject({ success: false, failedCall: 2n ** 256n - 1n, returnData: '0x' });
  });

  test('without calls needs no gas, whatever it would give them', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    expect(
      await simulate(chain, anOperation(chain, wallet, { callGas: 10n ** 12n, calls: [] })),
    ).toMatchObject({ success: true, failedCall: 2n ** 256n - 1n, returnData: '0x' });
  });

  test('that names no gas gives the calls half of what there is', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const calls = [callTo(await aHostile(chain, 'eatGas'))];
    const gas = 4_000_000n;
    const { gasUsed } = await simulate(
      chain,
      anOperation(chain, wallet, { callGas: 0n, calls }),
      '0x',
      gas,
    );
    expect(gasUsed).toBeGreaterThan((gas * 45n) / 100n);
    expect(gasUsed).toBeLessThan(gas / 2n);
  });

  test('is refused in a transaction', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const data = encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'simulate',
      args: [anOperation(chain, wallet), '0x'],
    });
    expect(await submit(chain, { to: addresses.walletModule, data })).toMatchObject({
      status: 'reverted',
      error: 'SimulationOnChain()',
    });
  });

  test('the window of time is left to execution, so that an operation for tomorrow can be simulated', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    expect(
      await simulate(chain, anOperation(chain, wallet, { validAfter: farFuture - 1 })),
    ).toMatchObject({ success: true });
  });
});
