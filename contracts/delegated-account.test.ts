import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  parseAbi,
  parseEther,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  delegatedAccountAbi,
  encodeAdminSignature,
  hashOperation,
  type Operation,
  walletModuleAbi,
} from './index.ts';
import {
  anAccount,
  anOperation,
  type BatchItem,
  balanceOf,
  batchData,
  execute,
  mint,
  readExecuted,
  readFailed,
  readReceipt,
  recipient,
  sign,
  simulate,
  startTestChain,
  submit,
  type TestChain,
  type TestWallet,
  transferCall,
} from './test/chain.ts';

let chain: TestChain;
let payer: PrivateKeyAccount;
beforeAll(async () => {
  chain = await startTestChain();
  payer = anAccount('who pays for others');
  await chain.client.setBalance({ address: payer.address, value: parseEther('100') });
});
afterAll(() => chain.stop());

const readAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'function onERC721Received(address, address, uint256, bytes) view returns (bytes4)',
]);

interface KeyWallet extends TestWallet {
  readonly key: PrivateKeyAccount;
}

/** An account of a key with tokens and ether, which has never sent a transaction. */
async function anMpcWallet(name: string): Promise<KeyWallet> {
  const key = anAccount(name);
  await mint(chain, key.address, 1_000_000n);
  await chain.client.setBalance({ address: key.address, value: parseEther('1') });
  return { key, address: key.address, owners: [key], threshold: 1n, deployment: '0x' };
}

const authorize = (
  wallet: KeyWallet,
  contractAddress: Address = addresses.delegatedAccount,
  nonce = 0,
) => wallet.key.signAuthorization({ contractAddress, chainId: chain.chainId, nonce });

/** Somebody else pays for the items, and takes the delegations of their accounts along. */
async function sponsor(
  items: readonly BatchItem[],
  authorizationList: Awaited<ReturnType<typeof authorize>>[] = [],
) {
  const hash = await chain.client.sendTransaction({
    account: payer,
    to: addresses.batchExecutor,
    data: batchData(items),
    gas: 5_000_000n,
    ...(authorizationList.length > 0 && { authorizationList }),
  });
  return readReceipt(chain, hash);
}

async function delegated(name: string): Promise<KeyWallet> {
  const wallet = await anMpcWallet(name);
  await sponsor([], [await authorize(wallet)]);
  return wallet;
}

const anItem = async (wallet: KeyWallet, fields: Partial<Operation> = {}): Promise<BatchItem> => {
  const op = anOperation(chain, wallet, fields);
  return { op, signature: await sign(chain, wallet, op), deployment: '0x', gasLimit: 400_000n };
};

