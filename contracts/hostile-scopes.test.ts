import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  encodeAddSigner,
  encodeRemoveSigner,
  encodeWalletSetup,
  nativeToken,
  safeAbi,
  walletModuleAbi,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  balanceOf,
  deploy,
  execute,
  executeData,
  isNonceUsed,
  readSigner,
  recipient,
  sign,
  startTestChain,
  submit,
  type TestChain,
  type TestWallet,
  transferCall,
} from './test/chain.ts';
import { aDelegateOperation, anEcdsaSigner, executeAs, signAs } from './test/delegates.ts';
import { describeError, describeRevert } from './test/errors.ts';
import {
  aHostile,
  readReentries,
  setReentry,
  testArtifact,
  throughHostile,
} from './test/hostile.ts';

/** Tokens and payees that misbehave while a delegate spends. */

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const delegate = anEcdsaSigner(anAccount('delegate'));
const thief = anAccount('thief');
const thiefKey = { kind: 'ecdsa', address: thief.address } as const;
const day = 86_400;
const limit = 100n;

async function aToken(name: 'HostileToken' | 'FeeToken' | 'OddToken'): Promise<Address> {
  return deploy(chain, testArtifact(name));
}

/** A wallet with 1,000 of the token whose delegate may spend 100 a day of it. */
async function aWalletWith(token: Address): Promise<TestWallet> {
  const wallet = await aWallet(chain, {
    delegates: [{ signer: delegate.key, scopes: [{ token, limit, interval: day }] }],
    deployed: true,
  });
  const data = encodeFunctionData({
    abi: parseAbi(['function mint(address, uint256)']),
    functionName: 'mint',
    args: [wallet.address, 1_000n],
  });
  await submit(chain, { to: token, data });
  return wallet;
}

async function set(
  contract: Address,
  artifact: Parameters<typeof testArtifact>[0],
  functionName: string,
  args: readonly unknown[],
) {
  await submit(chain, {
    to: contract,
    data: encodeFunctionData({ abi: testArtifact(artifact).abi, functionName, args }),
  });
}

async function readAvailable(wallet: TestWallet): Promise<bigint | undefined> {
  return (await readSigner(chain, wallet, delegate.key)).scopes[0]?.available;
}

/** An operation of the delegate with gas for a second one inside. */
async function signedSpend(wallet: TestWallet, token: Address, amount: bigint, callGas = 900_000n) {
  const op = aDelegateOperation(chain, wallet, delegate, {
    calls: [transferCall(token, recipient, amount)],
    callGas,
  });
  return { op, signature: await signAs(chain, delegate, op, [0]) };
}

async function anIntruder(
  token: Address,
  payload: Hex,
  mode: 'reenter' | 'reenterAndRevert' = 'reenter',
): Promise<Address> {
  const hook = await aHostile(chain, 'accept');
  await setReentry(chain, hook, addresses.walletModule, payload, mode);
  await set(token, 'HostileToken', 'setHook', [hook]);
  return hook;
}

