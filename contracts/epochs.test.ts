import { type Address, encodeFunctionData, type Hex, type LocalAccount, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  encodeAddSigner,
  encodeBumpEpoch,
  encodeBumpEpochOf,
  type Operation,
  operationEpoch,
  safeAbi,
  signerIdOf,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  balanceOf,
  execute,
  executeOk,
  isNonceUsed,
  readSigner,
  recipient,
  sign,
  simulate,
  startTestChain,
  submit,
  type TestChain,
  type TestWallet,
  transferCall,
} from './test/chain.ts';
import {
  aDelegateOperation,
  addSigner,
  anEcdsaSigner,
  executeAs,
  readEpoch,
  removeSigner,
  signAs,
} from './test/delegates.ts';

/** What was signed and withheld, and what a thief registered while he could: how all of it ends. */

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const sentinel = '0x0000000000000000000000000000000000000001';
const thief = anAccount('thief of old signatures').address;
const delegate = anEcdsaSigner(anAccount('delegate of an epoch'));
const unscoped = { signer: delegate.key, scopes: [] };
const aWalletWithDelegate = () => aWallet(chain, { delegates: [unscoped], deployed: true });
const toModule = (data: Hex) => ({ to: addresses.walletModule, value: 0n, data });
const unknown = (wallet: TestWallet) =>
  `UnknownSigner(${wallet.address},${signerIdOf(delegate.key)})`;
const steal = (amount = 7n) => transferCall(chain.token, thief, amount);

async function signed(
  wallet: TestWallet,
  fields: Partial<Operation>,
): Promise<readonly [Operation, Hex]> {
  const op = anOperation(chain, wallet, { epoch: await readEpoch(chain, wallet), ...fields });
  return [op, await sign(chain, wallet, op)];
}

async function signedByDelegate(wallet: TestWallet): Promise<readonly [Operation, Hex]> {
  const op = aDelegateOperation(chain, wallet, delegate, {
    calls: [steal()],
    epoch: await readEpoch(chain, wallet, delegate),
  });
  return [op, await signAs(chain, delegate, op)];
}

/** The owners' own way, past the module. */
async function execSafe(
  wallet: TestWallet,
  data: Hex,
  to: Address = wallet.address,
): Promise<void> {
  const read = { address: wallet.address, abi: safeAbi } as const;
  const nonce = await chain.client.readContract({ ...read, functionName: 'nonce' });
  const args = [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress] as const;
  const hash = await chain.client.readContract({
    ...read,
    functionName: 'getTransactionHash',
    args: [...args, nonce],
  });
  const signature = (await wallet.owners[0]?.sign?.({ hash })) ?? '0x';
  const exec = encodeFunctionData({
    abi: safeAbi,
    functionName: 'execTransaction',
    args: [...args, signature],
  });
  expect(await submit(chain, { to: wallet.address, data: exec })).toMatchObject({
    status: 'success',
  });
}

const disable = encodeFunctionData({
  abi: safeAbi,
  functionName: 'disableModule',
  args: [sentinel, addresses.walletModule],
});
const enable = encodeFunctionData({
  abi: safeAbi,
  functionName: 'enableModule',
  args: [addresses.walletModule],
});
const swapOwner = (wallet: TestWallet, next: LocalAccount) =>
  encodeFunctionData({
    abi: safeAbi,
    functionName: 'swapOwner',
    args: [sentinel, wallet.owners[0]?.address ?? '0x', next.address],
  });
const bump = async (wallet: TestWallet) => {
  const [op, signature] = await signed(wallet, { calls: [toModule(encodeBumpEpoch())] });
  expect(await execute(chain, op, signature)).toMatchObject({ success: true });
};

