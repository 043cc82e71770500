import {
  type Address,
  concatHex,
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
  encodeAdminSignature,
  encodeBumpEpoch,
  hashOperation,
  operationEpoch,
  operationTypedData,
  safeAbi,
  walletModuleAbi,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  deploy,
  execute,
  executeOk,
  isNonceUsed,
  readArtifact,
  sign,
  startTestChain,
  submit,
  type TestChain,
} from './test/chain.ts';
import { testArtifact } from './test/hostile.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const callTo = (to: Address, value = 0n, data: Hex = '0x') => ({ to, value, data });

describe('signatures', () => {
  test('EIP-712 and EIP-191 signatures of the admin are both accepted', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    for (const scheme of ['eip712', 'eip191'] as const) {
      const op = anOperation(chain, wallet);
      expect(await execute(chain, op, await sign(chain, wallet, op, { scheme }))).toMatchObject({
        success: true,
      });
    }
  });

  test('two of three owners suffice, in any order and with either scheme; one, the same twice and a stranger do not', async () => {
    const owners = [anAccount('p'), anAccount('q'), anAccount('r')] as const;
    const wallet = await aWallet(chain, { owners, threshold: 2n, deployed: true });
    for (const by of [
      [owners[0], owners[1]],
      [owners[1], owners[0]],
      [owners[2], owners[0]],
    ]) {
      const op = anOperation(chain, wallet);
      expect(
        await execute(chain, op, await sign(chain, wallet, op, { by, scheme: 'eip191' })),
      ).toMatchObject({ success: true });
    }
    const mixed = anOperation(chain, wallet);
    const hash = hashOperation(chain.chainId, mixed);
    const signatures = [
      {
        owner: owners[0].address,
        scheme: 'eip712',
        signature: await owners[0].signTypedData(operationTypedData(chain.chainId, mixed)),
      },
      {
        owner: owners[2].address,
        scheme: 'eip191',
        signature: await owners[2].signMessage({ message: { raw: hash } }),
      },
    ] as const;
    expect(await execute(chain, mixed, encodeAdminSignature(signatures))).toMatchObject({
      success: true,
    });
    const op = anOperation(chain, wallet);
    expect(
      await execute(chain, op, await sign(chain, wallet, op, { by: [owners[0]] })),
    ).toMatchObject({
      status: 'reverted',
      error: 'Error(GS020)',
    });
    expect(
      await execute(chain, op, await sign(chain, wallet, op, { by: [owners[0], owners[0]] })),
    ).toMatchObject({
      status: 'reverted',
      error: 'Error(GS026)',
    });
    expect(
      await execute(
        chain,
        op,
        await sign(chain, wallet, op, { by: [owners[0], anAccount('stranger')] }),
      ),
    ).toMatchObject({
      status: 'reverted',
      error: 'Error(GS026)',
    });
    expect(await isNonceUsed(chain, op)).toBe(false);
  });

  test('signatures in the wrong order are refused, since the Safe counts owners by it', async () => {
    const owners = [anAccount('p'), anAccount('q')] as const;
    const wallet = await aWallet(chain, { owners, threshold: 2n, deployed: true });
    const op = anOperation(chain, wallet);
    const ordered = await sign(chain, wallet, op);
    expect(
      await execute(
        chain,
        op,
        concatHex([adminSignerId, slice(ordered, 97), slice(ordered, 32, 97)]),
      ),
    ).toMatchObject({
      status: 'reverted',
      error: 'Error(GS026)',
    });
  });

  test('a signer that the wallet does not know is refused', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet);
    const signerId = numberToHex(1, { size: 32 });
    const signature = concatHex([signerId, slice(await sign(chain, wallet, op), 32)]);
    expect(await execute(chain, op, signature)).toMatchObject({
      status: 'reverted',
      error: `UnknownSigner(${wallet.address},${signerId})`,
    });
  });

  test.each([
    ['nothing', '0x', 'SignatureTooShort()'],
    ['half a signer id', '0x0000', 'SignatureTooShort()'],
    ['a byte less than a signer id', slice(adminSignerId, 1), 'SignatureTooShort()'],
    ['a signer id alone', adminSignerId, 'Error(GS020)'],
    ['zeros', concatHex([adminSignerId, `0x${'00'.repeat(65)}`]), 'Error(GS021)'],
    ['64 bytes', concatHex([adminSignerId, `0x${'11'.repeat(64)}`]), 'Error(GS020)'],
    ['a recovery to nobody', concatHex([adminSignerId, `0x${'11'.repeat(64)}1c`]), 'Error(GS026)'],
  ] as const)('%s is no signature', async (_, signature, error) => {
    const wallet = await aWallet(chain, { deployed: true });
    expect(await execute(chain, anOperation(chain, wallet), signature)).toMatchObject({
      status: 'reverted',
      error,
    });
  });

  test('the mirrored (high-s) form of a signature is accepted too, and is of no use once the nonce is used', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet);
    const signature = await sign(chain, wallet, op);
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = numberToHex(n - BigInt(slice(signature, 64, 96)), { size: 32 });
    const v = slice(signature, 96) === '0x1b' ? '0x1c' : '0x1b';
    const mirrored = concatHex([slice(signature, 0, 64), s, v]);
    expect(size(mirrored)).toBe(size(signature));
    expect(await execute(chain, op, mirrored)).toMatchObject({ success: true });
    expect(await execute(chain, op, signature)).toMatchObject({ status: 'reverted' });
  });

  test('an owner that is a contract is asked with what it signs, and cannot act while it is asked', async () => {
    const { abi } = testArtifact('ContractOwner');
    const owner = await deploy(chain, testArtifact('ContractOwner'));
    const human = anAccount('beside a contract');
    const wallet = await aWallet(chain, { owners: [human], deployed: true });
    const add = anOperation(chain, wallet, {
      calls: [
        callTo(
          wallet.address,
          0n,
          encodeFunctionData({
            abi: safeAbi,
            functionName: 'addOwnerWithThreshold',
            args: [owner, 1n],
          }),
        ),
      ],
    });
    await executeOk(chain, wallet, add);
    const epoch = operationEpoch(1);
    const other = anOperation(chain, wallet, { epoch });
    await submit(chain, {
      to: owner,
      data: encodeFunctionData({
        abi,
        functionName: 'set',
        args: [
          true,
          addresses.walletModule,
          encodeFunctionData({
            abi: walletModuleAbi,
            functionName: 'execute',
            args: [other, await sign(chain, wallet, other)],
          }),
        ],
      }),
    });
    const contractSignature = concatHex([
      adminSignerId,
      numberToHex(BigInt(owner), { size: 32 }),
      numberToHex(65, { size: 32 }),
      '0x00',
      numberToHex(0, { size: 32 }),
    ]);
    const op = anOperation(chain, wallet, { epoch });
    expect(await execute(chain, op, contractSignature)).toMatchObject({ success: true });
    expect(await isNonceUsed(chain, other)).toBe(false);
    await submit(chain, {
      to: owner,
      data: encodeFunctionData({ abi, functionName: 'set', args: [false, owner, '0x'] }),
    });
    const refused = anOperation(chain, wallet, { epoch });
    expect(await execute(chain, refused, contractSignature)).toMatchObject({
      status: 'reverted',
      error: 'Error(GS024)',
    });
  });

  test('a hash that an owner approved on chain stands for its signature', async () => {
    const owner = chain.accounts[2] ?? '0x';
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
              functionName: 'addOwnerWithThreshold',
              args: [owner, 1n],
            }),
          ),
        ],
      }),
    );
    const op = anOperation(chain, wallet, { epoch: operationEpoch(1) });
    const approved = concatHex([
      adminSignerId,
      numberToHex(BigInt(owner), { size: 32 }),
      numberToHex(0, { size: 32 }),
      '0x01',
    ]);
    expect(await execute(chain, op, approved)).toMatchObject({
      status: 'reverted',
      error: 'Error(GS025)',
    });
    await submit(chain, {
      to: wallet.address,
      from: owner,
      data: encodeFunctionData({
        abi: safeAbi,
        functionName: 'approveHash',
        args: [hashOperation(chain.chainId, op)],
      }),
    });
    expect(await execute(chain, op, approved)).toMatchObject({ success: true });
  });
});

