/** @module-tag slow */

import {
  type Address,
  concatHex,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  pad,
  slice,
  zeroAddress,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
  delegateNonce,
  encodeAddSigner,
  encodeBumpEpoch,
  encodeDelegateSignature,
  encodeRemoveSigner,
  hashOperation,
  operationEpoch,
  parseSignerEvents,
  safeAbi,
  signerIdOf,
  walletModuleAbi,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  type BatchItem,
  balanceOf,
  deploy,
  execute,
  executeBatch,
  executeData,
  executeOk,
  farFuture,
  isNonceUsed,
  readArtifact,
  readExecuted,
  readFailed,
  readSigner,
  recipient,
  sign,
  startTestChain,
  submit,
  type TestChain,
  transferCall,
} from './test/chain.ts';
import {
  aDelegateOperation,
  aDeviceSigner,
  addSigner,
  anEcdsaSigner,
  aPasskeySigner,
  aQuorumSigner,
  executeAs,
  readEpoch,
  removeSigner,
  signAs,
} from './test/delegates.ts';
import { describeError } from './test/errors.ts';
import { aHostile } from './test/hostile.ts';

/**
 * The delegate's key and an account that submits, and nothing else: no service is between them and
 * the chain.
 */

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const delegate = anEcdsaSigner(anAccount('delegate'));
const unscoped = { signer: delegate.key, scopes: [] };
const pay = (amount = 1n) => transferCall(chain.token, recipient, amount);
const aWalletWithDelegate = () => aWallet(chain, { delegates: [unscoped], deployed: true });
const now = async () => Number((await chain.client.getBlock()).timestamp);

describe('a delegate of each kind', () => {
  const kinds = {
    'an address by EIP-712': delegate,
    'an address by EIP-191': anEcdsaSigner(anAccount('delegate'), 'eip191'),
    'a device': aDeviceSigner('device'),
    'a passkey': aPasskeySigner('passkey'),
    'a passkey without user verification': aPasskeySigner('passkey', false, { flags: 0x01 }),
    'a quorum of an address, a device and a passkey': aQuorumSigner(2, [
      anEcdsaSigner(anAccount('member 1')),
      aDeviceSigner('member 2'),
      aPasskeySigner('member 3'),
    ]),
  };

  test.each(Object.entries(kinds))(
    '%s acts for the wallet, alone and in a batch',
    async (_, signer) => {
      const wallet = await aWallet(chain, {
        delegates: [{ signer: signer.key, scopes: [] }],
        deployed: true,
      });
      const before = await balanceOf(chain, recipient);
      expect(await executeAs(chain, wallet, signer, [pay(3n)])).toMatchObject({ success: true });
      expect(await executeAs(chain, wallet, signer, [pay(4n), pay(5n)])).toMatchObject({
        success: true,
      });
      const op = aDelegateOperation(chain, wallet, signer, { calls: [pay(6n)] });
      const item = {
        op,
        signature: await signAs(chain, signer, op),
        deployment: '0x' as const,
        gasLimit: 400_000n,
      };
      expect(readExecuted((await executeBatch(chain, [item])).receipt)).toMatchObject([
        { success: true },
      ]);
      expect(await balanceOf(chain, recipient)).toBe(before + 18n);
    },
  );

  test.each(Object.entries(kinds))(
    '%s that signed something else is refused, and so is what a stranger signed',
    async (_, signer) => {
      const wallet = await aWallet(chain, {
        delegates: [{ signer: signer.key, scopes: [] }],
        deployed: true,
      });
      const signed = aDelegateOperation(chain, wallet, signer);
      const op = { ...signed, calls: [pay(2n)] };
      const error = `InvalidSignature(${signerIdOf(signer.key)})`;
      expect(await execute(chain, op, await signAs(chain, signer, signed))).toMatchObject({
        status: 'reverted',
        error,
      });
      const stranger = anEcdsaSigner(anAccount('stranger'));
      const proof = slice(await signAs(chain, stranger, op), 32);
      expect(await execute(chain, op, concatHex([signerIdOf(signer.key), proof]))).toMatchObject({
        status: 'reverted',
        error,
      });
      expect(await isNonceUsed(chain, op)).toBe(false);
    },
  );
});