describe('a withheld registration', () => {
  test('does not bring a removed delegate back, nor give one that is there a new budget', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const scoped = { signer: delegate.key, scopes: [{ token: chain.token, limit: 1_000n }] };
    const withheld = await signed(wallet, {
      calls: [toModule(encodeAddSigner(scoped))],
      callGas: 900_000n,
    });
    const alsoWithheld = await signed(wallet, {
      calls: [toModule(encodeAddSigner(scoped))],
      callGas: 900_000n,
    });
    await addSigner(chain, wallet, scoped);
    expect(await executeAs(chain, wallet, delegate, [steal(1_000n)], [0])).toMatchObject({
      success: true,
    });
    expect(await execute(chain, ...alsoWithheld)).toMatchObject({ success: false });
    expect((await executeAs(chain, wallet, delegate, [steal(1n)], [0])).error).toContain(
      'SpendingLimitExceeded',
    );
    await removeSigner(chain, wallet, delegate);
    const before = await balanceOf(chain, thief);
    expect(await execute(chain, ...withheld)).toMatchObject({ success: false });
    expect(await readSigner(chain, wallet, delegate.key)).toMatchObject({
      active: false,
      generation: 2,
    });
    expect(await executeAs(chain, wallet, delegate, [steal(1_000n)], [0])).toMatchObject({
      status: 'reverted',
      error: unknown(wallet),
    });
    expect(await balanceOf(chain, thief)).toBe(before);
  });

  test('says which generation it expected, and works with the one that is', async () => {
    const wallet = await aWalletWithDelegate();
    const add = (generation: number) =>
      anOperation(chain, wallet, { calls: [toModule(encodeAddSigner(unscoped, generation))] });
    for (const generation of [0, 2]) {
      const { success, returnData } = await simulate(chain, add(generation));
      expect([success, returnData.slice(-64)]).toEqual([false, '1'.padStart(64, '0')]);
    }
    await executeOk(chain, wallet, add(1));
    expect(await readSigner(chain, wallet, delegate.key)).toMatchObject({
      active: true,
      generation: 2,
    });
  });
});

describe('a delegate that is registered again', () => {
  test('does not run what it signed under an earlier registration', async () => {
    const wallet = await aWalletWithDelegate();
    const old = await signedByDelegate(wallet);
    await removeSigner(chain, wallet, delegate);
    await addSigner(chain, wallet, unscoped);
    expect(await execute(chain, ...old)).toMatchObject({
      status: 'reverted',
      error: 'WrongEpoch(1,3)',
    });
    expect(await execute(chain, ...(await signedByDelegate(wallet)))).toMatchObject({
      success: true,
    });
  });
});

