import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  serializeErc6492Signature,
  size,
  slice,
  toHex,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
  encodeAdminSignature,
  encodeWalletSetup,
  safeAbi,
  safeProxyFactoryAbi,
  signatureHandlerAbi,
  walletMessageTypedData,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  deploy,
  execute,
  executeOk,
  startTestChain,
  submit,
  type TestChain,
  type TestWallet,
} from './test/chain.ts';
import { testArtifact } from './test/hostile.ts';

let chain: TestChain;
let wallet: TestWallet;
beforeAll(async () => {
  chain = await startTestChain();
  wallet = await aWallet(chain, {
    owners: [anAccount('m'), anAccount('n'), anAccount('o')],
    threshold: 2n,
    deployed: true,
  });
});
afterAll(() => chain.stop());

async function signHash(
  signed: TestWallet,
  hash: Hex,
  input: { by?: TestWallet['owners']; scheme?: 'eip712' | 'eip191'; chainId?: number } = {},
): Promise<Hex> {
  const typedData = walletMessageTypedData(input.chainId ?? chain.chainId, signed.address, hash);
  const by = input.by ?? signed.owners.slice(0, Number(signed.threshold));
  const scheme = input.scheme ?? 'eip712';
  return encodeAdminSignature(
    await Promise.all(
      by.map(async (owner) => ({
        owner: owner.address,
        scheme,
        signature:
          scheme === 'eip712'
            ? await owner.signTypedData(typedData)
            : await owner.signMessage({ message: { raw: hashTypedData(typedData) } }),
      })),
    ),
  );
}

const ask = (address: Address, hash: Hex, signature: Hex) =>
  chain.client.readContract({
    address,
    abi: parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)']),
    functionName: 'isValidSignature',
    args: [hash, signature],
  });

describe('signatures of a wallet (ERC-1271)', () => {
  test.each(['eip712', 'eip191'] as const)(
    'a message signed by the admin with %s verifies with viem',
    async (scheme) => {
      const message = 'Sign in as the wallet';
      const signature = await signHash(wallet, hashMessage(message), { scheme });
      expect(
        await chain.client.verifyMessage({ address: wallet.address, message, signature }),
      ).toBe(true);
      expect(
        await chain.client.verifyMessage({
          address: wallet.address,
          message: 'another',
          signature,
        }),
      ).toBe(false);
    },
  );

  test('typed data signed by the admin verifies with viem', async () => {
    const typedData = {
      domain: { name: 'Shop', chainId: chain.chainId },
      types: { Order: [{ name: 'id', type: 'uint256' }] },
      primaryType: 'Order',
      message: { id: 5n },
    } as const;
    const signature = await signHash(wallet, hashTypedData(typedData));
    expect(
      await chain.client.verifyTypedData({ address: wallet.address, ...typedData, signature }),
    ).toBe(true);
    expect(
      await chain.client.verifyTypedData({
        address: wallet.address,
        ...typedData,
        message: { id: 6n },
        signature,
      }),
    ).toBe(false);
  });

  test('a wallet that is not deployed yet signs with ERC-6492', async () => {
    const fresh = await aWallet(chain);
    const setup = encodeWalletSetup({
      owners: fresh.owners.map((owner) => owner.address),
      threshold: 1n,
    });
    const saltNonce = BigInt(`0x${fresh.deployment.slice(2 + 64, 2 + 128)}`);
    const data = encodeFunctionData({
      abi: safeProxyFactoryAbi,
      functionName: 'createProxyWithNonce',
      args: [addresses.safeSingleton, setup, saltNonce],
    });
    const wrapped = serializeErc6492Signature({
      address: addresses.safeProxyFactory,
      data,
      signature: await signHash(fresh, hashMessage('hello')),
    });
    expect(
      await chain.client.verifyMessage({
        address: fresh.address,
        message: 'hello',
        signature: wrapped,
      }),
    ).toBe(true);
    expect(
      await chain.client.verifyMessage({
        address: fresh.address,
        message: 'hullo',
        signature: wrapped,
      }),
    ).toBe(false);
    expect(await chain.client.getCode({ address: fresh.address })).toBeUndefined();
  });

  test('the answer to anything else is 0xffffffff', async () => {
    const hash = keccak256('0x1234');
    const good = await signHash(wallet, hash);
    const twin = await aWallet(chain, { owners: wallet.owners, threshold: 2n, deployed: true });
    expect(await ask(wallet.address, hash, good)).toBe('0x1626ba7e');
    const bad = [
      '0x',
      slice(adminSignerId, 1),
      adminSignerId,
      concatHex([numberToHex(1, { size: 32 }), `0x${good.slice(66)}`]),
      concatHex([adminSignerId, `0x${'11'.repeat(130)}`]),
      await signHash(wallet, hash, { by: [anAccount('m')] }),
      await signHash(wallet, hash, { by: [anAccount('m'), anAccount('m')] }),
      await signHash(wallet, hash, { by: [anAccount('m'), anAccount('stranger')] }),
      await signHash(wallet, hash, { chainId: 1 }),
      await signHash(twin, hash),
      await signHash(wallet, keccak256('0x1235')),
    ] satisfies Hex[];
    for (const signature of bad)
      expect(await ask(wallet.address, hash, signature)).toBe('0xffffffff');
    expect(await ask(twin.address, hash, good)).toBe('0xffffffff');
  });

  test('what the owners signed as a message is no operation, and the other way round', async () => {
    const op = anOperation(chain, wallet);
    const messageSignature = await signHash(wallet, keccak256('0x77'));
    expect((await execute(chain, op, messageSignature)).status).toBe('reverted');
  });

  test('a wallet can own another wallet: it signs for it by the older interface', async () => {
    const outer = await aWallet(chain, { owners: [anAccount('direct')], deployed: true });
    await executeOk(
      chain,
      outer,
      anOperation(chain, outer, {
        calls: [
          {
            to: outer.address,
            value: 0n,
            data: encodeFunctionData({
              abi: safeAbi,
              functionName: 'addOwnerWithThreshold',
              args: [wallet.address, 1n],
            }),
          },
        ],
      }),
    );
    const message = 'signed by a wallet of a wallet';
    const typedData = walletMessageTypedData(chain.chainId, outer.address, hashMessage(message));
    // The outer Safe asks with the 66 bytes whose hash is signed; the inner wallet's owners sign
    // those as their message.
    const preimage = concatHex([
      '0x1901',
      await domainSeparatorOf(outer.address),
      structHashOf(hashMessage(message)),
    ]);
    expect(keccak256(preimage)).toBe(hashTypedData(typedData));
    const inner = await signHash(wallet, preimage);
    const signature = concatHex([
      adminSignerId,
      pad(wallet.address),
      numberToHex(65, { size: 32 }),
      '0x00',
      numberToHex(size(inner), { size: 32 }),
      inner,
    ]);
    expect(await chain.client.verifyMessage({ address: outer.address, message, signature })).toBe(
      true,
    );
    expect(
      await chain.client.verifyMessage({ address: outer.address, message: 'other', signature }),
    ).toBe(false);
  });

  test('asked outside of a wallet, the handler signs for nobody', async () => {
    await expect(
      ask(addresses.signatureHandler, keccak256('0x01'), await signHash(wallet, keccak256('0x01'))),
    ).rejects.toThrow();
  });
});