describe('a registration', () => {
  test('of a delegate that was never added does not exist', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    expect(await executeAs(chain, wallet, delegate, [pay()])).toMatchObject({
      status: 'reverted',
      error: `UnknownSigner(${wallet.address},${signerIdOf(delegate.key)})`,
    });
  });

  test('is read as it was made, with the wallet and later', async () => {
    const scopes = [
      {
        token: chain.token,
        recipients: [recipient, anAccount('b').address, recipient],
        limit: 50n,
        interval: 60,
      },
      { token: zeroAddress },
    ];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, validAfter: 5, validUntil: farFuture, scopes }],
      deployed: true,
    });
    const expected = {
      active: true,
      validAfter: 5,
      validUntil: farFuture,
      generation: 1,
      epoch: 0,
      scopes: [
        { token: chain.token, recipientCount: 2, limit: 50n, interval: 60, available: 50n },
        { token: zeroAddress, recipientCount: 0, interval: 0 },
      ],
    };
    expect(await readSigner(chain, wallet, delegate.key)).toEqual(expected);
    await addSigner(chain, wallet, unscoped);
    expect(await readSigner(chain, wallet, delegate.key)).toEqual({
      active: true,
      validAfter: 0,
      validUntil: 2 ** 48 - 1,
      generation: 2,
      epoch: 0,
      scopes: [],
    });
    await removeSigner(chain, wallet, delegate);
    expect(await readSigner(chain, wallet, delegate.key)).toMatchObject({
      active: false,
      generation: 3,
      scopes: [],
    });
  });

  test('is told in events, from which the registrations of a wallet can be read', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const scopes = [{ token: chain.token, limit: 5n, interval: 9, recipients: [recipient] }];
    const data = [
      encodeAddSigner({ signer: delegate.key, scopes }),
      encodeRemoveSigner(delegate.key),
    ];
    const calls = data.map((call) => ({ to: addresses.walletModule, value: 0n, data: call }));
    const { logs } = await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, { calls, callGas: 500_000n }),
    );
    const common = { wallet: wallet.address, signerId: signerIdOf(delegate.key) };
    expect(parseSignerEvents(logs).map(({ eventName, args }) => ({ eventName, args }))).toEqual([
      {
        eventName: 'SignerAdded',
        args: { ...common, generation: 1, validAfter: 0, validUntil: 2 ** 48 - 1, scopes },
      },
      { eventName: 'SignerRemoved', args: { ...common, generation: 2 } },
    ]);
  });

  test('can be made by nobody but the wallet: anybody else registers for itself', async () => {
    const wallet = await aWalletWithDelegate();
    const thief = anEcdsaSigner(anAccount('thief'));
    await submit(chain, {
      to: addresses.walletModule,
      data: encodeAddSigner({ signer: thief.key, scopes: [] }),
    });
    const removal = await submit(chain, {
      to: addresses.walletModule,
      data: encodeRemoveSigner(delegate.key),
    });
    expect(removal).toMatchObject({
      status: 'reverted',
      error: `UnknownSigner(${chain.accounts[0]},${signerIdOf(delegate.key)})`,
    });
    expect(await readSigner(chain, wallet, thief.key)).toMatchObject({ active: false });
    expect(await readSigner(chain, wallet, delegate.key)).toMatchObject({ active: true });
    expect((await executeAs(chain, wallet, thief, [pay()])).status).toBe('reverted');
  });

  test.each([
    ['the id of the admin', [adminSignerId, 0, 0, 1, []], 'InvalidSigner()'],
    ['an end before the beginning', [pad('0x05', { size: 32 }), 0, 2, 1, []], 'InvalidSigner()'],
    [
      'a scope of the module itself',
      [
        pad('0x05', { size: 32 }),
        0,
        0,
        1,
        [{ token: addresses.walletModule, limit: 1n, interval: 0, recipients: [] }],
      ],
      `ForbiddenToken(${addresses.walletModule})`,
    ],
    [
      'more scopes than a signature can name',
      [
        pad('0x05', { size: 32 }),
        0,
        0,
        1,
        Array.from({ length: 256 }, () => ({
          token: zeroAddress,
          limit: 1n,
          interval: 0,
          recipients: [],
        })),
      ],
      'TooManyScopes()',
    ],
  ] as const)('with %s is refused', async (_, args, error) => {
    const data = encodeFunctionData({ abi: walletModuleAbi, functionName: 'addSigner', args });
    expect(
      await submit(chain, { to: addresses.walletModule, data, gas: 20_000_000n }),
    ).toMatchObject({ status: 'reverted', error });
  });

  test('may be for one second, with as many scopes as a signature can name', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const at = (await now()) + 1_000;
    const data = encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'addSigner',
      args: [
        signerIdOf(delegate.key),
        0,
        at,
        at,
        Array.from({ length: 255 }, () => ({
          token: zeroAddress,
          limit: 1n,
          interval: 0,
          recipients: [],
        })),
      ],
    });
    await chain.client.impersonateAccount({ address: wallet.address });
    expect(
      await submit(chain, {
        to: addresses.walletModule,
        data,
        gas: 100_000_000n,
        from: wallet.address,
      }),
    ).toMatchObject({ status: 'success' });
    expect(await readSigner(chain, wallet, delegate.key)).toMatchObject({
      active: true,
      validAfter: at,
      validUntil: at,
      scopes: expect.objectContaining({ length: 255 }),
    });
  });

  test('lists up to 65,535 recipients: one more would be a list of nobody, which is everybody', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const add = (count: number) =>
      chain.client.call({
        account: wallet.address,
        to: addresses.walletModule,
        gas: 290_000_000n,
        data: encodeFunctionData({
          abi: walletModuleAbi,
          functionName: 'addSigner',
          args: [
            signerIdOf(delegate.key),
            0,
            0,
            farFuture,
            // The same one, since each new one takes a slot.
            [
              {
                token: zeroAddress,
                limit: 1n,
                interval: 0,
                recipients: Array(count).fill(recipient),
              },
            ],
          ],
        }),
      });
    await add(65_535);
    expect(describeError(await add(65_536).catch((error: unknown) => error))).toBe(
      'TooManyScopes()',
    );
  });

  test('tells whether a scope’s list has all of some recipients, until it is made again', async () => {
    const [listed, alsoListed, stranger] = ['a', 'b', 'c'].map((name) => anAccount(name).address);
    const scopes = [
      { token: chain.token, recipients: [listed!, alsoListed!] },
      { token: zeroAddress, recipients: [alsoListed!] },
    ];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes }],
      deployed: true,
    });
    const has = async (scope: number, ...recipients: readonly (Address | undefined)[]) =>
      chain.client.readContract({
        address: addresses.walletModule,
        abi: walletModuleAbi,
        functionName: 'areRecipients',
        args: [
          wallet.address,
          signerIdOf(delegate.key),
          BigInt(scope),
          recipients.flatMap((one) => one ?? []),
        ],
      });
    expect([
      await has(0),
      await has(0, listed, alsoListed),
      await has(1, alsoListed),
      await has(0, stranger),
      await has(0, listed, stranger),
      await has(1, listed),
      await has(2, alsoListed),
    ]).toEqual([true, true, true, false, false, false, false]);
    await addSigner(chain, wallet, { signer: delegate.key, scopes: [{ token: chain.token }] });
    expect(await has(0, listed)).toBe(false);
  });

  test('with a scope of the wallet itself is refused', async () => {
    const data = encodeAddSigner({
      signer: delegate.key,
      scopes: [{ token: chain.accounts[3] ?? '0x' }],
    });
    const submitted = await submit(chain, {
      to: addresses.walletModule,
      data,
      ...(chain.accounts[3] && { from: chain.accounts[3] }),
    });
    expect(submitted).toMatchObject({
      status: 'reverted',
      error: `ForbiddenToken(${chain.accounts[3]})`,
    });
  });

  test('ends with its removal, whatever was signed before', async () => {
    const wallet = await aWalletWithDelegate();
    const op = aDelegateOperation(chain, wallet, delegate);
    const signature = await signAs(chain, delegate, op);
    await removeSigner(chain, wallet, delegate);
    const error = `UnknownSigner(${wallet.address},${signerIdOf(delegate.key)})`;
    expect(await execute(chain, op, signature)).toMatchObject({ status: 'reverted', error });
    expect(await executeAs(chain, wallet, delegate, [pay()])).toMatchObject({
      status: 'reverted',
      error,
    });
  });

  test('that is repeated does not let a signature be used twice', async () => {
    const wallet = await aWalletWithDelegate();
    const op = aDelegateOperation(chain, wallet, delegate);
    const signature = await signAs(chain, delegate, op);
    expect(await execute(chain, op, signature)).toMatchObject({ success: true });
    await removeSigner(chain, wallet, delegate);
    await addSigner(chain, wallet, unscoped);
    expect(await execute(chain, op, signature)).toMatchObject({
      status: 'reverted',
      error: 'WrongEpoch(1,3)',
    });
    const again = { ...op, epoch: operationEpoch(0, 3) };
    expect(await execute(chain, again, await signAs(chain, delegate, again))).toMatchObject({
      status: 'reverted',
      error: `NonceAlreadyUsed(${wallet.address},${op.nonce})`,
    });
  });

  test('of one wallet is none of another', async () => {
    const wallet = await aWalletWithDelegate();
    const other = await aWallet(chain, { owners: wallet.owners, deployed: true });
    expect(await executeAs(chain, other, delegate, [pay()])).toMatchObject({
      status: 'reverted',
      error: `UnknownSigner(${other.address},${signerIdOf(delegate.key)})`,
    });
  });

  test('and what depends on it can stand in one batch, in this order only', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const register = anOperation(chain, wallet, {
      calls: [{ to: addresses.walletModule, value: 0n, data: encodeAddSigner(unscoped) }],
    });
    const use = aDelegateOperation(chain, wallet, delegate);
    const item = (op: typeof use, signature: Hex): BatchItem => ({
      op,
      signature,
      deployment: '0x',
      gasLimit: 400_000n,
    });
    const items = [
      item(register, await sign(chain, wallet, register)),
      item(use, await signAs(chain, delegate, use)),
    ] as const;
    const early = await executeBatch(chain, [items[1]]);
    expect(readFailed(early.receipt)).toHaveLength(1);
    const { receipt } = await executeBatch(chain, items);
    expect(
      readExecuted(receipt).map(({ operationHash, success }) => [operationHash, success]),
    ).toEqual([
      [hashOperation(chain.chainId, register), true],
      [hashOperation(chain.chainId, use), true],
    ]);
  });
});

