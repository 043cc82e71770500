import {
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  keccak256,
  pad,
  sliceHex,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
  coreDeployments,
  encodeAdminSignature,
  encodeDeployment,
  encodeWalletSetup,
  hashOperation,
  safeAbi,
  safeProxyFactoryAbi,
  singletonFactory,
  testTokenAbi,
  testTokenDeployment,
  walletAddress,
  walletModuleAbi,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  deployThroughFactory,
  executeOk,
  startTestChain,
  submit,
  type TestChain,
} from './test/chain.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

describe('addresses', () => {
  test('the Safe contracts from npm land at their canonical addresses', async () => {
    const [safe, factory] = coreDeployments();
    expect(safe?.address).toBe('0x41675C099F32341bf84BFc5382aF534df5C7461a');
    expect(factory?.address).toBe('0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67');
    for (const deployment of [safe, factory]) {
      expect(
        deployment &&
          getContractAddress({
            opcode: 'CREATE2',
            from: singletonFactory.address,
            salt: deployment.salt,
            bytecode: deployment.initCode,
          }),
      ).toBe(deployment?.address);
      expect(await chain.client.getCode({ address: deployment?.address ?? '0x' })).toBeDefined();
    }
  });

  test('our contracts land at the addresses the service knows without reading their code', async () => {
    for (const { address, initCode, salt } of coreDeployments()) {
      expect(
        getContractAddress({
          opcode: 'CREATE2',
          from: singletonFactory.address,
          salt,
          bytecode: initCode,
        }),
      ).toBe(address);
      expect((await chain.client.getCode({ address }))?.length).toBeGreaterThan(100);
    }
  });

  test('the proxy that the address of a wallet is computed from is the one the factory creates', async () => {
    const creationCode = await chain.client.readContract({
      address: addresses.safeProxyFactory,
      abi: safeProxyFactoryAbi,
      functionName: 'proxyCreationCode',
    });
    const owners = [anAccount('a').address, anAccount('b').address];
    const setup = { owners, threshold: 2n, saltNonce: 77n };
    const salt = keccak256(
      encodePacked(['bytes32', 'uint256'], [keccak256(encodeWalletSetup(setup)), 77n]),
    );
    const bytecode = encodePacked(
      ['bytes', 'bytes32'],
      [creationCode, pad(addresses.safeSingleton)],
    );
    expect(walletAddress(setup)).toBe(
      getContractAddress({ opcode: 'CREATE2', from: addresses.safeProxyFactory, salt, bytecode }),
    );
  });

  test('owners, threshold and seed each change the address of a wallet', () => {
    const [a, b] = [anAccount('a').address, anAccount('b').address];
    const setups = [
      { owners: [a], threshold: 1n, saltNonce: 0n },
      { owners: [a], threshold: 1n, saltNonce: 1n },
      { owners: [b], threshold: 1n, saltNonce: 0n },
      { owners: [a, b], threshold: 1n, saltNonce: 0n },
      { owners: [a, b], threshold: 2n, saltNonce: 0n },
      { owners: [b, a], threshold: 2n, saltNonce: 0n },
    ];
    expect(new Set(setups.map(walletAddress)).size).toBe(setups.length);
  });

  test('Multicall3 is the first contract of the account that deployed it, which gives its canonical address', () => {
    expect(
      getContractAddress({ from: '0x05f32B3cC3888453ff71B01135B34FF8e41263F2', nonce: 0n }),
    ).toBe(addresses.multicall3);
  });
});

