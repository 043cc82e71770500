import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nativeToken, type TransferScopeInput } from './index.ts';
import {
  anAccount,
  aWallet,
  balanceOf,
  execute,
  isNonceUsed,
  readSigner,
  recipient,
  startTestChain,
  type TestChain,
  type TestWallet,
  transferCall,
} from './test/chain.ts';
import {
  aDelegateOperation,
  addSigner,
  anEcdsaSigner,
  executeAs,
  removeSigner,
  signAs,
} from './test/delegates.ts';
import { aHostile } from './test/hostile.ts';

/**
 * What a delegate with scopes may do, with the delegate's key and an account that submits, and no
 * service between.
 */

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const delegate = anEcdsaSigner(anAccount('delegate'));
const stranger = getAddress(anAccount('stranger').address);
const day = 86_400;
const pay = (amount: bigint, to: Address = recipient) => transferCall(chain.token, to, amount);
const payNative = (value: bigint, to: Address = recipient) => ({ to, value, data: '0x' as const });

function aScopedWallet(...scopes: readonly TransferScopeInput[]): Promise<TestWallet> {
  return aWallet(chain, { delegates: [{ signer: delegate.key, scopes }], deployed: true });
}

async function readAvailable(wallet: TestWallet, scope = 0): Promise<bigint | undefined> {
  return (await readSigner(chain, wallet, delegate.key)).scopes[scope]?.available;
}

/** Submits in a block of this second. */
async function executeAt(timestamp: number, wallet: TestWallet, amount: bigint) {
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(timestamp) });
  return executeAs(chain, wallet, delegate, [pay(amount)], [0]);
}

const now = async () => Number((await chain.client.getBlock()).timestamp);