describe('an account that its key delegated to our code', () => {
  test('acts in the very transaction that brings its delegation, and somebody else pays', async () => {
    const wallet = await anMpcWallet('first');
    const payee = anAccount('payee of the first').address;
    const item = await anItem(wallet, {
      calls: [transferCall(chain.token, payee, 7n), { to: payee, value: 5n, data: '0x' }],
    });
    const receipt = await sponsor([item], [await authorize(wallet)]);
    expect(readExecuted(receipt)).toMatchObject([{ wallet: wallet.address, success: true }]);
    expect([
      await balanceOf(chain, payee),
      await chain.client.getBalance({ address: payee }),
    ]).toEqual([7n, 5n]);
    expect(await chain.client.getBalance({ address: wallet.address })).toBe(parseEther('1') - 5n);
    expect(await chain.client.getCode({ address: wallet.address })).toBe(
      concatHex(['0xef0100', addresses.delegatedAccount]).toLowerCase(),
    );
  });

  test('acts again without another delegation; a delegation that comes twice does nothing', async () => {
    const wallet = await delegated('second');
    const before = await balanceOf(chain, recipient);
    const receipt = await sponsor(
      [await anItem(wallet), await anItem(wallet)],
      [await authorize(wallet)],
    );
    expect(readExecuted(receipt).map(({ success }) => success)).toEqual([true, true]);
    expect((await balanceOf(chain, recipient)) - before).toBe(2n);
  });

  test('without the delegation nothing of it happens, and its operation can be submitted again', async () => {
    const wallet = await anMpcWallet('not yet');
    const item = await anItem(wallet);
    expect(readFailed(await sponsor([item]))).toHaveLength(1);
    expect(readExecuted(await sponsor([item], [await authorize(wallet)]))).toMatchObject([
      { success: true },
    ]);
  });

  test('is simulated like a wallet', async () => {
    const wallet = await delegated('simulated');
    const op = anOperation(chain, wallet, {
      calls: [transferCall(chain.token, recipient, 10n ** 30n)],
    });
    expect(await simulate(chain, op)).toMatchObject({ success: false, failedCall: 0n });
    expect(await simulate(chain, anOperation(chain, wallet))).toMatchObject({
      success: true,
      epoch: 0n,
    });
  });

  test('is still an account: it takes ether, pictures and calls with data', async () => {
    const { address } = await delegated('receives');
    for (const data of ['0x', '0xdeadbeef'] as Hex[])
      expect(await submit(chain, { to: address, value: 3n, data })).toMatchObject({
        status: 'success',
      });
    const args = [payer.address, payer.address, 1n, '0x'] as const;
    expect(
      await chain.client.readContract({
        address,
        abi: readAbi,
        functionName: 'onERC721Received',
        args,
      }),
    ).toBe('0x150b7a02');
  });

  test('says which module it obeys, and which interfaces it has: these and no others', async () => {
    const { address } = await delegated('says what it is');
    const read = { address, abi: delegatedAccountAbi } as const;
    for (const [module, isEnabled] of [
      [addresses.walletModule, true],
      [addresses.batchExecutor, false],
    ] as const)
      expect(
        await chain.client.readContract({
          ...read,
          functionName: 'isModuleEnabled',
          args: [module],
        }),
      ).toBe(isEnabled);
    // So nobody else ends what was signed for it.
    const data = encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'bumpEpochOf',
      args: [address],
    });
    expect(await submit(chain, { to: addresses.walletModule, data })).toMatchObject({
      status: 'reverted',
      error: `ModuleStillEnabled(${address})`,
    });
    for (const [interfaceId, isSupported] of [
      ['0x01ffc9a7', true],
      ['0x150b7a02', true],
      ['0x4e2312e0', true],
      ['0x1626ba7e', true],
      ['0xffffffff', false],
      ['0x80ac58cd', false],
    ] as const)
      expect(
        await chain.client.readContract({
          ...read,
          functionName: 'supportsInterface',
          args: [interfaceId],
        }),
      ).toBe(isSupported);
  });

  test('answers ERC-1271 with what its key signed, and with nothing else', async () => {
    const wallet = await delegated('signs');
    const { address, key } = wallet;
    const domain = { name: 'Permit2', chainId: chain.chainId, verifyingContract: chain.token };
    const typed = {
      domain,
      types: { Permit: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Permit',
      message: { amount: 1n },
    } as const;
    const hash = hashTypedData(typed);
    const ask = (asked: Hex, signature: Hex) =>
      chain.client.readContract({
        address,
        abi: readAbi,
        functionName: 'isValidSignature',
        args: [asked, signature],
      });
    const signature = await key.signTypedData(typed);
    expect(await ask(hash, signature)).toBe('0x1626ba7e');
    expect(await ask(hashMessage('hello'), await key.signMessage({ message: 'hello' }))).toBe(
      '0x1626ba7e',
    );
    const raised = await key.signMessage({ message: { raw: hash } });
    const asSafe = concatHex([
      raised.slice(0, -2) as Hex,
      Number.parseInt(raised.slice(-2), 16) === 27 ? '0x1f' : '0x20',
    ]);
    for (const wrong of [
      '0x',
      `${signature}00`,
      asSafe,
      await anAccount('other').signTypedData(typed),
    ] as Hex[])
      expect(await ask(hash, wrong)).toBe('0xffffffff');
  });
});