describe('a signature is for one wallet, chain and module', () => {
  test('another wallet of the same owner refuses it', async () => {
    const owners = [anAccount('owner of two')];
    const [a, b] = [
      await aWallet(chain, { owners, deployed: true }),
      await aWallet(chain, { owners, deployed: true }),
    ];
    const op = anOperation(chain, a);
    expect(
      await execute(chain, { ...op, wallet: b.address }, await sign(chain, a, op)),
    ).toMatchObject({
      status: 'reverted',
      error: 'Error(GS026)',
    });
  });

  test('another chain refuses it', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    const op = anOperation(chain, wallet);
    expect(await execute(chain, op, await sign({ chainId: 8453 }, wallet, op))).toMatchObject({
      status: 'reverted',
      error: 'Error(GS026)',
    });
  });

  test('a chain that changes its id refuses what was signed for the old one and takes what is signed for the new one', async () => {
    const forked = await startTestChain(31338);
    try {
      const wallet = await aWallet(forked, { deployed: true });
      const op = anOperation(forked, wallet);
      await forked.client.request({
        method: 'anvil_setChainId' as never,
        params: [31339] as never,
      });
      const call = async (signature: Hex) =>
        forked.client.call({
          to: addresses.walletModule,
          data: encodeFunctionData({
            abi: walletModuleAbi,
            functionName: 'execute',
            args: [op, signature],
          }),
        });
      await expect(call(await sign({ chainId: 31338 }, wallet, op))).rejects.toThrow('GS026');
      expect(
        (await call(await sign({ chainId: 31339 }, wallet, op))).data?.startsWith(
          numberToHex(1, { size: 32 }),
        ),
      ).toBe(true);
    } finally {
      await forked.stop();
    }
  });

  test('another deployment of the module refuses it, although the wallet enabled both', async () => {
    const wallet = await aWallet(chain, { deployed: true });
    // Enabling each of them raises the epoch.
    const op = anOperation(chain, wallet, { epoch: operationEpoch(2) });
    const signature = await sign(chain, wallet, op);
    const second = anAccount('second module').address;
    await chain.client.setCode({
      address: second,
      bytecode: (await chain.client.getCode({ address: addresses.walletModule })) ?? '0x',
    });
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, {
        calls: [
          callTo(
            wallet.address,
            0n,
            encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [second] }),
          ),
        ],
      }),
    );
    // The copied code holds the first module's domain as an immutable, so this one is deployed
    // anew.
    const third = await deploy(chain, readArtifact('WalletModule'), [addresses.signerVerifier]);
    await executeOk(
      chain,
      wallet,
      anOperation(chain, wallet, {
        epoch: operationEpoch(1),
        calls: [
          callTo(
            wallet.address,
            0n,
            encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [third] }),
          ),
          callTo(third, 0n, encodeBumpEpoch()),
          callTo(third, 0n, encodeBumpEpoch()),
        ],
      }),
    );
    expect(
      await submit(chain, {
        to: third,
        data: encodeFunctionData({
          abi: walletModuleAbi,
          functionName: 'execute',
          args: [op, signature],
        }),
      }),
    ).toMatchObject({ status: 'reverted', error: 'Error(GS026)' });
    expect(await execute(chain, op, signature)).toMatchObject({ success: true });
  });
});
