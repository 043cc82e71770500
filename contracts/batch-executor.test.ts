import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  numberToHex,
  size,
  slice,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
  batchExecutorAbi,
  encodeDeployment,
  hashOperation,
  nativeToken,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  type BatchItem,
  balanceOf,
  batchData,
  deploy,
  execute,
  executeBatch,
  isNonceUsed,
  readArtifact,
  readExecuted,
  readFailed,
  recipient,
  sign,
  startTestChain,
  submit,
  type TestChain,
  type TestWallet,
  transferCall,
} from './test/chain.ts';
import { aDelegateOperation, anEcdsaSigner, signAs } from './test/delegates.ts';
import { describeRevert } from './test/errors.ts';
import { aHostile, readReentries, setReentry, testArtifact } from './test/hostile.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const callTo = (to: Address, value = 0n, data: Hex = '0x') => ({ to, value, data });

async function anItem(wallet: TestWallet, fields: Partial<BatchItem> = {}): Promise<BatchItem> {
  const op = fields.op ?? anOperation(chain, wallet);
  return {
    op,
    signature: await sign(chain, wallet, op),
    deployment: wallet.deployment,
    gasLimit: 600_000n,
    ...fields,
  };
}

/** What the batch would answer, asked as the relay asks before it sends. */
async function simulateBatch(items: readonly BatchItem[]) {
  const { result } = await chain.client.simulateContract({
    address: addresses.batchExecutor,
    abi: batchExecutorAbi,
    functionName: 'executeBatch',
    args: [items],
    account: chain.accounts[0],
  });
  return result;
}

describe('a batch', () => {
  test('executes operations of many wallets, deploys those that are missing, and answers for each', async () => {
    const payee = anAccount('batch payee').address;
    const wallets = [
      await aWallet(chain),
      await aWallet(chain, { deployed: true }),
      await aWallet(chain, {
        owners: [anAccount('b1'), anAccount('b2'), anAccount('b3')],
        threshold: 2n,
      }),
    ];
    const items = await Promise.all(
      wallets.map((wallet, index) =>
        anItem(wallet, {
          op: anOperation(chain, wallet, {
            calls: [transferCall(chain.token, payee, BigInt(index + 1))],
          }),
        }),
      ),
    );
    expect(
      (await simulateBatch(items)).map(({ executed, success }) => [executed, success]),
    ).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    const { status, receipt } = await executeBatch(chain, items);
    expect(status).toBe('success');
    expect(
      readExecuted(receipt).map(({ operationHash, success }) => [operationHash, success]),
    ).toEqual(items.map(({ op }) => [hashOperation(chain.chainId, op), true]));
    expect(await balanceOf(chain, payee)).toBe(6n);
    for (const { address } of wallets)
      expect(await chain.client.getCode({ address })).toBeDefined();
  });

  test('runs operations of one wallet in order, and deploys it once', async () => {
    const wallet = await aWallet(chain);
    const items = [await anItem(wallet), await anItem(wallet), await anItem(wallet)];
    const { receipt } = await executeBatch(chain, items);
    expect(readExecuted(receipt).map(({ success }) => success)).toEqual([true, true, true]);
  });

  test('hands on signatures of every length whole, also behind a deployment', async () => {
    const payee = anAccount('batch payee of long signatures').address;
    const delegate = anEcdsaSigner(anAccount('batch delegate'));
    // 9 scope indexes make a delegate's signature four words, with nothing behind its last byte.
    const scopes = [
      { token: chain.token, limit: 1_000n },
      { token: nativeToken, limit: 1_000n },
    ];
    for (const natives of [0, 1]) {
      const wallet = await aWallet(chain, { delegates: [{ signer: delegate.key, scopes }] });
      const calls = Array.from({ length: 9 }, (_, index) =>
        index < natives ? callTo(payee, 1n) : transferCall(chain.token, payee, 1n),
      );
      const op = aDelegateOperation(chain, wallet, delegate, { calls, callGas: 900_000n });
      const signature = await signAs(
        chain,
        delegate,
        op,
        calls.map((_, index) => (index < natives ? 1 : 0)),
      );
      expect(size(signature)).toBe(128);
      const item = await anItem(wallet, { op, signature, gasLimit: 3_000_000n });
      expect(readExecuted((await executeBatch(chain, [item])).receipt)).toMatchObject([
        { success: true },
      ]);
    }
    const wallet = await aWallet(chain, { deployed: true });
    for (const more of [0, 32, 64]) {
      const item = await anItem(wallet);
      // A Safe reads the signatures of its threshold and nothing behind them.
      const signature = concatHex([item.signature, `0x${'00'.repeat(more)}`]);
      expect(
        readExecuted((await executeBatch(chain, [{ ...item, signature }])).receipt),
      ).toMatchObject([{ success: true }]);
    }
  });

  test('of nothing does nothing', async () => {
    expect((await executeBatch(chain, [])).receipt.logs).toEqual([]);
  });

  test('the gas it reports per item is a limit that suffices with a margin', async () => {
    const [fresh, deployed] = [await aWallet(chain), await aWallet(chain, { deployed: true })];
    const items = [await anItem(fresh), await anItem(deployed)];
    const results = await simulateBatch(items);
    const limited = items.map((item, index) => ({
      ...item,
      gasLimit: ((results[index]?.gasUsed ?? 0n) * 13n) / 10n + item.op.callGas,
    }));
    expect(readExecuted((await executeBatch(chain, limited)).receipt)).toHaveLength(2);
  });
});

