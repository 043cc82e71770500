import {
  type Address,
  concatHex,
  decodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  parseEther,
  size,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
  hashOperation,
  operationEpoch,
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
  executeOk,
  isNonceUsed,
  readExecuted,
  recipient,
  sign,
  simulate,
  startTestChain,
  submit,
  type TestChain,
  transferCall,
} from './test/chain.ts';
import { describeRevert } from './test/errors.ts';
import { aHostile, readReentries, setMode, setReentry, testArtifact } from './test/hostile.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const callTo = (to: Address, value = 0n, data: Hex = '0x') => ({ to, value, data });

async function aHostileToken(input: { hook?: Address; answersFalse?: boolean }): Promise<Address> {
  const { abi } = testArtifact('HostileToken');
  const token = await deploy(chain, testArtifact('HostileToken'));
  if (input.hook)
    await submit(chain, {
      to: token,
      data: encodeFunctionData({ abi, functionName: 'setHook', args: [input.hook] }),
    });
  if (input.answersFalse)
    await submit(chain, {
      to: token,
      data: encodeFunctionData({ abi, functionName: 'setAnswersFalse', args: [true] }),
    });
  return token;
}

describe('an operation the admin signed', () => {
  test('sends ERC-20 tokens, whoever submits it, and says so in an event', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet, {
      calls: [transferCall(chain.token, anAccount('payee').address, 250_000n)],
    });
    const { receipt } = await execute(chain, op, await sign(chain, wallet, op));
    expect(await balanceOf(chain, anAccount('payee').address)).toBe(250_000n);
    expect(readExecuted(receipt)).toEqual([
      {
        wallet: wallet.address,
        operationHash: hashOperation(chain.chainId, op),
        success: true,
        reason: '0x',
      },
    ]);
  });

  test('sends ether', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const payee = anAccount('ether payee').address;
    const op = anOperation(chain, wallet, { calls: [callTo(payee, parseEther('0.25'))] });
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      success: true,
    });
    expect(await chain.client.getBalance({ address: payee })).toBe(parseEther('0.25'));
    expect(await chain.client.getBalance({ address: wallet.address })).toBe(parseEther('0.75'));
  });

  test('runs several calls in order, all or none', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const [a, b] = [anAccount('first').address, anAccount('second').address];
    const good = anOperation(chain, wallet, {
      calls: [transferCall(chain.token, a, 5n), callTo(b, 7n), transferCall(chain.token, b, 6n)],
    });
    expect(await execute(chain, good, await sign(chain, wallet, good))).toMatchObject({
      success: true,
    });
    const bad = anOperation(chain, wallet, {
      calls: [
        transferCall(chain.token, a, 5n),
        callTo(b, 7n),
        transferCall(chain.token, b, 10n ** 30n),
      ],
    });
    const failed = await execute(chain, bad, await sign(chain, wallet, bad));
    expect(failed).toMatchObject({ status: 'success', success: false });
    expect(describeRevert(failed.reason ?? '0x')).toMatch(/^ERC20InsufficientBalance/);
    expect([
      await balanceOf(chain, a),
      await balanceOf(chain, b),
      await chain.client.getBalance({ address: b }),
    ]).toEqual([5n, 6n, 7n]);
  });

  test('without calls only uses up its nonce, which cancels another operation of that nonce', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet);
    const cancel = { ...op, calls: [] };
    expect(await execute(chain, cancel, await sign(chain, wallet, cancel))).toMatchObject({
      success: true,
    });
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      status: 'reverted',
      error: `NonceAlreadyUsed(${wallet.address},${op.nonce})`,
    });
  });

  test('of a token that answers false is a call that succeeded: the simulation shows the answer', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const token = await aHostileToken({ answersFalse: true });
    const op = anOperation(chain, wallet, { calls: [transferCall(token, recipient, 1n)] });
    expect(await simulate(chain, op)).toMatchObject({
      success: true,
      returnData: numberToHex(0, { size: 32 }),
    });
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      success: true,
    });
  });

  test('of a token that calls somebody during the transfer cannot be run again by them', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const hook = await aHostile(chain, 'accept');
    const token = await aHostileToken({ hook });
    await submit(chain, {
      to: token,
      data: encodeFunctionData({
        abi: testArtifact('HostileToken').abi,
        functionName: 'mint',
        args: [wallet.address, 10n],
      }),
    });
    const op = anOperation(chain, wallet, {
      calls: [transferCall(token, recipient, 4n)],
      callGas: 1_000_000n,
    });
    const signature = await sign(chain, wallet, op);
    await setReentry(chain, hook, addresses.walletModule, executeData(op, signature));
    expect(await execute(chain, op, signature)).toMatchObject({ success: true });
    expect(await readReentries(chain, hook)).toEqual({ tried: 1n, succeeded: 0n });
    expect(await balanceOf(chain, wallet.address, token)).toBe(6n);
  });

  test('may change the wallet itself', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const added = anAccount('added owner').address;
    const op = anOperation(chain, wallet, {
      calls: [
        callTo(
          wallet.address,
          0n,
          encodeFunctionData({
            abi: safeAbi,
            functionName: 'addOwnerWithThreshold',
            args: [added, 2n],
          }),
        ),
      ],
    });
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      success: true,
    });
    expect(
      await chain.client.readContract({
        address: wallet.address,
        abi: safeAbi,
        functionName: 'getOwners',
      }),
    ).toEqual([added, wallet.owners[0]?.address]);
    const next = anOperation(chain, wallet, { epoch: operationEpoch(1) });
    expect(await execute(chain, next, await sign(chain, wallet, next))).toMatchObject({
      status: 'reverted',
      error: 'Error(GS020)',
    });
  });

  test('by which the wallet cancels a nonce makes that nonce unusable', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet);
    const cancel = anOperation(chain, wallet, {
      calls: [
        callTo(
          addresses.walletModule,
          0n,
          encodeFunctionData({
            abi: walletModuleAbi,
            functionName: 'cancelNonce',
            args: [op.nonce],
          }),
        ),
      ],
    });
    expect(await execute(chain, cancel, await sign(chain, wallet, cancel))).toMatchObject({
      success: true,
    });
    expect(await isNonceUsed(chain, op)).toBe(true);
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      status: 'reverted',
    });
  });

  test('a nonce cancelled by anybody else is still the wallet’s', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet);
    await submit(chain, {
      to: addresses.walletModule,
      data: encodeFunctionData({
        abi: walletModuleAbi,
        functionName: 'cancelNonce',
        args: [op.nonce],
      }),
    });
    expect(await isNonceUsed(chain, op)).toBe(false);
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      success: true,
    });
  });

  test('nonces may come in any order, and neighbours in one slot do not disturb each other', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const base = 1_000_000n * 256n;
    for (const nonce of [base + 255n, base, base + 7n, base + 256n, 2n ** 256n - 1n]) {
      const op = anOperation(chain, wallet, { nonce });
      expect(await isNonceUsed(chain, op)).toBe(false);
      expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
        success: true,
      });
      expect(await isNonceUsed(chain, op)).toBe(true);
    }
  });
});