describe('a token that calls back in the middle of a transfer', () => {
  test('finds the limit taken already: what would exceed it is refused', async () => {
    const token = await aToken('HostileToken');
    const wallet = await aWalletWith(token);
    const inner = await signedSpend(wallet, token, 41n, 200_000n);
    const hook = await anIntruder(token, executeData(inner.op, inner.signature));
    const outer = await signedSpend(wallet, token, 60n);
    expect(await execute(chain, outer.op, outer.signature)).toMatchObject({ success: true });
    expect(await readReentries(chain, hook)).toEqual({ tried: 1n, succeeded: 0n });
    expect([await balanceOf(chain, wallet.address, token), await readAvailable(wallet)]).toEqual([
      940n,
      40n,
    ]);
    expect(await isNonceUsed(chain, inner.op)).toBe(false);
  });

  test('may spend what is left, once', async () => {
    const token = await aToken('HostileToken');
    const wallet = await aWalletWith(token);
    const inner = await signedSpend(wallet, token, 40n, 200_000n);
    const hook = await anIntruder(token, executeData(inner.op, inner.signature));
    const outer = await signedSpend(wallet, token, 60n);
    expect(await execute(chain, outer.op, outer.signature)).toMatchObject({ success: true });
    expect((await readReentries(chain, hook)).succeeded).toBe(1n);
    expect([await balanceOf(chain, wallet.address, token), await readAvailable(wallet)]).toEqual([
      900n,
      0n,
    ]);
    expect(
      (await executeAs(chain, wallet, delegate, [transferCall(token, recipient, 1n)], [0])).status,
    ).toBe('reverted');
  });

  test('and fails, takes back what it spent inside: nothing moved, and the whole limit is there', async () => {
    const token = await aToken('HostileToken');
    const wallet = await aWalletWith(token);
    const inner = await signedSpend(wallet, token, 40n, 200_000n);
    const hook = await anIntruder(
      token,
      executeData(inner.op, inner.signature),
      'reenterAndRevert',
    );
    const outer = await signedSpend(wallet, token, 60n);
    expect(await execute(chain, outer.op, outer.signature)).toMatchObject({ success: false });
    expect((await readReentries(chain, hook)).tried).toBe(0n);
    expect([await balanceOf(chain, wallet.address, token), await readAvailable(wallet)]).toEqual([
      1_000n,
      limit,
    ]);
    expect([await isNonceUsed(chain, outer.op), await isNonceUsed(chain, inner.op)]).toEqual([
      true,
      false,
    ]);
  });

  test('cannot run the frame of transfers itself', async () => {
    const token = await aToken('HostileToken');
    const wallet = await aWalletWith(token);
    const args = [wallet.address, [transferCall(token, thief.address, 1n)], 512n] as const;
    for (const functionName of ['runTransfersAtomically', 'runCallsAtomically'] as const) {
      const hook = await anIntruder(
        token,
        encodeFunctionData({ abi: walletModuleAbi, functionName, args }),
      );
      const outer = await signedSpend(wallet, token, 1n);
      expect(await execute(chain, outer.op, outer.signature)).toMatchObject({ success: true });
      expect(await readReentries(chain, hook)).toEqual({ tried: 1n, succeeded: 0n });
    }
    expect(await balanceOf(chain, thief.address, token)).toBe(0n);
  });

  test('that submits the admin’s removal of the delegate ends its next operation, not the running one', async () => {
    const token = await aToken('HostileToken');
    const wallet = await aWalletWith(token);
    const removal = anOperation(chain, wallet, {
      calls: [{ to: addresses.walletModule, value: 0n, data: encodeRemoveSigner(delegate.key) }],
    });
    await anIntruder(token, executeData(removal, await sign(chain, wallet, removal)));
    const outer = await signedSpend(wallet, token, 60n);
    expect(await execute(chain, outer.op, outer.signature)).toMatchObject({ success: true });
    expect(
      (await executeAs(chain, wallet, delegate, [transferCall(token, recipient, 1n)], [0])).error,
    ).toContain('UnknownSigner');
  });
});

test('however little gas is sent: an operation is refused and uses up nothing, or its failure gives every budget back', {
  tags: 'slow',
}, async () => {
  const token = await aToken('HostileToken');
  const wallet = await aWalletWith(token);
  await set(token, 'HostileToken', 'setHook', [await aHostile(chain, 'eatGas')]);
  // The whole limit, and so many calls that giving back what they took needs gas of its own.
  const calls = Array.from({ length: 150 }, (_, index) =>
    transferCall(token, recipient, index < 100 ? 1n : 0n),
  );
  const op = aDelegateOperation(chain, wallet, delegate, { calls, callGas: 300_000n });
  const data = executeData(
    op,
    await signAs(
      chain,
      delegate,
      op,
      calls.map(() => 0),
    ),
  );
  const outcomeAt = async (gas: bigint) => {
    const answer = await chain.client
      .call({ to: addresses.walletModule, data, gas })
      .catch(describeError);
    if (typeof answer === 'string') return answer;
    return String(
      decodeFunctionResult({
        abi: walletModuleAbi,
        functionName: 'execute',
        data: answer.data ?? '0x',
      })[0],
    );
  };
  let [refused, runs] = [500_000n, 4_000_000n];
  while (runs - refused > 500n) {
    const gas = (refused + runs) / 2n;
    if ((await outcomeAt(gas)) === 'false') runs = gas;
    else refused = gas;
  }
  expect(await outcomeAt(refused)).toBe('InsufficientGas(300000)');
  expect(await submit(chain, { to: addresses.walletModule, data, gas: runs })).toMatchObject({
    status: 'success',
  });
  expect([await isNonceUsed(chain, op), await readAvailable(wallet)]).toEqual([true, limit]);
});