describe('an item that is refused', () => {
  const refusals: [string, (wallet: TestWallet) => Promise<BatchItem>, RegExp][] = [
    [
      'for its signature',
      async (wallet) =>
        anItem(wallet, { signature: concatHex([adminSignerId, `0x${'22'.repeat(64)}1b`]) }),
      /^Error\(GS026\)$/,
    ],
    [
      'for its time',
      async (wallet) => anItem(wallet, { op: anOperation(chain, wallet, { validUntil: 1 }) }),
      /^OperationExpired/,
    ],
    [
      'for too small a gas limit',
      async (wallet) => anItem(wallet, { gasLimit: 150_000n }),
      /^InsufficientGas/,
    ],
    ['for no gas at all', async (wallet) => anItem(wallet, { gasLimit: 0n }), /^empty$/],
    [
      'because its wallet is missing',
      async () => anItem(await aWallet(chain), { deployment: '0x' }),
      /^UnknownWallet/,
    ],
    [
      'because its deployment is of another wallet',
      async (wallet) =>
        anItem(await aWallet(chain), {
          deployment: encodeDeployment({
            owners: wallet.owners.map((owner) => owner.address),
            threshold: 1n,
            saltNonce: 10n ** 20n,
          }),
        }),
      /^WalletAddressMismatch/,
    ],
    [
      'because its deployment is garbage',
      async () => anItem(await aWallet(chain), { deployment: '0x1234' }),
      /^empty$/,
    ],
    [
      'because the deployment does not fit into its cap',
      async () => anItem(await aWallet(chain), { gasLimit: 100_000n }),
      /^empty$/,
    ],
    [
      'because its deployment lies about its length',
      async () =>
        anItem(await aWallet(chain), {
          deployment: concatHex([
            numberToHex(64, { size: 32 }),
            numberToHex(0, { size: 32 }),
            numberToHex(2n ** 255n, { size: 32 }),
          ]),
        }),
      /^Panic\(65\)$/,
    ],
    [
      'because the set-up fails',
      async () =>
        anItem(await aWallet(chain), {
          deployment: encodeAbiParameters(
            [{ type: 'bytes' }, { type: 'uint256' }],
            ['0xdeadbeef', 1n],
          ),
        }),
      /./,
    ],
  ];
  test.each(refusals)(
    '%s says why, uses up nothing, and leaves the others alone',
    async (name, make, reason) => {
      const [first, bad, last] = [
        await aWallet(chain, { deployed: true }),
        await aWallet(chain, { deployed: true }),
        await aWallet(chain),
      ];
      const items = [await anItem(first), await make(bad), await anItem(last)];
      const refused = items[1]?.op ?? anOperation(chain, bad);
      expect((await simulateBatch(items)).map(({ executed }) => executed)).toEqual([
        true,
        false,
        true,
      ]);
      const { receipt } = await executeBatch(chain, items);
      const failed = readFailed(receipt);
      // Whoever is refused for a reason of its deployment is not half deployed.
      if (/deployment/.test(name))
        expect(await chain.client.getCode({ address: refused.wallet })).toBeUndefined();
      expect(failed.map(({ index }) => index)).toEqual([1n]);
      expect(describeRevert(failed[0]?.reason ?? '0x')).toMatch(reason);
      expect(readExecuted(receipt).map(({ wallet, success }) => [wallet, success])).toEqual([
        [first.address, true],
        [last.address, true],
      ]);
      expect(await isNonceUsed(chain, refused)).toBe(false);
    },
  );

  test('because somebody was faster is told from one that never ran by the event of the other transaction', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const item = await anItem(wallet);
    await execute(chain, item.op, item.signature);
    const { receipt } = await executeBatch(chain, [item]);
    expect(describeRevert(readFailed(receipt)[0]?.reason ?? '0x')).toMatch(/^NonceAlreadyUsed/);
    expect(readExecuted(receipt)).toEqual([]);
  });

  test('twice in one batch runs once', async () => {
    const wallet = await aWallet(chain);
    const item = await anItem(wallet);
    const { receipt } = await executeBatch(chain, [item, item]);
    expect([readExecuted(receipt).length, readFailed(receipt).length]).toEqual([1, 1]);
  });
});