describe('time', () => {
  test('an operation is refused before validAfter and after validUntil, and runs on both of them', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const start = Number((await chain.client.getBlock()).timestamp) + 1_000;
    const op = anOperation(chain, wallet, { validAfter: start, validUntil: start + 100 });
    const other = anOperation(chain, wallet, { validAfter: start, validUntil: start + 100 });
    const late = anOperation(chain, wallet, { validAfter: start, validUntil: start + 100 });
    const at = async (timestamp: number, candidate: typeof op) => {
      await chain.client.setNextBlockTimestamp({ timestamp: BigInt(timestamp) });
      return execute(chain, candidate, await sign(chain, wallet, candidate));
    };
    expect(await at(start - 1, op)).toMatchObject({
      status: 'reverted',
      error: `OperationNotYetValid(${start})`,
    });
    expect(await isNonceUsed(chain, op)).toBe(false);
    expect(await at(start, op)).toMatchObject({ success: true });
    expect(await at(start + 100, other)).toMatchObject({ success: true });
    expect(await at(start + 101, late)).toMatchObject({
      status: 'reverted',
      error: `OperationExpired(${start + 100})`,
    });
    expect(await isNonceUsed(chain, late)).toBe(false);
  });
});

describe('an operation executes at most once', () => {
  test('a second submission is refused, also with another valid signature of the same operation', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet);
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      success: true,
    });
    for (const scheme of ['eip712', 'eip191'] as const) {
      expect(await execute(chain, op, await sign(chain, wallet, op, { scheme }))).toMatchObject({
        status: 'reverted',
        error: `NonceAlreadyUsed(${wallet.address},${op.nonce})`,
      });
    }
  });

  test('a failed operation never runs later, when its calls would succeed', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const hostile = await aHostile(chain, 'revertWithReason');
    const op = anOperation(chain, wallet, { calls: [callTo(hostile, 1n)] });
    const signature = await sign(chain, wallet, op);
    const failed = await execute(chain, op, signature);
    expect(failed).toMatchObject({ status: 'success', success: false });
    expect(describeRevert(failed.reason ?? '0x')).toBe('Unpleasant(42)');
    await setMode(chain, hostile, 'accept');
    expect(await execute(chain, op, signature)).toMatchObject({ status: 'reverted' });
    expect(await chain.client.getBalance({ address: hostile })).toBe(0n);
  });

  test.each([
    ['a single call', 1],
    ['one of several calls', 2],
  ])(
    're-entering the module with the same operation from %s does not run it again',
    async (_, count) => {
      const wallet = await aWallet(chain, { deployed: true });
      const hostile = await aHostile(chain, 'accept');
      const op = anOperation(chain, wallet, {
        calls: [
          ...(count > 1 ? [transferCall(chain.token, recipient, 1n)] : []),
          callTo(hostile, 3n),
        ],
        callGas: 1_000_000n,
      });
      const signature = await sign(chain, wallet, op);
      await setReentry(
        chain,
        hostile,
        addresses.walletModule,
        encodeFunctionData({
          abi: walletModuleAbi,
          functionName: 'execute',
          args: [op, signature],
        }),
      );
      const { receipt } = await execute(chain, op, signature);
      expect(readExecuted(receipt)).toHaveLength(1);
      expect(await readReentries(chain, hostile)).toEqual({ tried: 1n, succeeded: 0n });
      expect(await chain.client.getBalance({ address: hostile })).toBe(3n);
    },
  );

  test('another operation of the same nonce cannot run inside of one, and does not spoil it', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const hostile = await aHostile(chain, 'accept');
    const outer = anOperation(chain, wallet, { calls: [callTo(hostile, 2n)], callGas: 1_000_000n });
    const inner = anOperation(chain, wallet, {
      calls: [callTo(hostile, 3n)],
      callGas: 60_000n,
      nonce: outer.nonce,
    });
    await setReentry(
      chain,
      hostile,
      addresses.walletModule,
      executeData(inner, await sign(chain, wallet, inner)),
    );
    expect(await execute(chain, outer, await sign(chain, wallet, outer))).toMatchObject({
      success: true,
    });
    expect(await readReentries(chain, hostile)).toEqual({ tried: 1n, succeeded: 0n });
    expect(await chain.client.getBalance({ address: hostile })).toBe(2n);
  });

  test('another operation may run inside of one, and each of them counts once', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const hostile = await aHostile(chain, 'accept');
    const inner = anOperation(chain, wallet, {
      calls: [callTo(anAccount('inner payee').address, 11n)],
      callGas: 60_000n,
    });
    await setReentry(
      chain,
      hostile,
      addresses.walletModule,
      encodeFunctionData({
        abi: walletModuleAbi,
        functionName: 'execute',
        args: [inner, await sign(chain, wallet, inner)],
      }),
    );
    const outer = anOperation(chain, wallet, { calls: [callTo(hostile)], callGas: 1_000_000n });
    const { receipt } = await execute(chain, outer, await sign(chain, wallet, outer));
    expect(
      readExecuted(receipt).map(({ operationHash, success }) => [operationHash, success]),
    ).toEqual([
      [hashOperation(chain.chainId, inner), true],
      [hashOperation(chain.chainId, outer), true],
    ]);
    expect(await execute(chain, inner, await sign(chain, wallet, inner))).toMatchObject({
      status: 'reverted',
    });
  });
});

