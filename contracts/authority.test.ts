import {
  type AbiFunction,
  type Address,
  concatHex,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  toBytes,
  zeroAddress,
} from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { walletSetupAbi } from './generated.ts';
import {
  addresses,
  adminSignerId,
  batchExecutorAbi,
  encodeAddSigner,
  encodeRemoveSigner,
  encodeWalletSetup,
  safeAbi,
  signatureHandlerAbi,
  signerIdOf,
  walletModuleAbi,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  balanceOf,
  batchData,
  executeBatch,
  executeData,
  executeOk,
  farFuture,
  readExecuted,
  readSigner,
  recipient,
  sign,
  startTestChain,
  submit,
  type TestChain,
  type TestWallet,
  transferCall,
} from './test/chain.ts';
import {
  aHostile,
  readReentries,
  setModeData,
  setReentry,
  throughHostile,
} from './test/hostile.ts';

/**
 * Nobody but the admin's threshold can call as the wallet, use the module for it, or enable a
 * module.
 */

let chain: TestChain;
let wallet: TestWallet;
const thief = anAccount('thief');
const thiefKey = { kind: 'ecdsa', address: thief.address } as const;
const delegateKey = { kind: 'ecdsa', address: anAccount('trusted delegate').address } as const;

beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());
beforeEach(async () => {
  wallet = await aWallet(chain, {
    owners: [anAccount('admin 1'), anAccount('admin 2')],
    threshold: 2n,
    delegates: [{ signer: delegateKey, scopes: [] }],
    deployed: true,
  });
});

const sentinel = pad('0x01', { size: 20 });
const steal = () => transferCall(chain.token, thief.address, 1_000n);

/** Everything that decides who controls the wallet, and what it owns. */
async function readControl() {
  const read = <const Name extends 'getOwners' | 'getThreshold' | 'nonce'>(functionName: Name) =>
    chain.client.readContract({ address: wallet.address, abi: safeAbi, functionName });
  const slot = (name: string) =>
    chain.client.getStorageAt({ address: wallet.address, slot: keccak256(toBytes(name)) });
  return {
    owners: await read('getOwners'),
    threshold: await read('getThreshold'),
    nonce: await read('nonce'),
    modules: await chain.client.readContract({
      address: wallet.address,
      abi: safeAbi,
      functionName: 'getModulesPaginated',
      args: [sentinel, 10n],
    }),
    singleton: await chain.client.getStorageAt({ address: wallet.address, slot: '0x0' }),
    handler: await slot('fallback_manager.handler.address'),
    guard: await slot('guard_manager.guard.address'),
    thief: await readSigner(chain, wallet, thiefKey),
    delegate: await readSigner(chain, wallet, delegateKey),
    tokens: await balanceOf(chain, wallet.address),
    ether: await chain.client.getBalance({ address: wallet.address }),
  };
}

/** What somebody would send to the wallet to take it over. */
function takeovers(): [string, Hex][] {
  const { to, value, data } = steal();
  return [
    [
      'execTransactionFromModule',
      encodeFunctionData({
        abi: safeAbi,
        functionName: 'execTransactionFromModule',
        args: [to, value, data, 0],
      }),
    ],
    [
      'execTransactionFromModuleReturnData',
      encodeFunctionData({
        abi: safeAbi,
        functionName: 'execTransactionFromModuleReturnData',
        args: [to, value, data, 1],
      }),
    ],
    [
      'enableModule',
      encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [thief.address] }),
    ],
    [
      'disableModule',
      encodeFunctionData({
        abi: safeAbi,
        functionName: 'disableModule',
        args: [sentinel, addresses.walletModule],
      }),
    ],
    [
      'addOwnerWithThreshold',
      encodeFunctionData({
        abi: safeAbi,
        functionName: 'addOwnerWithThreshold',
        args: [thief.address, 1n],
      }),
    ],
    [
      'changeThreshold',
      encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [1n] }),
    ],
    [
      'setFallbackHandler',
      encodeFunctionData({
        abi: safeAbi,
        functionName: 'setFallbackHandler',
        args: [thief.address],
      }),
    ],
    ['setup', encodeWalletSetup({ owners: [thief.address], threshold: 1n })],
    [
      'setUp (of WalletSetup)',
      encodeFunctionData({
        abi: walletSetupAbi,
        functionName: 'setUp',
        args: [
          [],
          [{ signerId: signerIdOf(thiefKey), validAfter: 0, validUntil: farFuture, scopes: [] }],
        ],
      }),
    ],
    ['addSigner (of the module)', encodeAddSigner({ signer: thiefKey, scopes: [] })],
    ['removeSigner (of the module)', encodeRemoveSigner(delegateKey)],
    [
      'execute (of the module)',
      executeData(anOperation(chain, wallet, { calls: [steal()] }), adminSignerId),
    ],
    [
      'cancelNonce (of the module)',
      encodeFunctionData({ abi: walletModuleAbi, functionName: 'cancelNonce', args: [1n] }),
    ],
    [
      'runCallsAtomically (of the module)',
      encodeFunctionData({
        abi: walletModuleAbi,
        functionName: 'runCallsAtomically',
        args: [wallet.address, [steal()], 512n],
      }),
    ],
    ['nothing', '0x'],
  ];
}