describe('the time of a delegate', () => {
  test('has a first and a last second: before and after it is refused', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const [validAfter, validUntil] = [(await now()) + 1_000, (await now()) + 2_000];
    await addSigner(chain, wallet, { ...unscoped, validAfter, validUntil });
    const at = async (timestamp: number) => {
      await chain.client.setNextBlockTimestamp({ timestamp: BigInt(timestamp) });
      return executeAs(chain, wallet, delegate, [pay()]);
    };
    const id = signerIdOf(delegate.key);
    expect(await at(validAfter - 1)).toMatchObject({ status: 'reverted' });
    expect(await at(validAfter)).toMatchObject({ success: true });
    expect(await at(validUntil)).toMatchObject({ success: true });
    expect(await at(validUntil + 1)).toMatchObject({
      status: 'reverted',
      error: `SignerExpired(${id},${validUntil})`,
    });
    await addSigner(chain, wallet, { ...unscoped, validAfter: farFuture });
    expect(await executeAs(chain, wallet, delegate, [pay()])).toMatchObject({
      error: `SignerNotYetValid(${id},${farFuture})`,
    });
  });

  test('may be over before the wallet is deployed, which does not keep the wallet from being deployed', async () => {
    const wallet = await aWallet(chain, {
      delegates: [{ ...unscoped, validUntil: 1 }],
      deployed: true,
    });
    expect(await executeAs(chain, wallet, delegate, [pay()])).toMatchObject({
      error: `SignerExpired(${signerIdOf(delegate.key)},1)`,
    });
  });
});