describe('what is not a wallet is refused', () => {
  const notWallets: [string, () => Promise<Address>][] = [
    ['an account without code', async () => anAccount('nobody home').address],
    ['a contract that accepts every call', () => aHostile(chain, 'accept')],
    ['the module itself', async () => addresses.walletModule],
    ['the singleton, which nobody can own', async () => addresses.safeSingleton],
  ];
  test.each(notWallets)('%s', async (_, find) => {
    const address = getAddress(await find());
    const wallet = await aWallet(chain);
    const op = anOperation(chain, { address });
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      status: 'reverted',
      error: `UnknownWallet(${address})`,
    });
  });

  test('a Safe whose code was changed, and that would answer the question for signatures with success', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const accepting = await aHostile(chain, 'accept');
    const op = anOperation(chain, wallet);
    const nobody = concatHex([adminSignerId, `0x${'11'.repeat(65)}`]);
    await chain.client.setStorageAt({
      address: wallet.address,
      index: 0,
      value: numberToHex(BigInt(accepting), { size: 32 }),
    });
    expect(await execute(chain, op, nobody)).toMatchObject({
      status: 'reverted',
      error: `UnknownWallet(${wallet.address})`,
    });
  });

  test('a wallet that disabled the module executes nothing', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, {
        calls: [
          callTo(
            wallet.address,
            0n,
            encodeFunctionData({
              abi: safeAbi,
              functionName: 'disableModule',
              args: [numberToHex(1, { size: 20 }), addresses.walletModule],
            }),
          ),
        ],
      }),
    );
    const op = anOperation(chain, wallet, { epoch: operationEpoch(1) });
    const result = await execute(chain, op, await sign(chain, wallet, op));
    expect(result).toMatchObject({ status: 'success', success: false });
    expect(describeRevert(result.reason ?? '0x')).toBe('Error(GS104)');
    expect(await balanceOf(chain, wallet.address)).toBe(1_000_000_000n);
  });
});

