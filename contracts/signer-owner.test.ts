import {
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  size,
  stringToHex,
  toFunctionSelector,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
  encodeAdminSignature,
  encodeProof,
  encodeWalletSetup,
  hashOperation,
  ownerAddressOf,
  safeAbi,
  signerIdOf,
  signerOwnerAbi,
  signerOwnerFactoryAbi,
  walletAddress,
} from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  execute,
  readArtifact,
  recipient,
  sign,
  startTestChain,
  submit,
  type TestChain,
  transferCall,
} from './test/chain.ts';
import {
  aDeviceSigner,
  anEcdsaSigner,
  aPasskeySigner,
  aQuorumSigner,
  signAsOwners,
  type TestSigner,
} from './test/delegates.ts';
import { revertDataOf } from './test/errors.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const passkey = aPasskeySigner('owner');
const stranger = aPasskeySigner('stranger');
const proveAs = async (signer: TestSigner, hash: Hex) =>
  encodeProof(signer.key, await signer.prove(hash));

/** The signature of a contract owner whose proof is `proof`, in the Safe's format. */
const contractSignature = (owner: Address, proof: Hex) =>
  concatHex([
    adminSignerId,
    numberToHex(BigInt(owner), { size: 32 }),
    numberToHex(65, { size: 32 }),
    '0x00',
    numberToHex(size(proof), { size: 32 }),
    proof,
  ]);

describe('the contract of a signer', () => {
  const abi = parseAbi([
    'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
    'function isValidSignature(bytes preimage, bytes signature) view returns (bytes4)',
  ]);
  const [current, legacy] = abi;

  async function deployOwner(signer: TestSigner): Promise<Address> {
    const { status } = await submit(chain, {
      to: addresses.signerOwnerFactory,
      data: encodeFunctionData({
        abi: signerOwnerFactoryAbi,
        functionName: 'deployOwner',
        args: [signerIdOf(signer.key)],
      }),
    });
    expect(status).toBe('success');
    return ownerAddressOf(signer.key);
  }

  test('stands where it was computed, the same for everybody, and deploying it again changes nothing', async () => {
    const signers = [
      passkey,
      aDeviceSigner('owner'),
      aQuorumSigner(2, [passkey, stranger]),
      anEcdsaSigner(anAccount('owner')),
    ];
    for (const signer of signers) {
      const owner = await deployOwner(signer);
      expect(
        await chain.client.readContract({
          address: addresses.signerOwnerFactory,
          abi: signerOwnerFactoryAbi,
          functionName: 'ownerOf',
          args: [signerIdOf(signer.key)],
        }),
      ).toBe(owner);
      expect(
        await chain.client.readContract({
          address: owner,
          abi: signerOwnerAbi,
          functionName: 'signerId',
        }),
      ).toBe(signerIdOf(signer.key));
      const code = await chain.client.getCode({ address: owner });
      expect(size(code ?? '0x')).toBe(77);
      await deployOwner(signer);
      expect(await chain.client.getCode({ address: owner })).toBe(code);
    }
    expect(new Set(signers.map(({ key }) => ownerAddressOf(key))).size).toBe(signers.length);
  });

  test('answers in both forms of ERC-1271 whether its signer signed', async () => {
    const owner = await deployOwner(passkey);
    const preimage = stringToHex('a preimage');
    const hash = keccak256(preimage);
    const read = (proof: Hex, signed = hash) =>
      chain.client.readContract({
        address: owner,
        abi: [current],
        functionName: 'isValidSignature',
        args: [signed, proof],
      });
    const readLegacy = (proof: Hex, signed = preimage) =>
      chain.client.readContract({
        address: owner,
        abi: [legacy],
        functionName: 'isValidSignature',
        args: [signed, proof],
      });
    const [own, others] = [await proveAs(passkey, hash), await proveAs(stranger, hash)];
    expect([await read(own), await readLegacy(own)]).toEqual(['0x1626ba7e', '0x20c13b0b']);
    for (const proof of [others, '0x'] as const)
      expect([await read(proof), await readLegacy(proof)]).toEqual(['0xffffffff', '0xffffffff']);
    expect([await read(own, keccak256('0x01')), await readLegacy(own, '0x01')]).toEqual([
      '0xffffffff',
      '0xffffffff',
    ]);
  });

  test('that everybody’s are clones of stands for nobody', async () => {
    const args = [keccak256('0x01'), '0x'] as const;
    await expect(
      chain.client.readContract({
        address: addresses.signerOwner,
        abi: [current],
        functionName: 'isValidSignature',
        args,
      }),
    ).resolves.toBe('0xffffffff');
  });

  test('takes no orders and no money', async () => {
    const owner = await deployOwner(passkey);
    expect((await submit(chain, { to: owner, value: 1n })).status).toBe('reverted');
    expect((await submit(chain, { to: owner, data: '0x12345678' })).status).toBe('reverted');
  });
});