function domainSeparatorOf(address: Address): Promise<Hex> {
  return chain.client.readContract({ address, abi: safeAbi, functionName: 'domainSeparator' });
}

function structHashOf(hash: Hex): Hex {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes32' }],
      [keccak256(toHex('SafeMessage(bytes message)')), keccak256(hash)],
    ),
  );
}

describe('being sent tokens', () => {
  const hooks = parseAbi([
    'function onERC721Received(address, address, uint256, bytes) returns (bytes4)',
    'function onERC1155Received(address, address, uint256, uint256, bytes) returns (bytes4)',
    'function onERC1155BatchReceived(address, address, uint256[], uint256[], bytes) returns (bytes4)',
    'function tokensReceived(address, address, address, uint256, bytes, bytes)',
    'function supportsInterface(bytes4) view returns (bool)',
  ]);
  const some = anAccount('sender').address;
  const call = async (data: Hex) => (await chain.client.call({ to: wallet.address, data })).data;

  test('ERC-721, ERC-1155 and ERC-777 tokens are accepted', async () => {
    expect(
      await call(
        encodeFunctionData({
          abi: hooks,
          functionName: 'onERC721Received',
          args: [some, some, 1n, '0x12'],
        }),
      ),
    ).toBe(pad('0x150b7a02', { dir: 'right' }));
    expect(
      await call(
        encodeFunctionData({
          abi: hooks,
          functionName: 'onERC1155Received',
          args: [some, some, 1n, 2n, '0x'],
        }),
      ),
    ).toBe(pad('0xf23a6e61', { dir: 'right' }));
    expect(
      await call(
        encodeFunctionData({
          abi: hooks,
          functionName: 'onERC1155BatchReceived',
          args: [some, some, [1n], [2n], '0x'],
        }),
      ),
    ).toBe(pad('0xbc197c81', { dir: 'right' }));
    expect(
      await call(
        encodeFunctionData({
          abi: hooks,
          functionName: 'tokensReceived',
          args: [some, some, some, 1n, '0x', '0x'],
        }),
      ),
    ).toBeUndefined();
  });

  test('ERC-165 names what is supported and nothing else', async () => {
    const supports = (interfaceId: Hex) =>
      chain.client.readContract({
        address: wallet.address,
        abi: signatureHandlerAbi,
        functionName: 'supportsInterface',
        args: [interfaceId],
      });
    for (const interfaceId of ['0x01ffc9a7', '0x150b7a02', '0x4e2312e0', '0x1626ba7e'] as const)
      expect(await supports(interfaceId)).toBe(true);
    for (const interfaceId of ['0xffffffff', '0x00000000', '0x80ac58cd'] as const)
      expect(await supports(interfaceId)).toBe(false);
  });

  test('ether and ERC-20 tokens of any kind are accepted, and a token that calls back gains nothing', async () => {
    expect((await submit(chain, { to: wallet.address, value: 5n })).status).toBe('success');
    const token = await deploy(chain, testArtifact('HostileToken'));
    const { abi } = testArtifact('HostileToken');
    await submit(chain, {
      to: token,
      data: encodeFunctionData({ abi, functionName: 'mint', args: [wallet.address, 100n] }),
    });
    const op = anOperation(chain, wallet, {
      calls: [
        {
          to: token,
          value: 0n,
          data: encodeFunctionData({ abi, functionName: 'transfer', args: [some, 40n] }),
        },
      ],
    });
    await executeOk(chain, wallet, op);
    expect(
      await chain.client.readContract({
        address: token,
        abi,
        functionName: 'balanceOf',
        args: [some],
      }),
    ).toBe(40n);
  });

  test('a call of a function the wallet does not have is refused, and changes nothing', async () => {
    await expect(call('0xdeadbeef')).rejects.toThrow();
  });
});