describe('raising the epoch', () => {
  test('ends at once what the admin and the delegates signed, and every delegate, of this wallet alone', async () => {
    const [wallet, other] = [await aWalletWithDelegate(), await aWalletWithDelegate()];
    const old = [
      await signed(wallet, { calls: [steal()] }),
      await signedByDelegate(wallet),
    ] as const;
    const others = [await signed(other, {}), await signedByDelegate(other)] as const;
    await bump(wallet);
    expect(await execute(chain, ...old[0])).toMatchObject({
      status: 'reverted',
      error: `WrongEpoch(0,${2n ** 32n})`,
    });
    expect(await execute(chain, ...old[1])).toMatchObject({
      status: 'reverted',
      error: unknown(wallet),
    });
    expect(await isNonceUsed(chain, old[0][0])).toBe(false);
    expect(await readSigner(chain, wallet, delegate.key)).toMatchObject({
      active: false,
      scopes: [],
    });
    for (const one of others) expect(await execute(chain, ...one)).toMatchObject({ success: true });
    await addSigner(chain, wallet, unscoped);
    expect(await readSigner(chain, wallet, delegate.key)).toMatchObject({
      active: true,
      generation: 2,
      epoch: 1,
    });
    expect(await execute(chain, ...(await signedByDelegate(wallet)))).toMatchObject({
      success: true,
    });
    expect(await execute(chain, ...old[1])).toMatchObject({
      status: 'reverted',
      error: `WrongEpoch(1,${2n ** 32n + 2n})`,
    });
  });

  test('is for the wallet alone while the module is on: a delegate cannot, and anybody else does it to himself', async () => {
    const wallet = await aWalletWithDelegate();
    expect(await executeAs(chain, wallet, delegate, [toModule(encodeBumpEpoch())])).toMatchObject({
      status: 'reverted',
    });
    await submit(chain, { to: addresses.walletModule, data: encodeBumpEpoch() });
    expect(
      await submit(chain, { to: addresses.walletModule, data: encodeBumpEpochOf(wallet.address) }),
    ).toMatchObject({
      status: 'reverted',
      error: `ModuleStillEnabled(${wallet.address})`,
    });
    const undeployed = await aWallet(chain);
    expect(
      await submit(chain, {
        to: addresses.walletModule,
        data: encodeBumpEpochOf(undeployed.address),
      }),
    ).toMatchObject({
      status: 'reverted',
      error: `UnknownWallet(${undeployed.address})`,
    });
    expect([await readEpoch(chain, wallet), await readEpoch(chain, undeployed)]).toEqual([0n, 0n]);
  });

  test('happens by itself with an operation that manages the wallet: what a former owner signed or registered ends', async () => {
    const wallet = await aWalletWithDelegate();
    const next = anAccount('owner after a theft');
    const old = [
      await signed(wallet, { calls: [steal()] }),
      await signedByDelegate(wallet),
    ] as const;
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, {
        calls: [{ to: wallet.address, value: 0n, data: swapOwner(wallet, next) }],
      }),
    );
    expect(await executeAs(chain, wallet, delegate, [steal()])).toMatchObject({
      status: 'reverted',
      error: unknown(wallet),
    });
    for (const one of old)
      expect(await execute(chain, ...one)).toMatchObject({ status: 'reverted' });
    const successor = { ...wallet, owners: [next] };
    expect(await execute(chain, ...(await signed(successor, {})))).toMatchObject({ success: true });
    // The former owner comes back one day: what was signed before stays ended.
    const back = encodeFunctionData({
      abi: safeAbi,
      functionName: 'addOwnerWithThreshold',
      args: [wallet.owners[0]?.address ?? '0x', 1n],
    });
    expect(
      await execute(
        chain,
        ...(await signed(successor, { calls: [{ to: wallet.address, value: 0n, data: back }] })),
      ),
    ).toMatchObject({
      success: true,
    });
    for (const one of old)
      expect(await execute(chain, ...one)).toMatchObject({ status: 'reverted' });
    expect(await balanceOf(chain, wallet.address)).toBe(999_999_999n);
  });

  test('does not happen when the wallet merely sends itself money', async () => {
    const wallet = await aWalletWithDelegate();
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, { calls: [{ to: wallet.address, value: 1n, data: '0x' }] }),
    );
    expect(await readEpoch(chain, wallet)).toBe(0n);
  });

  test('goes together with a change that the owners make past the module', async () => {
    const wallet = await aWalletWithDelegate();
    const next = anAccount('owner after another theft');
    await execSafe(wallet, encodeBumpEpoch(), addresses.walletModule);
    await execSafe(wallet, swapOwner(wallet, next));
    expect(await executeAs(chain, wallet, delegate, [steal()])).toMatchObject({
      status: 'reverted',
      error: unknown(wallet),
    });
  });

  test('is what anybody may do while the module is off, so that nothing old runs when it is on again', async () => {
    const wallet = await aWalletWithDelegate();
    const old = [
      await signed(wallet, { calls: [steal()] }),
      await signedByDelegate(wallet),
    ] as const;
    await execSafe(wallet, disable);
    const by = chain.accounts[4] ?? '0x';
    expect(
      await submit(chain, {
        from: by,
        to: addresses.walletModule,
        data: encodeBumpEpochOf(wallet.address),
      }),
    ).toMatchObject({
      status: 'success',
    });
    await execSafe(wallet, enable);
    expect(await execute(chain, ...old[0])).toMatchObject({
      status: 'reverted',
      error: `WrongEpoch(0,${2n ** 32n})`,
    });
    expect(await execute(chain, ...old[1])).toMatchObject({
      status: 'reverted',
      error: unknown(wallet),
    });
    expect(await execute(chain, ...(await signed(wallet, {})))).toMatchObject({ success: true });
  });

  test('happens by itself when an operation switches the module off', async () => {
    const wallet = await aWalletWithDelegate();
    const old = await signedByDelegate(wallet);
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, { calls: [{ to: wallet.address, value: 0n, data: disable }] }),
    );
    await execSafe(wallet, enable);
    expect(await execute(chain, ...old)).toMatchObject({
      status: 'reverted',
      error: unknown(wallet),
    });
  });

  test('comes before the other calls of its operation: delegates that are registered there stay', async () => {
    const wallet = await aWalletWithDelegate();
    const manage = {
      to: wallet.address,
      value: 0n,
      data: swapOwner(wallet, anAccount('owner with his delegates')),
    };
    for (const calls of [
      [toModule(encodeBumpEpoch()), toModule(encodeAddSigner(unscoped, 1))],
      [manage, toModule(encodeAddSigner(unscoped, 2))],
    ]) {
      const [op, signature] = await signed(wallet, { calls, callGas: 300_000n });
      expect(await execute(chain, op, signature)).toMatchObject({ success: true });
      expect(
        await executeAs(chain, wallet, delegate, [transferCall(chain.token, recipient, 1n)]),
      ).toMatchObject({ success: true });
    }
    expect(await readEpoch(chain, wallet, delegate)).toBe(operationEpoch(2, 3));
  });
});

describe('a simulation', () => {
  test('names the epoch that the operation has to have, of the admin and of a delegate', async () => {
    const wallet = await aWalletWithDelegate();
    expect(await simulate(chain, anOperation(chain, wallet))).toMatchObject({
      success: true,
      epoch: 0n,
    });
    await bump(wallet);
    expect(await simulate(chain, anOperation(chain, wallet))).toMatchObject({
      success: true,
      epoch: operationEpoch(1),
    });
  });
});
