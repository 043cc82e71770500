import {
  type Address,
  concatHex,
  decodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  keccak256,
  pad,
  parseAbi,
  serializeErc6492Signature,
  slice,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  encodeAdminSignature,
  encodeDelegateSignature,
  encodeProof,
  hashOperation,
  ownerAddressOf,
  safeAbi,
  safeProxyFactoryAbi,
  signerIdOf,
  walletMessageTypedData,
  walletModuleAbi,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  execute,
  executeOk,
  farFuture,
  startTestChain,
  type TestChain,
  type TestWallet,
} from './test/chain.ts';
import {
  aDelegateOperation,
  aDeviceSigner,
  addSigner,
  anEcdsaSigner,
  aPasskeySigner,
  aQuorumSigner,
  removeSigner,
  signAs,
  type TestSigner,
} from './test/delegates.ts';

/**
 * Messages and typed data signed for a wallet by others than its accounts: delegates, passkeys and
 * quorums that own it.
 */

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const delegate = anEcdsaSigner(anAccount('delegate'));
const passkey = aPasskeySigner('owner');
const kinds = {
  'an address by EIP-712': delegate,
  'an address by EIP-191': anEcdsaSigner(anAccount('delegate'), 'eip191'),
  'a device': aDeviceSigner('device'),
  'a passkey': aPasskeySigner('passkey'),
  'a quorum': aQuorumSigner(2, [
    delegate,
    aDeviceSigner('member'),
    aPasskeySigner('another member'),
  ]),
};
const typedData = {
  domain: {
    name: 'Shop',
    version: '1',
    chainId: 31337,
    verifyingContract: '0x00000000000000000000000000000000000000cc',
  },
  types: { Order: [{ name: 'id', type: 'uint256' }] },
  primaryType: 'Order',
  message: { id: 5n },
} as const;

const digestOf = (wallet: { readonly address: Address }, hash: Hex, chainId = chain.chainId) =>
  hashTypedData(walletMessageTypedData(chainId, wallet.address, hash));

async function signAsDelegate(
  wallet: { readonly address: Address },
  signer: TestSigner,
  hash: Hex,
  scopeIndexes: number[] = [],
): Promise<Hex> {
  return encodeDelegateSignature({
    key: signer.key,
    scopeIndexes,
    proof: await signer.prove(digestOf(wallet, hash)),
  });
}

async function signAsOwner(
  wallet: { readonly address: Address },
  signer: TestSigner,
  hash: Hex,
): Promise<Hex> {
  const proof = encodeProof(signer.key, await signer.prove(digestOf(wallet, hash)));
  return encodeAdminSignature([
    { owner: ownerAddressOf(signer.key), signature: proof, scheme: 'contract' },
  ]);
}

const ask = (address: Address, hash: Hex, signature: Hex) =>
  chain.client.readContract({
    address,
    abi: parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)']),
    functionName: 'isValidSignature',
    args: [hash, signature],
  });

/** What verifies for a wallet that is not deployed yet. */
function wrapFor(wallet: TestWallet, signature: Hex): Hex {
  const [initializer, saltNonce] = decodeAbiParameters(
    [{ type: 'bytes' }, { type: 'uint256' }],
    wallet.deployment,
  );
  const data = encodeFunctionData({
    abi: safeProxyFactoryAbi,
    functionName: 'createProxyWithNonce',
    args: [addresses.safeSingleton, initializer, saltNonce],
  });
  return serializeErc6492Signature({ address: addresses.safeProxyFactory, data, signature });
}