describe('wallets', () => {
  test('a deployed wallet has its owners, threshold, module and fallback handler', async () => {
    const wallet = await aWallet(chain, {
      owners: [anAccount('x'), anAccount('y'), anAccount('z')],
      threshold: 2n,
      deployed: true,
    });
    const read = (functionName: 'getOwners' | 'getThreshold' | 'nonce') =>
      chain.client.readContract({ address: wallet.address, abi: safeAbi, functionName });
    expect(await read('getOwners')).toEqual(wallet.owners.map((owner) => owner.address));
    expect(await read('getThreshold')).toBe(2n);
    expect(
      await chain.client.readContract({
        address: wallet.address,
        abi: safeAbi,
        functionName: 'getModulesPaginated',
        args: [pad('0x01', { size: 20 }), 10n],
      }),
    ).toEqual([[addresses.walletModule], pad('0x01', { size: 20 })]);
    const handlerSlot = keccak256(new TextEncoder().encode('fallback_manager.handler.address'));
    expect(
      sliceHex(
        (await chain.client.getStorageAt({ address: wallet.address, slot: handlerSlot })) ?? '0x',
        12,
      ),
    ).toBe(addresses.signatureHandler.toLowerCase());
  });

  test.each([
    ['nobody', [], 1n],
    ['the zero address', [pad('0x00', { size: 20 })], 1n],
    ['the end mark of the list', [pad('0x01', { size: 20 })], 1n],
    ['somebody twice', [anAccount('a').address, anAccount('a').address], 1n],
    ['our own module', [addresses.walletModule], 1n],
    ['too few for the threshold', [anAccount('a').address], 2n],
    ['a threshold of nought', [anAccount('a').address], 0n],
  ] as const)(
    'a set-up owned by %s is refused before anybody sends money to its address',
    (_, owners, threshold) => {
      expect(() => encodeWalletSetup({ owners, threshold })).toThrow();
      expect(() => encodeDeployment({ owners, threshold, saltNonce: 0n })).toThrow();
    },
  );
});

describe('operations', () => {
  test('the hash computed here is the hash the module computes', async () => {
    const wallet = await aWallet(chain);
    for (const calls of [
      [],
      anOperation(chain, wallet).calls,
      [{ to: wallet.address, value: 5n, data: '0x' as const }, ...anOperation(chain, wallet).calls],
    ]) {
      const op = anOperation(chain, wallet, { calls, validAfter: 3, nonce: 2n ** 255n + 9n });
      expect(
        await chain.client.readContract({
          address: addresses.walletModule,
          abi: walletModuleAbi,
          functionName: 'operationHash',
          args: [op],
        }),
      ).toBe(hashOperation(chain.chainId, op));
    }
  });

  test('the signatures of owners are put in the order of their addresses', () => {
    const signature = (byte: string) => `0x${byte.repeat(64)}1b` as const;
    const owners = [
      { owner: pad('0x0B', { size: 20 }), signature: signature('bb'), scheme: 'eip712' },
      { owner: pad('0x0A', { size: 20 }), signature: `0x${'aa'.repeat(64)}00`, scheme: 'eip191' },
    ] as const;
    expect(encodeAdminSignature(owners)).toBe(
      `${adminSignerId}${'aa'.repeat(64)}1f${'bb'.repeat(64)}1b`,
    );
    expect(() => encodeAdminSignature([{ ...owners[0], signature: '0x1234' }])).toThrow('65 bytes');
  });
});

describe('test token', () => {
  test('its code is a whole token at another address', async () => {
    const deployment = testTokenDeployment({
      symbol: 'USDC',
      name: 'USD Coin',
      owner: chain.accounts[0] ?? '0x',
    });
    await deployThroughFactory(chain, deployment);
    const elsewhere = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
    await chain.client.setCode({
      address: elsewhere,
      bytecode: (await chain.client.getCode({ address: deployment.address })) ?? '0x',
    });
    const read = (functionName: 'symbol' | 'name' | 'decimals' | 'OWNER') =>
      chain.client.readContract({ address: elsewhere, abi: testTokenAbi, functionName });
    expect([
      await read('symbol'),
      await read('name'),
      await read('decimals'),
      await read('OWNER'),
    ]).toEqual(['USDC', 'USD Coin', 6, chain.accounts[0]]);
    const mint = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'mint',
      args: [anAccount('a').address, 5n],
    });
    expect((await submit(chain, { to: elsewhere, data: mint })).status).toBe('success');
    expect(
      (
        await submit(chain, {
          to: elsewhere,
          data: mint,
          ...(chain.accounts[1] && { from: chain.accounts[1] }),
        })
      ).status,
    ).toBe('reverted');
    expect(
      await chain.client.readContract({
        address: elsewhere,
        abi: testTokenAbi,
        functionName: 'totalSupply',
      }),
    ).toBe(5n);
  });
});

test('a wallet of the same set-up stands at the same address on another chain', async () => {
  const other = await startTestChain(84532);
  try {
    const wallet = await aWallet(chain, { deployed: true });
    await executeOk(other, wallet, anOperation(other, wallet, { calls: [] }));
    expect(await other.client.getCode({ address: wallet.address })).toBe(
      await chain.client.getCode({ address: wallet.address }),
    );
  } finally {
    await other.stop();
  }
});