describe('a hostile item cannot block the others', () => {
  const hostiles: [string, () => Promise<BatchItem>][] = [
    ['eats its gas', () => callHostile('eatGas')],
    ['reverts with a bomb', () => callHostile('revertBomb', 60_000n)],
    ['returns a bomb', () => callHostile('returnBomb', 60_000n)],
    ['reverts with all the memory its gas can buy', () => callHostile('revertBomb', 500_000n)],
    ['re-enters the batch executor with the whole batch', async () => callHostile('reenter')],
    ['is a fake wallet that eats gas when asked who it is', () => callFake(1)],
    ['is a fake wallet that reverts with a bomb when asked for signatures', () => callFake(2)],
    ['is a fake wallet that eats gas when asked for signatures', () => callFake(3)],
    ['is a fake wallet that returns garbage', () => callFake(4)],
    ['is a fake wallet that returns a bomb', () => callFake(5)],
  ];

  test.each(hostiles)('when it %s', async (_, make) => {
    const [first, last] = [await aWallet(chain, { deployed: true }), await aWallet(chain)];
    const items = [await anItem(first), await make(), await anItem(last)];
    const { status, receipt } = await executeBatch(chain, items);
    expect(status).toBe('success');
    const executed = readExecuted(receipt);
    expect(
      executed
        .filter(({ wallet }) => wallet === first.address || wallet === last.address)
        .map(({ success }) => success),
    ).toEqual([true, true]);
    expect(receipt.gasUsed).toBeLessThan(600_000n * 3n + 300_000n);
  });

  async function callHostile(
    mode: 'eatGas' | 'revertBomb' | 'returnBomb' | 'reenter',
    bombLength = 0n,
  ): Promise<BatchItem> {
    const wallet = await aWallet(chain, { deployed: true });
    const hostile = await aHostile(chain, mode, bombLength);
    const item = await anItem(wallet, {
      op: anOperation(chain, wallet, { calls: [callTo(hostile)], callGas: 400_000n }),
    });
    if (mode === 'reenter')
      await setReentry(
        chain,
        hostile,
        addresses.batchExecutor,
        batchData([
          { ...item, gasLimit: 100_000n },
          { ...item, gasLimit: 100_000n },
        ]),
      );
    return item;
  }

  async function callFake(mode: number): Promise<BatchItem> {
    const address = await deploy(chain, testArtifact('FakeSafe'), [mode]);
    return {
      op: anOperation(chain, { address }),
      signature: adminSignerId,
      deployment: '0x',
      gasLimit: 600_000n,
    };
  }

  test.each([1, 2])(
    'by refusing with more bytes than are kept, as a fake wallet with %i calls',
    async (count) => {
      const { op, ...item } = await callFake(6);
      const { receipt } = await executeBatch(chain, [
        { op: { ...op, calls: Array.from({ length: count }, () => callTo(recipient)) }, ...item },
      ]);
      expect(readExecuted(receipt)).toMatchObject([
        { success: false, reason: `0x${'00'.repeat(512)}` },
      ]);
    },
  );

  test('by answering with less than a Safe does, as a fake wallet: that is no success', async () => {
    const { receipt } = await executeBatch(chain, [await callFake(7)]);
    expect(readExecuted(receipt)).toMatchObject([{ success: false, reason: '0x' }]);
  });

  test('by taking more than its cap: the cap holds for each item', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const hostile = await aHostile(chain, 'eatGas');
    for (const gasLimit of [300_000n, 1_000_000n]) {
      const item = await anItem(wallet, {
        op: anOperation(chain, wallet, { calls: [callTo(hostile)], callGas: gasLimit - 120_000n }),
        gasLimit,
      });
      const [result] = await simulateBatch([item]);
      expect(result).toMatchObject({ executed: true, success: false });
      expect(result?.gasUsed).toBeLessThanOrEqual(gasLimit + 5_000n);
      expect(result?.gasUsed).toBeGreaterThan(gasLimit - 120_000n);
    }
  });

  test('by deploying its wallet: deployment and operation have one cap together', async () => {
    const wallet = await aWallet(chain);
    const op = anOperation(chain, wallet, { callGas: 450_000n });
    const { receipt } = await executeBatch(chain, [await anItem(wallet, { op })]);
    expect(readFailed(receipt).map(({ reason }) => describeRevert(reason))).toEqual([
      'InsufficientGas(450000)',
    ]);
    const item = await anItem(wallet, { op, gasLimit: 900_000n });
    expect(readExecuted((await executeBatch(chain, [item])).receipt)).toMatchObject([
      { success: true },
    ]);
  });

  test('by running an honest operation again from inside its own', async () => {
    const [victim, attacker] = [
      await aWallet(chain, { deployed: true }),
      await aWallet(chain, { deployed: true }),
    ];
    const payee = anAccount('victim payee').address;
    const honest = await anItem(victim, {
      op: anOperation(chain, victim, {
        calls: [transferCall(chain.token, payee, 5n)],
        callGas: 100_000n,
      }),
      gasLimit: 400_000n,
    });
    const hostile = await aHostile(chain, 'accept');
    await setReentry(chain, hostile, addresses.batchExecutor, batchData([honest]));
    const attack = await anItem(attacker, {
      op: anOperation(chain, attacker, { calls: [callTo(hostile)], callGas: 900_000n }),
      gasLimit: 1_200_000n,
    });
    const { receipt } = await executeBatch(chain, [attack, honest]);
    expect(await readReentries(chain, hostile)).toEqual({ tried: 1n, succeeded: 1n });
    expect(readExecuted(receipt).filter(({ wallet }) => wallet === victim.address)).toHaveLength(1);
    expect(await balanceOf(chain, payee)).toBe(5n);
  });

  test('by failing an honest operation in a frame of its own that it reverts', async () => {
    const [victim, attacker] = [
      await aWallet(chain, { deployed: true }),
      await aWallet(chain, { deployed: true }),
    ];
    const honest = await anItem(victim, { gasLimit: 400_000n });
    const hostile = await aHostile(chain, 'accept');
    await setReentry(
      chain,
      hostile,
      addresses.batchExecutor,
      batchData([honest]),
      'reenterAndRevert',
    );
    const attack = await anItem(attacker, {
      op: anOperation(chain, attacker, { calls: [callTo(hostile)], callGas: 900_000n }),
      gasLimit: 1_200_000n,
    });
    const { receipt } = await executeBatch(chain, [attack, honest]);
    expect(readExecuted(receipt).map(({ wallet, success }) => [wallet, success])).toEqual([
      [attacker.address, false],
      [victim.address, true],
    ]);
  });
});