describe('a delegate without scopes signs for its wallet (ERC-1271)', () => {
  test.each(Object.entries(kinds))(
    '%s: messages and typed data verify with viem',
    async (_, signer) => {
      const wallet = await aWallet(chain, {
        delegates: [{ signer: signer.key, scopes: [] }],
        deployed: true,
      });
      const signature = await signAsDelegate(wallet, signer, hashMessage('hello'));
      expect(
        await chain.client.verifyMessage({ address: wallet.address, message: 'hello', signature }),
      ).toBe(true);
      expect(
        await chain.client.verifyMessage({ address: wallet.address, message: 'hullo', signature }),
      ).toBe(false);
      const typed = await signAsDelegate(wallet, signer, hashTypedData(typedData));
      expect(
        await chain.client.verifyTypedData({
          address: wallet.address,
          ...typedData,
          signature: typed,
        }),
      ).toBe(true);
      expect(
        await chain.client.verifyTypedData({
          address: wallet.address,
          ...typedData,
          message: { id: 6n },
          signature: typed,
        }),
      ).toBe(false);
    },
  );

  test.each(Object.entries(kinds))(
    '%s: also before the wallet is deployed (ERC-6492)',
    async (_, signer) => {
      const wallet = await aWallet(chain, { delegates: [{ signer: signer.key, scopes: [] }] });
      const signature = wrapFor(wallet, await signAsDelegate(wallet, signer, hashMessage('hello')));
      expect(
        await chain.client.verifyMessage({ address: wallet.address, message: 'hello', signature }),
      ).toBe(true);
      expect(
        await chain.client.verifyMessage({ address: wallet.address, message: 'hullo', signature }),
      ).toBe(false);
      expect(await chain.client.getCode({ address: wallet.address })).toBeUndefined();
    },
  );

  test('by the older interface too, so that the wallet can own another one', async () => {
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [] }],
      deployed: true,
    });
    const legacy = parseAbi(['function isValidSignature(bytes, bytes) view returns (bytes4)']);
    const read = (message: Hex, signature: Hex) =>
      chain.client.readContract({
        address: wallet.address,
        abi: legacy,
        functionName: 'isValidSignature',
        args: [message, signature],
      });
    const signature = await signAsDelegate(wallet, delegate, '0x123456');
    expect([await read('0x123456', signature), await read('0x123457', signature)]).toEqual([
      '0x20c13b0b',
      '0xffffffff',
    ]);
  });

  test('for that wallet and chain only, and a message is no operation', async () => {
    const delegates = [{ signer: delegate.key, scopes: [] }];
    const [wallet, other] = [
      await aWallet(chain, { delegates, deployed: true }),
      await aWallet(chain, { delegates, deployed: true }),
    ];
    const hash = keccak256('0x01');
    expect(await ask(wallet.address, hash, await signAsDelegate(wallet, delegate, hash))).toBe(
      '0x1626ba7e',
    );
    expect(await ask(other.address, hash, await signAsDelegate(wallet, delegate, hash))).toBe(
      '0xffffffff',
    );
    const elsewhere = encodeDelegateSignature({
      key: delegate.key,
      proof: await delegate.prove(digestOf(wallet, hash, 8453)),
    });
    expect(await ask(wallet.address, hash, elsewhere)).toBe('0xffffffff');
    const op = aDelegateOperation(chain, wallet, delegate);
    expect(
      (
        await execute(
          chain,
          op,
          await signAsDelegate(wallet, delegate, hashOperation(chain.chainId, op)),
        )
      ).status,
    ).toBe('reverted');
    expect(
      await ask(
        wallet.address,
        hashOperation(chain.chainId, op),
        await signAs(chain, delegate, op),
      ),
    ).toBe('0xffffffff');
  });

  test('in its first and its last second, and not a second before or after', async () => {
    const now = Number((await chain.client.getBlock()).timestamp);
    const [validAfter, validUntil] = [now + 1_000, now + 1_002];
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [], validAfter, validUntil }],
      deployed: true,
    });
    const hash = keccak256('0x01');
    const signature = await signAsDelegate(wallet, delegate, hash);
    const answers: Hex[] = [];
    for (const at of [validAfter - 1, validAfter, validUntil, validUntil + 1]) {
      await chain.client.setNextBlockTimestamp({ timestamp: BigInt(at) });
      await chain.client.mine({ blocks: 1 });
      answers.push(await ask(wallet.address, hash, signature));
    }
    expect(answers).toEqual(['0xffffffff', '0x1626ba7e', '0x1626ba7e', '0xffffffff']);
  });
});