describe('a spending limit', () => {
  test('lets pass what it says and not one unit more; what is refused uses up nothing', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n, interval: day });
    const tokens = await balanceOf(chain, wallet.address);
    const op = aDelegateOperation(chain, wallet, delegate, { calls: [pay(101n)] });
    expect(await execute(chain, op, await signAs(chain, delegate, op, [0]))).toMatchObject({
      status: 'reverted',
      error: 'SpendingLimitExceeded(0,101,100)',
    });
    expect([await isNonceUsed(chain, op), await readAvailable(wallet)]).toEqual([false, 100n]);
    expect(await executeAs(chain, wallet, delegate, [pay(100n)], [0])).toMatchObject({
      success: true,
    });
    expect(await balanceOf(chain, wallet.address)).toBe(tokens - 100n);
  });

  test('counts parts, in one operation and in several', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n, interval: day });
    expect(await executeAs(chain, wallet, delegate, [pay(60n), pay(41n)], [0, 0])).toMatchObject({
      error: 'SpendingLimitExceeded(1,41,40)',
    });
    expect(await executeAs(chain, wallet, delegate, [pay(60n)], [0])).toMatchObject({
      success: true,
    });
    expect(await executeAs(chain, wallet, delegate, [pay(41n)], [0])).toMatchObject({
      error: 'SpendingLimitExceeded(0,41,40)',
    });
    expect(await executeAs(chain, wallet, delegate, [pay(20n), pay(20n)], [0, 0])).toMatchObject({
      success: true,
    });
    expect(await readAvailable(wallet)).toBe(0n);
  });

  test('is there again when its interval, which starts with the first spend, is over, and not a second before', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n, interval: day });
    const start = (await now()) + 7 * day + 123;
    expect(await executeAt(start, wallet, 1n)).toMatchObject({ success: true });
    expect((await readSigner(chain, wallet, delegate.key)).scopes).toMatchObject([
      { available: 99n, windowEnd: start + day },
    ]);
    expect(await executeAt(start + day - 2, wallet, 99n)).toMatchObject({ success: true });
    expect(await executeAt(start + day - 1, wallet, 1n)).toMatchObject({
      status: 'reverted',
      error: expect.stringContaining('SpendingLimit'),
    });
    expect(await executeAt(start + day, wallet, 100n)).toMatchObject({ success: true });
    expect(await executeAt(start + 2 * day - 1, wallet, 1n)).toMatchObject({ status: 'reverted' });
    expect(await executeAt(start + 2 * day, wallet, 100n)).toMatchObject({ success: true });
  });

  test('of no interval is for ever', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n });
    const start = (await now()) + 1_000;
    expect(await executeAt(start, wallet, 100n)).toMatchObject({ success: true });
    const later = await executeAt(start + 3_000 * day, wallet, 1n);
    expect(later).toMatchObject({ status: 'reverted', error: 'SpendingLimitExceeded(0,1,0)' });
  });

  test('of the longest interval holds too', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n, interval: 2 ** 32 - 1 });
    expect(await executeAs(chain, wallet, delegate, [pay(100n)], [0])).toMatchObject({
      success: true,
    });
    expect(await executeAs(chain, wallet, delegate, [pay(1n)], [0])).toMatchObject({
      status: 'reverted',
    });
  });

  test('is not opened by a transfer of nothing', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n, interval: day });
    const start = (await now()) + 1_000;
    expect(await executeAt(start, wallet, 0n)).toMatchObject({ success: true });
    expect(await executeAt(start + 10, wallet, 100n)).toMatchObject({ success: true });
    expect(await executeAt(start + day, wallet, 1n)).toMatchObject({ status: 'reverted' });
    expect(await executeAt(start + day + 10, wallet, 1n)).toMatchObject({ success: true });
  });

  test('of nought lets nothing pass', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 0n });
    expect(await executeAs(chain, wallet, delegate, [pay(1n)], [0])).toMatchObject({
      error: 'SpendingLimitExceeded(0,1,0)',
    });
  });

  test('cannot be passed by an amount beyond all limits', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n, interval: day });
    for (const amount of [2n ** 112n, 2n ** 112n + 5n, 2n ** 255n, 2n ** 256n - 1n])
      expect(
        await executeAs(chain, wallet, delegate, [pay(5n), pay(amount)], [0, 0]),
      ).toMatchObject({
        status: 'reverted',
        error: expect.stringContaining('SpendingLimit'),
      });
  });

  test('that there is none is no limit', async () => {
    const wallet = await aScopedWallet({ token: chain.token });
    expect(await executeAs(chain, wallet, delegate, [pay(900_000_000n)], [0])).toMatchObject({
      success: true,
    });
    expect(await executeAs(chain, wallet, delegate, [pay(2n ** 200n)], [0])).toMatchObject({
      success: false,
    });
  });

  test('is given back when a transfer fails, exactly as it was', async () => {
    const wallet = await aScopedWallet({
      token: chain.token,
      limit: 2_000_000_000n,
      interval: day,
    });
    const start = (await now()) + 1_000;
    expect(await executeAt(start, wallet, 5n)).toMatchObject({ success: true });
    const [before] = (await readSigner(chain, wallet, delegate.key)).scopes;
    expect(before).toMatchObject({ available: 1_999_999_995n, windowEnd: start + day });
    // More than the wallet has: the token refuses.
    expect(
      await executeAs(chain, wallet, delegate, [pay(1n), pay(1_500_000_000n), pay(2n)], [0, 0, 0]),
    ).toMatchObject({ success: false });
    expect((await readSigner(chain, wallet, delegate.key)).scopes).toEqual([before]);
    // When the window is over, a failure does not open another one.
    expect(await executeAt(start + 2 * day, wallet, 1_500_000_000n)).toMatchObject({
      success: false,
    });
    expect(await executeAt(start + 2 * day + 100, wallet, 2_000n)).toMatchObject({ success: true });
    expect((await readSigner(chain, wallet, delegate.key)).scopes).toMatchObject([
      { windowEnd: start + 3 * day + 100 },
    ]);
  });

  test('is given back when the calls run out of the gas they were signed with', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n, interval: day });
    const op = aDelegateOperation(chain, wallet, delegate, { calls: [pay(7n)], callGas: 20_000n });
    expect(await execute(chain, op, await signAs(chain, delegate, op, [0]))).toMatchObject({
      success: false,
    });
    expect(await readAvailable(wallet)).toBe(100n);
  });

  test('starts anew with a new registration, and the old one leaves nothing', async () => {
    const wallet = await aScopedWallet(
      { token: chain.token, limit: 100n },
      { token: nativeToken, limit: 5n },
    );
    expect(await executeAs(chain, wallet, delegate, [pay(100n)], [0])).toMatchObject({
      success: true,
    });
    await addSigner(chain, wallet, {
      signer: delegate.key,
      scopes: [{ token: chain.token, limit: 30n, recipients: [recipient] }],
    });
    expect(await executeAs(chain, wallet, delegate, [payNative(1n)], [1])).toMatchObject({
      error: 'UnknownScope(0,1)',
    });
    expect(await executeAs(chain, wallet, delegate, [pay(31n)], [0])).toMatchObject({
      error: 'SpendingLimitExceeded(0,31,30)',
    });
    await addSigner(chain, wallet, {
      signer: delegate.key,
      scopes: [{ token: chain.token, limit: 30n, recipients: [stranger] }],
    });
    expect(await executeAs(chain, wallet, delegate, [pay(1n)], [0])).toMatchObject({
      error: `ForbiddenRecipient(0,${getAddress(recipient)})`,
    });
    await removeSigner(chain, wallet, delegate);
    expect((await executeAs(chain, wallet, delegate, [pay(1n, stranger)], [0])).error).toContain(
      'UnknownSigner',
    );
  });

  test('of one delegate or wallet is not that of another', async () => {
    const scopes = [{ token: chain.token, limit: 100n }];
    const other = anEcdsaSigner(anAccount('other'));
    const delegates = [delegate, other].map(({ key }) => ({ signer: key, scopes }));
    const [a, b] = [
      await aWallet(chain, { delegates, deployed: true }),
      await aWallet(chain, { delegates, deployed: true }),
    ];
    for (const wallet of [a, b])
      for (const signer of [delegate, other])
        expect(await executeAs(chain, wallet, signer, [pay(100n)], [0])).toMatchObject({
          success: true,
        });
    for (const wallet of [a, b])
      for (const signer of [delegate, other])
        expect(await executeAs(chain, wallet, signer, [pay(1n)], [0])).toMatchObject({
          status: 'reverted',
        });
  });
});