describe('a delegate without scopes', () => {
  test('calls whatever it likes but the wallet, the module and other modules of the wallet, at any place among its calls', async () => {
    const wallet = await aWalletWithDelegate();
    const other = getAddress(await aHostile(chain, 'accept'));
    const enable = encodeFunctionData({
      abi: safeAbi,
      functionName: 'enableModule',
      args: [other],
    });
    expect(
      await executeAs(chain, wallet, delegate, [{ to: other, value: 5n, data: '0x1234' }]),
    ).toMatchObject({ success: true });
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, { calls: [{ to: wallet.address, value: 0n, data: enable }] }),
    );
    await addSigner(chain, wallet, unscoped);
    for (const target of [wallet.address, addresses.walletModule, other]) {
      const call = { to: target, value: 0n, data: '0x' as const };
      expect(await executeAs(chain, wallet, delegate, [call])).toMatchObject({
        status: 'reverted',
        error: `ForbiddenTarget(0,${target})`,
      });
      expect(await executeAs(chain, wallet, delegate, [pay(), pay(), call])).toMatchObject({
        error: `ForbiddenTarget(2,${target})`,
      });
    }
  });

  test('names no scopes', async () => {
    const wallet = await aWalletWithDelegate();
    expect(await executeAs(chain, wallet, delegate, [pay()], [0])).toMatchObject({
      status: 'reverted',
      error: 'ScopesMismatch(0,1)',
    });
  });

  test('runs nothing through a wallet that disabled the module', async () => {
    const wallet = await aWalletWithDelegate();
    const disable = encodeFunctionData({
      abi: safeAbi,
      functionName: 'disableModule',
      args: [pad('0x01', { size: 20 }), addresses.walletModule],
    });
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, { calls: [{ to: wallet.address, value: 0n, data: disable }] }),
    );
    const tokens = await balanceOf(chain, wallet.address);
    const error = `UnknownSigner(${wallet.address},${signerIdOf(delegate.key)})`;
    expect(await executeAs(chain, wallet, delegate, [pay()])).toMatchObject({
      status: 'reverted',
      error,
    });
    expect(await balanceOf(chain, wallet.address)).toBe(tokens);
  });

  test('whose calls fail has used its nonce, and none of the calls happened', async () => {
    const wallet = await aWalletWithDelegate();
    const tokens = await balanceOf(chain, wallet.address);
    const op = aDelegateOperation(chain, wallet, delegate, { calls: [pay(), pay(10n ** 30n)] });
    expect(await execute(chain, op, await signAs(chain, delegate, op))).toMatchObject({
      success: false,
    });
    expect([await isNonceUsed(chain, op), await balanceOf(chain, wallet.address)]).toEqual([
      true,
      tokens,
    ]);
  });

  test('loses nothing to a submitter that sends too little gas', async () => {
    const wallet = await aWalletWithDelegate();
    const op = aDelegateOperation(chain, wallet, delegate, { callGas: 400_000n });
    const signature = await signAs(chain, delegate, op);
    expect(await execute(chain, op, signature, 300_000n)).toMatchObject({
      status: 'reverted',
      error: 'InsufficientGas(400000)',
    });
    expect(await execute(chain, op, signature)).toMatchObject({ success: true });
  });
});