describe('a token', () => {
  const word = (value: bigint) => numberToHex(value, { size: 32 });
  test.each<[string, Hex]>([
    ['true', word(1n)],
    ['nothing, as tokens older than the standard', '0x'],
    ['true and more behind it', `${word(1n)}ff` as Hex],
  ])('that answers %s has confirmed the transfer', async (_, answer) => {
    const token = await aToken('OddToken');
    const wallet = await aWalletWith(token);
    await set(token, 'OddToken', 'set', [answer, true]);
    expect(
      await executeAs(chain, wallet, delegate, [transferCall(token, recipient, 9n)], [0]),
    ).toMatchObject({ success: true });
    expect([await balanceOf(chain, wallet.address, token), await readAvailable(wallet)]).toEqual([
      991n,
      91n,
    ]);
  });

  test.each<[string, Hex]>([
    ['false', word(0n)],
    ['a number that is neither', word(2n)],
    ['less than a word', pad('0x01', { size: 31 })],
    ['false and true behind it', `${word(0n)}${word(1n).slice(2)}` as Hex],
  ])(
    'that answers %s has failed: what it moved is undone, with all before it, and the limit is as it was',
    async (_, answer) => {
      const token = await aToken('OddToken');
      const wallet = await aWalletWith(token);
      await set(token, 'OddToken', 'set', [answer, true]);
      for (const amounts of [[9n], [1n, 2n, 3n]]) {
        const calls = amounts.map((amount) => transferCall(token, recipient, amount));
        const { success, reason } = await executeAs(
          chain,
          wallet,
          delegate,
          calls,
          amounts.map(() => 0),
        );
        expect([success, describeRevert(reason ?? '0x')]).toEqual([
          false,
          `TransferNotConfirmed(${getAddress(token)})`,
        ]);
      }
      expect([await balanceOf(chain, wallet.address, token), await readAvailable(wallet)]).toEqual([
        1_000n,
        limit,
      ]);
    },
  );

  test('that is no contract has moved nothing', async () => {
    const token = getAddress(anAccount('no token').address);
    const wallet = await aWalletWith(token);
    const { success, reason } = await executeAs(
      chain,
      wallet,
      delegate,
      [transferCall(token, recipient, 9n)],
      [0],
    );
    expect([success, describeRevert(reason ?? '0x')]).toEqual([
      false,
      `TransferNotConfirmed(${token})`,
    ]);
    expect(await readAvailable(wallet)).toBe(limit);
  });

  test('that keeps a fee of what arrives: the limit is on what leaves the wallet', async () => {
    const token = await aToken('FeeToken');
    const wallet = await aWalletWith(token);
    const before = await balanceOf(chain, recipient, token);
    expect(
      await executeAs(chain, wallet, delegate, [transferCall(token, recipient, 100n)], [0]),
    ).toMatchObject({ success: true });
    expect([
      await balanceOf(chain, recipient, token),
      await balanceOf(chain, wallet.address, token),
    ]).toEqual([before + 90n, 900n]);
    expect(
      (await executeAs(chain, wallet, delegate, [transferCall(token, recipient, 1n)], [0])).status,
    ).toBe('reverted');
  });

  test('that takes a fee on top of what is sent: the limit is on the amount that the transfer names', async () => {
    const token = await aToken('FeeToken');
    await set(token, 'FeeToken', 'setOnTop', [true]);
    const wallet = await aWalletWith(token);
    expect(
      await executeAs(chain, wallet, delegate, [transferCall(token, recipient, 100n)], [0]),
    ).toMatchObject({ success: true });
    expect([await balanceOf(chain, wallet.address, token), await readAvailable(wallet)]).toEqual([
      890n,
      0n,
    ]);
  });
});