describe('a scope', () => {
  test('names the recipients: another one is refused, a listed one is paid', async () => {
    const listed = anAccount('listed').address;
    const wallet = await aScopedWallet({
      token: chain.token,
      limit: 100n,
      recipients: [listed, recipient],
    });
    expect(await executeAs(chain, wallet, delegate, [pay(1n, stranger)], [0])).toMatchObject({
      status: 'reverted',
      error: `ForbiddenRecipient(0,${stranger})`,
    });
    expect(
      await executeAs(chain, wallet, delegate, [pay(1n, listed), pay(1n, stranger)], [0, 0]),
    ).toMatchObject({
      error: `ForbiddenRecipient(1,${stranger})`,
    });
    expect(
      await executeAs(chain, wallet, delegate, [pay(1n, listed), pay(1n)], [0, 0]),
    ).toMatchObject({ success: true });
  });

  test('names the token: another one is refused', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 100n });
    const other = await aHostile(chain, 'accept');
    const call = transferCall(other, recipient, 1n);
    expect(await executeAs(chain, wallet, delegate, [call], [0])).toMatchObject({
      status: 'reverted',
      error: `NotATransfer(0,${getAddress(chain.token)})`,
    });
  });

  test('is named for each call, and must be one of the signer’s', async () => {
    const wallet = await aScopedWallet(
      { token: chain.token, limit: 100n },
      { token: nativeToken, limit: 7n },
    );
    expect(await executeAs(chain, wallet, delegate, [pay(1n)])).toMatchObject({
      error: 'ScopesMismatch(1,0)',
    });
    expect(await executeAs(chain, wallet, delegate, [pay(1n), pay(1n)], [0])).toMatchObject({
      error: 'ScopesMismatch(2,1)',
    });
    expect(await executeAs(chain, wallet, delegate, [pay(1n)], [0, 0])).toMatchObject({
      error: 'ScopesMismatch(1,2)',
    });
    expect(await executeAs(chain, wallet, delegate, [pay(1n)], [2])).toMatchObject({
      error: 'UnknownScope(0,2)',
    });
    expect(await executeAs(chain, wallet, delegate, [pay(1n)], [1])).toMatchObject({
      error: `NotATransfer(0,${zeroAddress})`,
    });
    expect(
      await executeAs(chain, wallet, delegate, [pay(1n), payNative(7n), pay(2n)], [0, 1, 0]),
    ).toMatchObject({ success: true });
  });

  test('picked by whoever submits can only be one that allows the call, and a wrong one uses up nothing', async () => {
    const wallet = await aScopedWallet(
      { token: chain.token, limit: 100n },
      { token: chain.token, limit: 5n },
    );
    const op = aDelegateOperation(chain, wallet, delegate, { calls: [pay(50n)] });
    expect(await execute(chain, op, await signAs(chain, delegate, op, [1]))).toMatchObject({
      status: 'reverted',
    });
    expect(await execute(chain, op, await signAs(chain, delegate, op, [0]))).toMatchObject({
      success: true,
    });
  });

  const abi = parseAbi([
    'function approve(address spender, uint256 amount)',
    'function increaseAllowance(address spender, uint256 amount)',
    'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
    'function transferFrom(address from, address to, uint256 amount)',
    'function multicall(bytes[] calls)',
    'function send(address recipient, uint256 amount, bytes data)',
    'function transferAndCall(address to, uint256 amount)',
    'function mint(address to, uint256 amount)',
  ]);
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [recipient, 1n],
  });
  const word = pad('0x00', { size: 32 });
  test.each<[string, Hex]>([
    ['approve', encodeFunctionData({ abi, functionName: 'approve', args: [stranger, 1n] })],
    [
      'increaseAllowance',
      encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [stranger, 1n] }),
    ],
    [
      'permit',
      encodeFunctionData({
        abi,
        functionName: 'permit',
        args: [stranger, stranger, 1n, 1n, 27, word, word],
      }),
    ],
    [
      'transferFrom',
      encodeFunctionData({ abi, functionName: 'transferFrom', args: [stranger, stranger, 1n] }),
    ],
    ['multicall', encodeFunctionData({ abi, functionName: 'multicall', args: [[transfer]] })],
    [
      'send of ERC-777',
      encodeFunctionData({ abi, functionName: 'send', args: [stranger, 1n, '0x'] }),
    ],
    [
      'transferAndCall',
      encodeFunctionData({ abi, functionName: 'transferAndCall', args: [stranger, 1n] }),
    ],
    ['mint', encodeFunctionData({ abi, functionName: 'mint', args: [stranger, 1n] })],
    ['transfer with something behind it', concatHex([transfer, '0x00'])],
    ['transfer with a whole word behind it', concatHex([transfer, word])],
    ['transfer that is cut off', transfer.slice(0, -2) as Hex],
    [
      'transfer to a word that is no address',
      `${transfer.slice(0, 10)}01${transfer.slice(12)}` as Hex,
    ],
    [
      'transfer to a word that is a byte more than an address',
      `${transfer.slice(0, 32)}01${transfer.slice(34)}` as Hex,
    ],
    ['its selector alone', transfer.slice(0, 10) as Hex],
    ['nothing', '0x'],
  ])('of a token allows nothing but its transfer: %s is refused', async (_, data) => {
    const wallet = await aScopedWallet({ token: chain.token });
    const submitted = await executeAs(
      chain,
      wallet,
      delegate,
      [{ to: chain.token, value: 0n, data }],
      [0],
    );
    expect(submitted).toMatchObject({
      status: 'reverted',
      error: `NotATransfer(0,${getAddress(chain.token)})`,
    });
  });

  test('of a token allows no native value, neither with the transfer nor instead of it', async () => {
    const wallet = await aScopedWallet({ token: chain.token });
    const error = `NotATransfer(0,${getAddress(chain.token)})`;
    expect(
      await executeAs(chain, wallet, delegate, [{ ...pay(1n), value: 1n }], [0]),
    ).toMatchObject({ status: 'reverted', error });
    expect(await executeAs(chain, wallet, delegate, [payNative(1n)], [0])).toMatchObject({
      status: 'reverted',
      error,
    });
  });

  test('of the native currency allows a plain payment within limit and list, and nothing else', async () => {
    const wallet = await aScopedWallet({
      token: nativeToken,
      limit: 100n,
      interval: day,
      recipients: [recipient],
    });
    const error = `NotATransfer(0,${zeroAddress})`;
    expect(await executeAs(chain, wallet, delegate, [pay(1n)], [0])).toMatchObject({
      status: 'reverted',
      error,
    });
    expect(
      await executeAs(chain, wallet, delegate, [{ ...payNative(1n), data: '0x00' }], [0]),
    ).toMatchObject({
      status: 'reverted',
      error,
    });
    expect(await executeAs(chain, wallet, delegate, [payNative(0n)], [0])).toMatchObject({
      status: 'reverted',
      error,
    });
    expect(await executeAs(chain, wallet, delegate, [payNative(1n, stranger)], [0])).toMatchObject({
      error: `ForbiddenRecipient(0,${stranger})`,
    });
    const before = await chain.client.getBalance({ address: recipient });
    expect(
      await executeAs(chain, wallet, delegate, [payNative(60n), payNative(40n)], [0, 0]),
    ).toMatchObject({ success: true });
    expect(await executeAs(chain, wallet, delegate, [payNative(1n)], [0])).toMatchObject({
      error: 'SpendingLimitExceeded(0,1,0)',
    });
    expect(await chain.client.getBalance({ address: recipient })).toBe(before + 100n);
  });

  test('of the native currency does not reach the wallet, the module, or another module', async () => {
    const wallet = await aScopedWallet({ token: nativeToken });
    const submitted = await executeAs(
      chain,
      wallet,
      delegate,
      [payNative(1n, wallet.address)],
      [0],
    );
    expect(submitted).toMatchObject({
      status: 'reverted',
      error: `ForbiddenTarget(0,${wallet.address})`,
    });
  });

  test('lets an operation without calls do nothing', async () => {
    const wallet = await aScopedWallet({ token: chain.token, limit: 1n });
    expect(await executeAs(chain, wallet, delegate, [])).toMatchObject({ success: true });
  });
});