describe('short gas burns nobody', () => {
  test('at every amount of gas either everything is undone or every item got its cap', {
    tags: 'slow',
  }, async () => {
    const wallets = [
      await aWallet(chain, { deployed: true }),
      await aWallet(chain, { deployed: true }),
    ];
    const hostile = await aHostile(chain, 'eatGas');
    for (let gas = 80_000n; gas <= 1_400_000n; gas += 60_000n) {
      const items = await Promise.all(
        wallets.map((wallet, index) =>
          anItem(wallet, {
            deployment: '0x',
            gasLimit: 400_000n,
            op: anOperation(chain, wallet, {
              calls: [index === 0 ? callTo(hostile) : callTo(recipient, 1n)],
              callGas: 250_000n,
            }),
          }),
        ),
      );
      const { status, receipt, error } = await executeBatch(chain, items, gas);
      const used = await Promise.all(items.map(({ op }) => isNonceUsed(chain, op)));
      expect(used).toEqual(status === 'success' ? [true, true] : [false, false]);
      if (status === 'success')
        expect(readExecuted(receipt).map(({ success }) => success)).toEqual([false, true]);
      else expect(error).toMatch(/^InsufficientBatchGas|^empty|out of gas|OutOfGas|intrinsic/i);
    }
  });

  test('the error names the item that did not fit', async () => {
    const wallets = [
      await aWallet(chain, { deployed: true }),
      await aWallet(chain, { deployed: true }),
    ];
    const items = await Promise.all(
      wallets.map((wallet) => anItem(wallet, { gasLimit: 1_000_000n })),
    );
    expect(await executeBatch(chain, items, 1_090_000n)).toMatchObject({
      status: 'reverted',
      error: 'InsufficientBatchGas(1,1000000)',
    });
  });

  test('a call passes on 63 of 64 parts of the gas, which a high cap has to be found in', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const item = await anItem(wallet, { gasLimit: 32_000_000n });
    expect(await executeBatch(chain, [item], 32_200_000n)).toMatchObject({
      error: 'InsufficientBatchGas(0,32000000)',
    });
    expect((await executeBatch(chain, [item], 32_700_000n)).status).toBe('success');
  });
});