describe('what a call returns', () => {
  test('is answered as it is, up to 512 bytes', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const identity = '0x0000000000000000000000000000000000000004';
    for (const [length, answered] of [
      [5, 5],
      [600, 512],
    ] as const) {
      const op = anOperation(chain, wallet, {
        calls: [callTo(identity, 0n, `0x${'ab'.repeat(length)}`)],
      });
      const { data } = await chain.client.call({
        to: addresses.walletModule,
        data: executeData(op, await sign(chain, wallet, op)),
      });
      expect(decodeAbiParameters([{ type: 'bool' }, { type: 'bytes' }], data ?? '0x')).toEqual([
        true,
        `0x${'ab'.repeat(answered)}`,
      ]);
    }
  });
});

describe('gas', () => {
  test('too little gas for what was signed uses up nothing, at every amount, and enough executes', {
    tags: 'slow',
  }, async () => {
    const wallet = await aWallet(chain, { deployed: true });
    for (const calls of [
      [transferCall(chain.token, recipient, 1n)],
      [transferCall(chain.token, recipient, 1n), callTo(recipient, 1n)],
    ]) {
      const op = anOperation(chain, wallet, { calls, callGas: 400_000n });
      const signature = await sign(chain, wallet, op);
      for (let gas = 60_000n; gas <= 430_000n; gas += 10_000n) {
        expect(await execute(chain, op, signature, gas)).toMatchObject({ status: 'reverted' });
        expect(await isNonceUsed(chain, op)).toBe(false);
      }
      expect(await execute(chain, op, signature, 430_000n)).toMatchObject({
        error: 'InsufficientGas(400000)',
      });
      expect(await execute(chain, op, signature, 520_000n)).toMatchObject({ success: true });
    }
  });

  test('the calls get the gas that was signed, however much arrives', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const hostile = await aHostile(chain, 'eatGas');
    for (const calls of [[callTo(hostile)], [callTo(recipient), callTo(hostile)]]) {
      const op = anOperation(chain, wallet, { calls, callGas: 200_000n });
      const { receipt, success } = await execute(
        chain,
        op,
        await sign(chain, wallet, op),
        10_000_000n,
      );
      expect(success).toBe(false);
      expect(receipt.gasUsed).toBeGreaterThan(200_000n);
      expect(receipt.gasUsed).toBeLessThan(320_000n);
    }
  });

  test('more gas than exists cannot be asked for', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    for (const callGas of [2n ** 256n - 1n, 2n ** 255n, 10n ** 12n]) {
      const op = anOperation(chain, wallet, { callGas });
      expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
        status: 'reverted',
        error: `InsufficientGas(${callGas})`,
      });
    }
  });

  test.each(['revertBomb', 'returnBomb'] as const)(
    'a %s is cut to 512 bytes in the event and in what is returned',
    async (mode) => {
      const wallet = await aWallet(chain, { deployed: true });
      const hostile = await aHostile(chain, mode, 60_000n);
      for (const calls of [[callTo(hostile)], [callTo(recipient), callTo(hostile)]]) {
        const op = anOperation(chain, wallet, { calls, callGas: 1_500_000n });
        const result = await execute(chain, op, await sign(chain, wallet, op));
        expect(result).toMatchObject({ status: 'success', success: mode === 'returnBomb' });
        expect(size(result.reason ?? '0x')).toBe(mode === 'returnBomb' ? 0 : 512);
      }
    },
  );
});