describe('a wallet', () => {
  test('of a passkey is deployed with its owner’s contract and runs what the passkey signs, and nobody else', async () => {
    const wallet = await aWallet(chain, { ownerSigners: [passkey], deployed: true });
    expect(
      await chain.client.readContract({
        address: wallet.address,
        abi: safeAbi,
        functionName: 'getOwners',
      }),
    ).toEqual([ownerAddressOf(passkey.key)]);
    const op = anOperation(chain, wallet);
    const owner = ownerAddressOf(passkey.key);
    const refused = { status: 'reverted', error: 'Error(GS024)' };
    const hash = hashOperation(chain.chainId, op);
    expect(
      await execute(chain, op, contractSignature(owner, await proveAs(stranger, hash))),
    ).toMatchObject(refused);
    expect(
      await execute(chain, op, contractSignature(owner, await proveAs(passkey, keccak256(hash)))),
    ).toMatchObject(refused);
    expect((await execute(chain, op, await signAsOwners(chain, [stranger], op))).status).toBe(
      'reverted',
    );
    expect(await execute(chain, op, await signAsOwners(chain, [passkey], op))).toMatchObject({
      success: true,
    });
  });

  test('with several recovery methods obeys each of them alone, a quorum only as a quorum', async () => {
    const members = [
      anEcdsaSigner(anAccount('r1')),
      aDeviceSigner('r2'),
      aPasskeySigner('r3'),
    ] as const;
    const quorum = aQuorumSigner(2, members);
    const human = anAccount('recovery by hand');
    const wallet = await aWallet(chain, {
      owners: [human],
      ownerSigners: [quorum, passkey],
      deployed: true,
    });
    for (const method of [quorum, passkey]) {
      const op = anOperation(chain, wallet, { calls: [transferCall(chain.token, recipient, 2n)] });
      expect(await execute(chain, op, await signAsOwners(chain, [method], op))).toMatchObject({
        success: true,
      });
    }
    const byHand = anOperation(chain, wallet);
    expect(
      await execute(chain, byHand, await sign(chain, wallet, byHand, { by: [human] })),
    ).toMatchObject({ success: true });
    const alone = anOperation(chain, wallet);
    const [member] = members;
    expect((await execute(chain, alone, await signAsOwners(chain, [member], alone))).status).toBe(
      'reverted',
    );
    expect(
      await execute(
        chain,
        alone,
        contractSignature(
          ownerAddressOf(quorum.key),
          await proveAs(member, hashOperation(chain.chainId, alone)),
        ),
      ),
    ).toMatchObject({ error: 'Error(GS024)' });
  });

  test('of accounts and passkeys asks for its threshold of them, in any order', async () => {
    const [x, y] = [anAccount('mixed x'), anAccount('mixed y')];
    const second = aPasskeySigner('second owner');
    const wallet = await aWallet(chain, {
      owners: [x, y],
      ownerSigners: [passkey, second],
      threshold: 3n,
      deployed: true,
    });
    const op = anOperation(chain, wallet);
    const hash = hashOperation(chain.chainId, op);
    const parts = [
      {
        owner: ownerAddressOf(second.key),
        signature: await proveAs(second, hash),
        scheme: 'contract' as const,
      },
      {
        owner: x.address,
        signature: await x.signMessage({ message: { raw: hash } }),
        scheme: 'eip191' as const,
      },
      {
        owner: ownerAddressOf(passkey.key),
        signature: await proveAs(passkey, hash),
        scheme: 'contract' as const,
      },
      { owner: y.address, signature: await y.sign({ hash }), scheme: 'eip712' as const },
    ];
    expect((await execute(chain, op, encodeAdminSignature(parts.slice(0, 2)))).status).toBe(
      'reverted',
    );
    expect(
      await execute(
        chain,
        op,
        encodeAdminSignature([parts[0], parts[2], parts[0]].flatMap((part) => part ?? [])),
      ),
    ).toMatchObject({
      error: 'Error(GS026)',
    });
    for (const picked of [parts.slice(0, 3), parts.slice(1, 4), parts.slice(0, 3).toReversed()]) {
      const next = {
        ...op,
        nonce: op.nonce + 1_000n * BigInt(1 + parts.indexOf(picked[0] ?? parts[0]!)),
      };
      const nextHash = hashOperation(chain.chainId, next);
      const signatures = await Promise.all(
        picked.map(async ({ owner }) => {
          const signer = [passkey, second].find(({ key }) => ownerAddressOf(key) === owner);
          if (signer)
            return {
              owner,
              signature: await proveAs(signer, nextHash),
              scheme: 'contract' as const,
            };
          const account = owner === x.address ? x : y;
          return {
            owner,
            signature: await account.sign({ hash: nextHash }),
            scheme: 'eip712' as const,
          };
        }),
      );
      expect(await execute(chain, next, encodeAdminSignature(signatures))).toMatchObject({
        success: true,
      });
    }
  });

  test('is at an address that says who owns it and who is its delegate from the beginning', () => {
    const owners = [ownerAddressOf(passkey.key)];
    const delegate = { signer: stranger.key, scopes: [] };
    const common = { owners, threshold: 1n, ownerKeys: [passkey.key], saltNonce: 1n };
    const setups = [
      common,
      { ...common, delegates: [delegate] },
      { ...common, delegates: [{ ...delegate, validUntil: 5 }] },
      { ...common, delegates: [{ signer: stranger.key, scopes: [{ token: chain.token }] }] },
    ];
    expect(new Set(setups.map(walletAddress)).size).toBe(setups.length);
    expect(walletAddress({ ...common, delegates: [] })).toBe(walletAddress(common));
  });

  test('whose set-up names a passkey that is no owner, or a delegate twice, is refused before money is sent to it', () => {
    const owners = [getAddress(anAccount('x').address)];
    expect(() => encodeWalletSetup({ owners, threshold: 1n, ownerKeys: [passkey.key] })).toThrow(
      'not among the owners',
    );
    const twice = [1, 2].map((validUntil) => ({ signer: passkey.key, validUntil, scopes: [] }));
    expect(() => encodeWalletSetup({ owners, threshold: 1n, delegates: twice })).toThrow(
      'named twice',
    );
    expect(() => encodeWalletSetup({ owners: [addresses.signerOwner], threshold: 1n })).toThrow(
      'not an address that can sign',
    );
  });
});

test.each([
  ['WalletModule', () => [recipient], 'VerifierNotDeployed()'],
  ['SignatureHandler', () => [recipient], 'ModuleNotDeployed()'],
  ['SignerOwnerFactory', () => [recipient], 'OwnerCodeNotDeployed()'],
  ['WalletSetup', () => [recipient, addresses.signerOwnerFactory], 'NotDeployed()'],
  ['WalletSetup', () => [addresses.walletModule, recipient], 'NotDeployed()'],
] as const)('%s is not deployed where what it asks is not', async (name, args, error) => {
  const { abi, bytecode } = readArtifact(name);
  const data = encodeDeployData({ abi, bytecode, args: args() });
  const refusal = await chain.client.call({ data, gas: 30_000_000n }).catch(revertDataOf);
  expect(refusal).toBe(toFunctionSelector(error));
});