describe('control of a wallet stays with its admin', () => {
  test('whatever a stranger calls on it, directly', async () => {
    const before = await readControl();
    for (const [, data] of takeovers()) await submit(chain, { to: wallet.address, data });
    expect(await readControl()).toEqual(before);
  });

  test('whatever a contract calls on it, or delegatecalls of ours', async () => {
    const before = await readControl();
    const hostile = await aHostile(chain, 'accept');
    for (const [, data] of takeovers()) {
      await submit(chain, { to: hostile, data: throughHostile('forward', wallet.address, data) });
      for (const target of [
        addresses.walletModule,
        addresses.batchExecutor,
        addresses.walletSetup,
        addresses.signatureHandler,
        wallet.address,
      ]) {
        await submit(chain, { to: hostile, data: throughHostile('delegate', target, data) });
      }
    }
    expect(await readControl()).toEqual(before);
  });

  test('when a contract that runs the module’s code as its own names the wallet', async () => {
    const before = await readControl();
    const hostile = await aHostile(chain, 'accept');
    const data = encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'runCallsAtomically',
      args: [wallet.address, [steal()], 512n],
    });
    for (const how of ['forward', 'delegate'] as const)
      await submit(chain, { to: hostile, data: throughHostile(how, addresses.walletModule, data) });
    const own = encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'execute',
      args: [anOperation(chain, wallet, { calls: [steal()] }), adminSignerId],
    });
    await submit(chain, {
      to: hostile,
      data: throughHostile('delegate', addresses.walletModule, own),
    });
    expect(await readControl()).toEqual(before);
  });

  test('whatever a stranger calls on the module, the executor, the handler and the set-up', async () => {
    const before = await readControl();
    for (const target of [
      addresses.walletModule,
      addresses.batchExecutor,
      addresses.signatureHandler,
      addresses.walletSetup,
    ]) {
      for (const [, data] of takeovers()) await submit(chain, { to: target, data });
    }
    expect(await readControl()).toEqual(before);
  });

  test('when operations come with the signatures of others', async () => {
    const before = await readControl();
    const op = anOperation(chain, wallet, { calls: [steal()] });
    const hashApproval = (owner: Address) =>
      concatHex([pad(owner), numberToHex(0, { size: 32 }), '0x01']);
    const signatures = [
      await sign(chain, wallet, op, { by: [thief] }),
      await sign(chain, wallet, op, { by: [thief, anAccount('thief 2')] }),
      await sign(chain, wallet, op, { by: [anAccount('admin 1')] }),
      await sign(chain, wallet, op, { by: [anAccount('admin 1'), anAccount('admin 1')] }),
      await sign(chain, wallet, op, { by: [anAccount('admin 1'), thief] }),
      adminSignerId,
      concatHex([
        adminSignerId,
        hashApproval(wallet.owners[0]?.address ?? '0x'),
        hashApproval(wallet.owners[1]?.address ?? '0x'),
      ]),
      concatHex([
        adminSignerId,
        hashApproval(addresses.walletModule),
        hashApproval(addresses.walletModule),
      ]),
      concatHex([adminSignerId, hashApproval(sentinel), hashApproval(zeroAddress)]),
    ];
    for (const signature of signatures) {
      expect(
        (await submit(chain, { to: addresses.walletModule, data: executeData(op, signature) }))
          .status,
      ).toBe('reverted');
      expect(
        readExecuted(
          (
            await executeBatch(chain, [
              { op, signature, deployment: wallet.deployment, gasLimit: 500_000n },
            ])
          ).receipt,
        ),
      ).toEqual([]);
    }
    expect(await readControl()).toEqual(before);
  });

  test('when a target that the wallet calls calls back, in every way', async () => {
    const hostile = await aHostile(chain, 'accept');
    const before = await readControl();
    const runFrame = encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'runCallsAtomically',
      args: [wallet.address, [steal()], 512n],
    });
    const attacks: [Address, Hex][] = [
      ...takeovers().map(([, data]): [Address, Hex] => [wallet.address, data]),
      [addresses.walletModule, runFrame],
      [addresses.batchExecutor, batchData([])],
    ];
    for (const [target, payload] of attacks) {
      await setReentry(chain, hostile, target, payload);
      await executeOk(
        chain,
        wallet,
        anOperation(chain, wallet, {
          calls: [
            { to: recipient, value: 0n, data: '0x' },
            { to: hostile, value: 0n, data: '0x' },
          ],
          callGas: 500_000n,
        }),
      );
    }
    expect((await readReentries(chain, hostile)).tried).toBe(BigInt(attacks.length));
    expect(await readControl()).toEqual(before);
  });

  test('when somebody else set up the proxy first: the same address can only be the same set-up', async () => {
    const fresh = await aWallet(chain);
    const proxy = parseAbi([
      'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)',
    ]);
    const initializer = encodeWalletSetup({ owners: [thief.address], threshold: 1n });
    const { result } = await chain.client.simulateContract({
      address: addresses.safeProxyFactory,
      abi: proxy,
      functionName: 'createProxyWithNonce',
      args: [addresses.safeSingleton, initializer, 1n],
    });
    expect(result).not.toBe(fresh.address);
    await executeOk(chain, fresh, anOperation(chain, fresh));
    expect((await submit(chain, { to: fresh.address, data: initializer })).status).toBe('reverted');
  });

  test('the calls of a wallet are never delegatecalls: a target writes its own storage', async () => {
    const hostile = await aHostile(chain, 'accept');
    const before = await readControl();
    // Writes slots 0 and 3: in the wallet those are the singleton and the number of owners.
    const call = { to: hostile, value: 0n, data: setModeData('revertWithReason') };
    await executeOk(chain, wallet, anOperation(chain, wallet, { calls: [call] }));
    await executeOk(chain, wallet, anOperation(chain, wallet, { calls: [call, call] }));
    expect(await readControl()).toEqual(before);
    expect((await submit(chain, { to: hostile })).error).toBe('Unpleasant(42)');
  });
});

describe('the module and what a Safe calls on it', () => {
  test('has no function that a wallet would be asked with, so the module can never stand for a wallet', () => {
    const names = (abi: readonly { readonly type: string }[]) =>
      abi.filter((item): item is AbiFunction => item.type === 'function').map(({ name }) => name);
    const asked = [
      'checkSignatures',
      'execTransactionFromModule',
      'execTransactionFromModuleReturnData',
      'masterCopy',
      'domainSeparator',
      'enableModule',
    ];
    expect(names(walletModuleAbi).filter((name) => asked.includes(name))).toEqual([
      'domainSeparator',
    ]);
    expect(names(batchExecutorAbi).filter((name) => asked.includes(name))).toEqual([]);
    expect(names(signatureHandlerAbi).filter((name) => asked.includes(name))).toEqual([]);
  });

  test('holds no ether and no tokens, and takes none', async () => {
    for (const address of [
      addresses.walletModule,
      addresses.batchExecutor,
      addresses.walletSetup,
      addresses.signatureHandler,
    ]) {
      expect((await submit(chain, { to: getAddress(address), value: 1n })).status).toBe('reverted');
      expect(await chain.client.getBalance({ address })).toBe(0n);
    }
  });
});