describe('whoever a delegate pays or calls', () => {
  const control = async (wallet: TestWallet) => ({
    code: await chain.client.getCode({ address: wallet.address }),
    owners: await chain.client.readContract({
      address: wallet.address,
      abi: safeAbi,
      functionName: 'getOwners',
    }),
    modules: await chain.client.readContract({
      address: wallet.address,
      abi: safeAbi,
      functionName: 'getModulesPaginated',
      args: [pad('0x01', { size: 20 }), 10n],
    }),
    thief: await readSigner(chain, wallet, thiefKey),
    module: await chain.client.getCode({ address: addresses.walletModule }),
    tokens: await balanceOf(chain, wallet.address),
  });

  test('and destroys itself in the call, takes nothing with it', async () => {
    const scopes = [{ token: nativeToken, limit, interval: day }];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes }],
      deployed: true,
    });
    const before = await control(wallet);
    // CALLER SELFDESTRUCT: sends back to the wallet what the wallet sends.
    const { receipt } = await submit(chain, { data: '0x6133ff6000526002601ef3' });
    const bomb = receipt.contractAddress ?? '0x';
    expect(await chain.client.getCode({ address: bomb })).toBe('0x33ff');
    expect(
      await executeAs(chain, wallet, delegate, [{ to: bomb, value: 60n, data: '0x' }], [0]),
    ).toMatchObject({ success: true });
    expect(await control(wallet)).toEqual(before);
    // What comes back does not fill the limit again.
    expect(
      await executeAs(chain, wallet, delegate, [{ to: bomb, value: 41n, data: '0x' }], [0]),
    ).toMatchObject({
      error: 'SpendingLimitExceeded(0,41,40)',
    });
    const unscoped = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [] }],
      deployed: true,
    });
    const hostile = await aHostile(chain, 'accept');
    const data = throughHostile('delegate', bomb, '0x');
    expect(
      await executeAs(chain, unscoped, delegate, [{ to: hostile, value: 0n, data }]),
    ).toMatchObject({ success: true });
    expect((await control(unscoped)).code).toBe(before.code);
  });

  test('and refuses the native currency, makes the operation fail with its reason, and the limit is as it was', async () => {
    const scopes = [{ token: nativeToken, limit, interval: day }];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes }],
      deployed: true,
    });
    const refuser = await aHostile(chain, 'revertWithReason');
    const pay = (to: Address) => ({ to, value: 10n, data: '0x' as const });
    const { success, reason } = await executeAs(
      chain,
      wallet,
      delegate,
      [pay(recipient), pay(refuser)],
      [0, 0],
    );
    expect([success, describeRevert(reason ?? '0x')]).toEqual([false, 'Unpleasant(42)']);
    expect([
      await readAvailable(wallet),
      await chain.client.getBalance({ address: wallet.address }),
    ]).toEqual([limit, 10n ** 18n]);
  });

  test('cannot make the thief a signer, an owner or a module, by no call back and no delegatecall', async () => {
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [] }],
      deployed: true,
    });
    const before = await control(wallet);
    const takeovers: [Address, Hex][] = [
      [addresses.walletModule, encodeAddSigner({ signer: thiefKey, scopes: [] })],
      [addresses.walletModule, encodeRemoveSigner(delegate.key)],
      [
        wallet.address,
        encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [thief.address] }),
      ],
      [
        wallet.address,
        encodeFunctionData({
          abi: safeAbi,
          functionName: 'addOwnerWithThreshold',
          args: [thief.address, 1n],
        }),
      ],
      [
        wallet.address,
        encodeFunctionData({
          abi: safeAbi,
          functionName: 'setFallbackHandler',
          args: [thief.address],
        }),
      ],
      [
        wallet.address,
        encodeFunctionData({
          abi: safeAbi,
          functionName: 'approveHash',
          args: [pad('0x01', { size: 32 })],
        }),
      ],
      [wallet.address, encodeWalletSetup({ owners: [thief.address], threshold: 1n })],
    ];
    const hostile = await aHostile(chain, 'accept');
    for (const [target, payload] of takeovers) {
      for (const how of ['forward', 'delegate'] as const) {
        const data = throughHostile(how, target, payload);
        const op = aDelegateOperation(chain, wallet, delegate, {
          calls: [{ to: hostile, value: 0n, data }],
          callGas: 600_000n,
        });
        expect(await execute(chain, op, await signAs(chain, delegate, op))).toMatchObject({
          success: true,
        });
      }
      // Straight at it: refused before anything runs.
      const direct = await executeAs(chain, wallet, delegate, [
        { to: target, value: 0n, data: payload },
      ]);
      expect(direct).toMatchObject({ status: 'reverted', error: `ForbiddenTarget(0,${target})` });
    }
    expect(await control(wallet)).toEqual(before);
    expect(await readSigner(chain, wallet, delegate.key)).toMatchObject({ active: true });
    // A contract that registers somebody registers it for itself.
    expect(await readSigner(chain, { address: hostile }, thiefKey)).toMatchObject({ active: true });
  });
});