describe('the nonces of a delegate', () => {
  test('start with its id: it cannot take those of the admin or of another delegate', async () => {
    const other = anEcdsaSigner(anAccount('other delegate'));
    const wallet = await aWallet(chain, {
      delegates: [unscoped, { signer: other.key, scopes: [] }],
      deployed: true,
    });
    const removal = anOperation(chain, wallet, {
      calls: [{ to: addresses.walletModule, value: 0n, data: encodeRemoveSigner(delegate.key) }],
    });
    for (const nonce of [removal.nonce, 0n, aDelegateOperation(chain, wallet, other).nonce]) {
      const op = aDelegateOperation(chain, wallet, delegate, { nonce, calls: [] });
      expect(await execute(chain, op, await signAs(chain, delegate, op))).toMatchObject({
        status: 'reverted',
        error: `ForeignNonce(${signerIdOf(delegate.key)},${nonce})`,
      });
    }
    expect(await execute(chain, removal, await sign(chain, wallet, removal))).toMatchObject({
      success: true,
    });
  });

  test('let what a key signed run once, though it is owner, delegate and member of a quorum', async () => {
    const account = anAccount('of many roles');
    const single = anEcdsaSigner(account);
    const quorum = aQuorumSigner(1, [single, anEcdsaSigner(anAccount('member'))]);
    const delegates = [single, quorum].map(({ key }) => ({ signer: key, scopes: [] }));
    const wallet = await aWallet(chain, { owners: [account], delegates, deployed: true });
    const tokens = await balanceOf(chain, wallet.address);
    for (const signer of [undefined, single, quorum]) {
      const op = signer ? aDelegateOperation(chain, wallet, signer) : anOperation(chain, wallet);
      const ways = [
        await sign(chain, wallet, op),
        await signAs(chain, single, op),
        await signAs(chain, quorum, op),
      ];
      for (const signature of ways) await execute(chain, op, signature);
    }
    expect(await balanceOf(chain, wallet.address)).toBe(tokens - 3n);
  });

  test('are used up by one execution', async () => {
    const wallet = await aWalletWithDelegate();
    const op = aDelegateOperation(chain, wallet, delegate);
    const signature = await signAs(chain, delegate, op);
    expect(await execute(chain, op, signature)).toMatchObject({ success: true });
    expect(await execute(chain, op, signature)).toMatchObject({
      status: 'reverted',
      error: `NonceAlreadyUsed(${wallet.address},${op.nonce})`,
    });
  });

  test('can be made unusable by the wallet', async () => {
    const wallet = await aWalletWithDelegate();
    const op = aDelegateOperation(chain, wallet, delegate);
    const cancel = encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'cancelNonce',
      args: [op.nonce],
    });
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, {
        calls: [{ to: addresses.walletModule, value: 0n, data: cancel }],
      }),
    );
    expect(await execute(chain, op, await signAs(chain, delegate, op))).toMatchObject({
      status: 'reverted',
    });
  });
});