describe('nobody else does', () => {
  const hash = keccak256('0x01');

  test.each([
    ['with scopes', { scopes: [{ token: '0x00000000000000000000000000000000000000cc' as const }] }],
    ['whose time is over', { scopes: [], validUntil: 1 }],
    ['whose time has not come', { scopes: [], validAfter: farFuture }],
  ])('a delegate %s', async (_, registration) => {
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, ...registration }],
      deployed: true,
    });
    expect(await ask(wallet.address, hash, await signAsDelegate(wallet, delegate, hash))).toBe(
      '0xffffffff',
    );
    expect(await ask(wallet.address, hash, await signAsDelegate(wallet, delegate, hash, [0]))).toBe(
      '0xffffffff',
    );
  });

  test('a delegate that was never there, or that is removed', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const signature = await signAsDelegate(wallet, delegate, hash);
    expect(await ask(wallet.address, hash, signature)).toBe('0xffffffff');
    await addSigner(chain, wallet, { signer: delegate.key, scopes: [] });
    expect(await ask(wallet.address, hash, signature)).toBe('0x1626ba7e');
    await removeSigner(chain, wallet, delegate);
    expect(await ask(wallet.address, hash, signature)).toBe('0xffffffff');
  });

  test('a delegate of a wallet that disabled the module', async () => {
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [] }],
      deployed: true,
    });
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
    expect(await ask(wallet.address, hash, await signAsDelegate(wallet, delegate, hash))).toBe(
      '0xffffffff',
    );
  });

  test('a delegate whose signature is in another form, or of somebody else', async () => {
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [] }],
      deployed: true,
    });
    const good = await signAsDelegate(wallet, delegate, hash);
    const id = signerIdOf(delegate.key);
    const stranger = await signAsDelegate(wallet, anEcdsaSigner(anAccount('stranger')), hash);
    const bad = [
      id,
      concatHex([id, '0x00']),
      concatHex([id, '0x01', slice(good, 33)]),
      concatHex([good, '0x00']),
      stranger,
      concatHex([id, slice(stranger, 32)]),
    ];
    for (const signature of bad)
      expect(await ask(wallet.address, hash, signature)).toBe('0xffffffff');
    expect(await ask(wallet.address, hash, good)).toBe('0x1626ba7e');
  });

  test('the module answers the same to everybody', async () => {
    const wallet = await aWallet(chain, {
      delegates: [{ signer: delegate.key, scopes: [] }],
      deployed: true,
    });
    const proof = slice(await signAsDelegate(wallet, delegate, hash), 32);
    const read = (signature: Hex) =>
      chain.client.readContract({
        address: addresses.walletModule,
        abi: walletModuleAbi,
        functionName: 'isMessageSignedBy',
        args: [wallet.address, signerIdOf(delegate.key), digestOf(wallet, hash), signature],
      });
    expect([await read(proof), await read('0x'), await read('0x00'), await read('0x01')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('an owner without an address signs for its wallet', () => {
  test.each([
    ['a passkey', passkey],
    ['a quorum', aQuorumSigner(2, [passkey, aDeviceSigner('member'), delegate])],
  ])('%s, deployed or not, verified with viem', async (_, owner) => {
    const deployed = await aWallet(chain, { ownerSigners: [owner], deployed: true });
    const signature = await signAsOwner(deployed, owner, hashMessage('hello'));
    expect(
      await chain.client.verifyMessage({ address: deployed.address, message: 'hello', signature }),
    ).toBe(true);
    expect(
      await chain.client.verifyMessage({ address: deployed.address, message: 'hullo', signature }),
    ).toBe(false);
    const fresh = await aWallet(chain, { ownerSigners: [aPasskeySigner(`fresh ${_}`), owner] });
    const wrapped = wrapFor(fresh, await signAsOwner(fresh, owner, hashTypedData(typedData)));
    expect(
      await chain.client.verifyTypedData({
        address: fresh.address,
        ...typedData,
        signature: wrapped,
      }),
    ).toBe(true);
    expect(
      await chain.client.verifyTypedData({
        address: fresh.address,
        ...typedData,
        message: { id: 6n },
        signature: wrapped,
      }),
    ).toBe(false);
    const foreign = await signAsOwner(deployed, aPasskeySigner('stranger'), hashMessage('hello'));
    expect(
      await chain.client.verifyMessage({
        address: deployed.address,
        message: 'hello',
        signature: foreign,
      }),
    ).toBe(false);
  });
});