describe('nobody else acts as it', () => {
  test.each<[string, (wallet: KeyWallet, op: Operation) => Promise<Hex>]>([
    [
      'a stranger',
      async (wallet, op) => sign(chain, { ...wallet, owners: [anAccount('stranger')] }, op),
    ],
    [
      'who has the key’s signature of a text with the same 32 bytes',
      async (wallet, op) => sign(chain, wallet, op, { scheme: 'eip191' }),
    ],
    ['who has no signature', async () => encodeAdminSignature([])],
    [
      'who has a signature for another chain',
      async (wallet, op) => sign({ chainId: 1 }, wallet, op),
    ],
    [
      'who has a signature of another operation',
      async (wallet, op) => sign(chain, wallet, { ...op, nonce: op.nonce + 1n }),
    ],
  ])('%s', async (name, signature) => {
    const wallet = await delegated(`attacked by ${name}`);
    const op = anOperation(chain, wallet);
    expect(await execute(chain, op, await signature(wallet, op))).toMatchObject({
      status: 'reverted',
      error: expect.stringMatching(/WrongSignature/),
    });
  });

  test('by what another account signed, or its own twice', async () => {
    const [wallet, other] = [await delegated('one'), await delegated('another')];
    const op = anOperation(chain, wallet);
    const signature = await sign(chain, wallet, op);
    expect(await execute(chain, { ...op, wallet: other.address }, signature)).toMatchObject({
      error: expect.stringMatching(/WrongSignature/),
    });
    expect(await execute(chain, op, signature)).toMatchObject({ success: true });
    expect(await execute(chain, op, signature)).toMatchObject({
      error: expect.stringMatching(/NonceAlreadyUsed/),
    });
    expect(hashOperation(chain.chainId, op)).toMatch(/^0x/);
  });

  test('by asking the account itself, whoever asks', async () => {
    const { address } = await delegated('asked');
    const ask = (operation: number, from?: Address) =>
      submit(chain, {
        to: address,
        data: encodeFunctionData({
          abi: delegatedAccountAbi,
          functionName: 'execTransactionFromModuleReturnData',
          args: [recipient, 1n, '0x', operation],
        }),
        ...(from && { from }),
      });
    expect(await ask(0)).toMatchObject({
      status: 'reverted',
      error: expect.stringMatching(/OnlyModule/),
    });
    await chain.client.impersonateAccount({ address: addresses.walletModule });
    await chain.client.setBalance({ address: addresses.walletModule, value: parseEther('1') });
    expect(await ask(1, addresses.walletModule)).toMatchObject({
      error: expect.stringMatching(/OnlyCalls/),
    });
  });

  test('an account that delegates to other code is no wallet, though that code says yes to all', async () => {
    const wallet = await anMpcWallet('elsewhere');
    // The token has no `checkSignatures`; an account without the function may answer with success.
    await sponsor([], [await authorize(wallet, chain.token)]);
    const op = anOperation(chain, wallet);
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      error: `UnknownWallet(${wallet.address})`,
    });
  });

  test('the code itself, which is nobody’s account, is no wallet', async () => {
    const op = anOperation(chain, { address: addresses.delegatedAccount });
    expect(await execute(chain, op, encodeAdminSignature([]))).toMatchObject({
      error: `UnknownWallet(${addresses.delegatedAccount})`,
    });
  });

  test('a key that takes its delegation back has an ordinary account again', async () => {
    const wallet = await delegated('takes it back');
    await sponsor([], [await authorize(wallet, '0x0000000000000000000000000000000000000000', 1)]);
    const op = anOperation(chain, wallet);
    expect(await execute(chain, op, await sign(chain, wallet, op))).toMatchObject({
      error: `UnknownWallet(${wallet.address})`,
    });
  });
});