describe('what a delegate signed is for one wallet, chain and module', () => {
  test('another wallet with the same delegate refuses it', async () => {
    const [wallet, other] = [await aWalletWithDelegate(), await aWalletWithDelegate()];
    const op = aDelegateOperation(chain, wallet, delegate);
    const error = `InvalidSignature(${signerIdOf(delegate.key)})`;
    expect(
      await execute(chain, { ...op, wallet: other.address }, await signAs(chain, delegate, op)),
    ).toMatchObject({
      status: 'reverted',
      error,
    });
  });

  test('another chain refuses it', async () => {
    const wallet = await aWalletWithDelegate();
    const op = aDelegateOperation(chain, wallet, delegate);
    const error = `InvalidSignature(${signerIdOf(delegate.key)})`;
    expect(await execute(chain, op, await signAs({ chainId: 8453 }, delegate, op))).toMatchObject({
      status: 'reverted',
      error,
    });
  });

  test('another module refuses it, although the wallet enabled it and registered the delegate there too', async () => {
    const wallet = await aWalletWithDelegate();
    const second = await deploy(chain, readArtifact('WalletModule'), [addresses.signerVerifier]);
    const calls = [
      {
        to: wallet.address,
        value: 0n,
        data: encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [second] }),
      },
      { to: addresses.walletModule, value: 0n, data: encodeAddSigner(unscoped, 1) },
      // The same epoch and generation as at the first module.
      { to: second, value: 0n, data: encodeBumpEpoch() },
      { to: second, value: 0n, data: encodeAddSigner(unscoped) },
      { to: second, value: 0n, data: encodeAddSigner(unscoped, 1) },
    ];
    await executeOk(chain, wallet, anOperation(chain, wallet, { calls, callGas: 400_000n }));
    const op = aDelegateOperation(chain, wallet, delegate, { epoch: operationEpoch(1, 2) });
    const signature = await signAs(chain, delegate, op);
    const error = `InvalidSignature(${signerIdOf(delegate.key)})`;
    expect(await submit(chain, { to: second, data: executeData(op, signature) })).toMatchObject({
      status: 'reverted',
      error,
    });
    expect(await execute(chain, op, signature)).toMatchObject({ success: true });
  });
});