describe('the executor', () => {
  test('lets nobody but itself deploy in its frame, and takes no ether', async () => {
    const wallet = await aWallet(chain);
    expect(
      await submit(chain, {
        to: addresses.batchExecutor,
        data: encodeFunctionData({
          abi: batchExecutorAbi,
          functionName: 'deployWallet',
          args: [wallet.address, wallet.deployment],
        }),
      }),
    ).toMatchObject({ status: 'reverted', error: 'OnlySelf()' });
    expect(await submit(chain, { to: addresses.batchExecutor, value: 1n })).toMatchObject({
      status: 'reverted',
    });
  });

  test('cannot be deployed where there is no module', async () => {
    const { abi, bytecode } = readArtifact('BatchExecutor');
    expect(
      await submit(chain, { data: encodeDeployData({ abi, bytecode, args: [recipient] }) }),
    ).toMatchObject({
      status: 'reverted',
      error: 'ModuleNotDeployed()',
    });
  });

  test('refuses calldata in which the signature stands before the operation', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const item = await anItem(wallet, { deployment: '0x' });
    const canonical = batchData([item]);
    // The item begins behind selector, offset of the list, its length, and offset of the item.
    const start = 4 + 32 * 3;
    const wordAt = (index: number) =>
      Number(slice(canonical, start + 32 * index, start + 32 * (index + 1)));
    const parts = {
      op: slice(canonical, start + wordAt(0), start + wordAt(1)),
      signature: slice(canonical, start + wordAt(1), start + wordAt(2)),
      deployment: slice(canonical, start + wordAt(2)),
    };
    const inOrder = (order: readonly (keyof typeof parts)[]) => {
      const offsetOf = (part: keyof typeof parts) =>
        order.slice(0, order.indexOf(part)).reduce((sum, before) => sum + size(parts[before]), 128);
      return concatHex([
        slice(canonical, 0, start),
        ...(['op', 'signature', 'deployment'] as const).map((part) =>
          numberToHex(offsetOf(part), { size: 32 }),
        ),
        slice(canonical, start + 96, start + 128),
        ...order.map((part) => parts[part]),
      ]);
    };
    expect(inOrder(['op', 'signature', 'deployment'])).toBe(canonical);
    // The second ends the signature where the operation begins.
    for (const order of [
      ['signature', 'deployment', 'op'],
      ['deployment', 'signature', 'op'],
    ] as const)
      expect(
        await submit(chain, { to: addresses.batchExecutor, data: inOrder(order) }),
      ).toMatchObject({ status: 'reverted', error: 'NotInOrder()' });
    expect(await isNonceUsed(chain, item.op)).toBe(false);
    expect((await submit(chain, { to: addresses.batchExecutor, data: canonical })).status).toBe(
      'success',
    );
  });
});