describe('the form of a delegate’s signature', () => {
  test.each([
    ['nothing after the id', (id: Hex) => id, 'SignatureTooShort()'],
    [
      'fewer scope indexes than announced',
      (id: Hex) => concatHex([id, '0x0500']),
      'SignatureTooShort()',
    ],
    ['no proof', (id: Hex) => concatHex([id, '0x00']), 'InvalidSignature'],
    [
      'the id of somebody else in front',
      () => concatHex([pad('0x07', { size: 32 }), '0x00']),
      'UnknownSigner',
    ],
  ] as const)('%s is refused', async (_, signatureOf, error) => {
    const wallet = await aWalletWithDelegate();
    const submitted = await execute(
      chain,
      aDelegateOperation(chain, wallet, delegate),
      signatureOf(signerIdOf(delegate.key)),
    );
    expect(submitted.status).toBe('reverted');
    expect(submitted.error).toContain(error);
  });

  test('an id that is of no kind of key never signs, not even as an address', async () => {
    const account = anAccount('of no kind');
    const key = concatHex(['0x05', account.address]);
    const wallet = await aWallet(chain, {
      delegates: [{ signer: keccak256(key), scopes: [] }],
      deployed: true,
    });
    const op = anOperation(chain, wallet, {
      nonce: delegateNonce(keccak256(key), 1n),
      epoch: operationEpoch(0, 1),
    });
    const signature = await account.sign({ hash: hashOperation(chain.chainId, op) });
    expect(
      await execute(chain, op, concatHex([keccak256(key), '0x00', key, signature])),
    ).toMatchObject({
      status: 'reverted',
      error: `InvalidSignature(${keccak256(key)})`,
    });
  });

  test('a byte more than the proof makes it another one', async () => {
    const wallet = await aWalletWithDelegate();
    for (const signer of [delegate, aDeviceSigner('long')]) {
      await addSigner(chain, wallet, { signer: signer.key, scopes: [] });
      const op = aDelegateOperation(chain, wallet, signer, {
        epoch: await readEpoch(chain, wallet, signer),
      });
      const signature = encodeDelegateSignature({
        key: signer.key,
        proof: await signer.prove(hashOperation(chain.chainId, op)),
      });
      expect((await execute(chain, op, concatHex([signature, '0x00']))).error).toContain(
        'InvalidSignature',
      );
      expect(await execute(chain, op, signature)).toMatchObject({ success: true });
    }
  });
});
