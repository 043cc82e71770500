import { concatHex, type Hex, keccak256, numberToHex, size, stringToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addresses,
  encodeProof,
  encodeSignerKey,
  type SignerKey,
  signerIdOf,
  signerVerifierAbi,
} from './index.ts';
import {
  anAccount,
  aWallet,
  balanceOf,
  deploy,
  execute,
  recipient,
  startTestChain,
  type TestChain,
  transferCall,
} from './test/chain.ts';
import {
  aDelegateOperation,
  aDeviceSigner,
  anEcdsaSigner,
  aPasskeySigner,
  aQuorumSigner,
  executeAs,
  signAs,
  type TestSigner,
} from './test/delegates.ts';
import { testArtifact } from './test/hostile.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const hash = keccak256(stringToHex('what is signed'));
const a = anEcdsaSigner(anAccount('a'));
const b = anEcdsaSigner(anAccount('b'), 'eip191');
const c = aDeviceSigner('c');
const d = aPasskeySigner('d');
const members = [a, b, c];

function verify(id: Hex, proof: Hex): Promise<boolean> {
  return chain.client.readContract({
    address: addresses.signerVerifier,
    abi: signerVerifierAbi,
    functionName: 'verify',
    args: [id, hash, proof],
  });
}
const verifySigner = async (signer: TestSigner) =>
  verify(signerIdOf(signer.key), encodeProof(signer.key, await signer.prove(hash)));

const byte = (value: number) => numberToHex(value, { size: 1 });
const idsOf = (signers: readonly TestSigner[]) => signers.map(({ key }) => signerIdOf(key)).sort();
/** A quorum's key as nobody's encoder makes it. */
const rawKey = (threshold: number, ids: readonly Hex[], count = ids.length) =>
  concatHex(['0x04', byte(threshold), byte(count), ...ids]);

/** Members' proofs as nobody's encoder puts them: index and signer, one after the other. */
async function rawProofs(entries: readonly (readonly [number, TestSigner])[]): Promise<Hex> {
  const parts = await Promise.all(
    entries.map(async ([index, { key, prove }]) => {
      const proof = encodeProof(key, await prove(hash));
      return concatHex([byte(index), numberToHex(size(proof), { size: 3 }), proof]);
    }),
  );
  return concatHex(parts);
}

/** The members in the order of their ids, as the list of a quorum has them. */
const ordered = (signers: readonly TestSigner[]) =>
  idsOf(signers).map((id) => signers.find(({ key }) => signerIdOf(key) === id) ?? a);

async function verifyRaw(
  key: Hex,
  entries: readonly (readonly [number, TestSigner])[],
): Promise<boolean> {
  return verify(keccak256(key), concatHex([key, await rawProofs(entries)]));
}

describe('two of three', () => {
  test('are any two, handed over in any order, and listed in any order', async () => {
    const listings = [members, [c, a, b], [b, c, a]];
    expect(new Set(listings.map((listed) => signerIdOf(aQuorumSigner(2, listed).key))).size).toBe(
      1,
    );
    for (const listed of listings)
      for (const by of [
        [a, b],
        [b, a],
        [c, a],
        [a, c],
        [b, c],
        [c, b],
      ])
        expect(await verifySigner(aQuorumSigner(2, listed, by))).toBe(true);
  });

  test('are not one, not a stranger, and not one of them with a stranger', async () => {
    const quorum = aQuorumSigner(2, members);
    expect(() => encodeProof(quorum.key, { kind: 'quorum', members: [] })).toThrow(
      '2 members must sign, and 0 did.',
    );
    const [first = a, second = b] = ordered(members);
    const key = encodeSignerKey(quorum.key);
    expect(
      await verifyRaw(key, [
        [0, first],
        [1, second],
      ]),
    ).toBe(true);
    expect(await verifyRaw(key, [[0, first]])).toBe(false);
    expect(await verifyRaw(key, [])).toBe(false);
    expect(
      await verifyRaw(key, [
        [0, first],
        [1, d],
      ]),
    ).toBe(false);
    expect(
      await verifyRaw(key, [
        [0, first],
        [3, d],
      ]),
    ).toBe(false);
    expect(
      await verifyRaw(key, [
        [0, second],
        [1, first],
      ]),
    ).toBe(false);
  });

  test('are not the same one twice', async () => {
    const [first = a, second = b] = ordered(members);
    const key = encodeSignerKey(aQuorumSigner(2, members).key);
    expect(
      await verifyRaw(key, [
        [0, first],
        [0, first],
      ]),
    ).toBe(false);
    expect(
      await verifyRaw(key, [
        [1, second],
        [1, second],
      ]),
    ).toBe(false);
    expect(
      await verifyRaw(key, [
        [1, second],
        [0, first],
      ]),
    ).toBe(false);
    const proof = await first.prove(hash);
    const twice = [
      { key: first.key, proof },
      { key: first.key, proof },
    ];
    expect(() =>
      encodeProof(aQuorumSigner(2, members).key, { kind: 'quorum', members: twice }),
    ).toThrow('2 members must sign, and 1 did.');
  });

  test('are exactly two: a third signature or a byte behind them is refused', async () => {
    const [first = a, second = b, third = c] = ordered(members);
    const key = encodeSignerKey(aQuorumSigner(2, members).key);
    expect(
      await verifyRaw(key, [
        [0, first],
        [1, second],
        [2, third],
      ]),
    ).toBe(false);
    const proofs = await rawProofs([
      [0, first],
      [1, second],
    ]);
    expect(await verify(keccak256(key), concatHex([key, proofs, '0x00']))).toBe(false);
    // The encoder takes as many as are needed.
    expect(await verifySigner(aQuorumSigner(2, members, members))).toBe(true);
  });

  test('sign an operation together, and spend within a limit together', async () => {
    const quorum = aQuorumSigner(2, members, [c, b]);
    const wallet = await aWallet(chain, {
      delegates: [{ signer: quorum.key, scopes: [{ token: chain.token, limit: 10n }] }],
      deployed: true,
    });
    const before = await balanceOf(chain, recipient);
    expect(
      await executeAs(chain, wallet, quorum, [transferCall(chain.token, recipient, 10n)], [0]),
    ).toMatchObject({ success: true });
    expect(
      await executeAs(
        chain,
        wallet,
        aQuorumSigner(2, members, [a, b]),
        [transferCall(chain.token, recipient, 1n)],
        [0],
      ),
    ).toMatchObject({ status: 'reverted' });
    expect(await balanceOf(chain, recipient)).toBe(before + 10n);
    expect((await executeAs(chain, wallet, a, [])).error).toContain('UnknownSigner');
  });

  test('where one is a contract are refused when that contract refuses', async () => {
    const account = anAccount('behind the contract');
    const address = await deploy(chain, testArtifact('ContractSigner'), [account.address]);
    const contract: TestSigner = {
      key: { kind: 'ecdsa', address },
      prove: async (signed) => ({
        kind: 'ecdsa',
        signature: await account.sign({ hash: signed }),
        scheme: 'contract',
      }),
    };
    const quorum = aQuorumSigner(2, [a, contract, b], [contract, b]);
    expect(await verifySigner(quorum)).toBe(true);
    const wallet = await aWallet(chain, {
      delegates: [{ signer: quorum.key, scopes: [] }],
      deployed: true,
    });
    const op = aDelegateOperation(chain, wallet, quorum);
    expect(await execute(chain, op, await signAs(chain, quorum, op))).toMatchObject({
      success: true,
    });
    const other = aDelegateOperation(chain, wallet, quorum);
    const lying: TestSigner = {
      ...contract,
      prove: async () => ({
        kind: 'ecdsa',
        signature: await account.sign({ hash }),
        scheme: 'contract',
      }),
    };
    expect(
      (
        await execute(
          chain,
          other,
          await signAs(chain, aQuorumSigner(2, [a, lying, b], [lying, b]), other),
        )
      ).error,
    ).toContain('InvalidSignature');
  });
});

describe('a quorum', () => {
  test('with a list that is not ascending, or names one twice, never signs', async () => {
    const ids = idsOf(members);
    const [first = a, second = b] = ordered(members);
    const [i0 = '0x', i1 = '0x', i2 = '0x'] = ids;
    expect(
      await verifyRaw(rawKey(2, [i0, i1, i2]), [
        [0, first],
        [1, second],
      ]),
    ).toBe(true);
    expect(
      await verifyRaw(rawKey(2, [i1, i0, i2]), [
        [0, second],
        [1, first],
      ]),
    ).toBe(false);
    expect(
      await verifyRaw(rawKey(2, [i0, i0, i1]), [
        [0, first],
        [1, first],
      ]),
    ).toBe(false);
    expect(await verifyRaw(rawKey(1, [i2, i1]), [[1, second]])).toBe(false);
  });

  test('with a threshold of nought, or that it cannot reach, never signs', async () => {
    const ids = idsOf(members);
    const [first = a, second = b, third = c] = ordered(members);
    expect(await verifyRaw(rawKey(0, ids), [])).toBe(false);
    expect(
      await verifyRaw(rawKey(4, ids), [
        [0, first],
        [1, second],
        [2, third],
        [2, third],
      ]),
    ).toBe(false);
    expect(await verifyRaw(rawKey(0, []), [])).toBe(false);
    expect(await verifyRaw(rawKey(1, ids, 4), [[0, first]])).toBe(false);
  });

  test('whose members’ proofs are cut off does not sign', async () => {
    const quorum = aQuorumSigner(2, members);
    const proof = encodeProof(quorum.key, await quorum.prove(hash));
    for (let end = 99; end < size(proof); end += 7)
      expect(await verify(signerIdOf(quorum.key), proof.slice(0, 2 + 2 * end) as Hex)).toBe(false);
  });

  test('can be a member of a quorum, which can be one of another; deeper ones never sign', async () => {
    const inner = aQuorumSigner(1, [a, c], [c]);
    const middle = aQuorumSigner(2, [inner, b], [inner, b]);
    const outer = aQuorumSigner(2, [middle, d, anEcdsaSigner(anAccount('absent'))], [d, middle]);
    for (const quorum of [inner, middle, outer]) expect(await verifySigner(quorum)).toBe(true);
    const tooDeep: SignerKey = { kind: 'quorum', threshold: 1, members: [outer.key] };
    expect(() => encodeSignerKey(tooDeep)).toThrow('3 deep');
    const key = rawKey(1, [signerIdOf(outer.key)]);
    expect(await verifyRaw(key, [[0, outer]])).toBe(false);
    expect(await verifyRaw(rawKey(1, [signerIdOf(middle.key)]), [[0, middle]])).toBe(true);
  });

  test('counts a nested quorum as one, and asks it for its own threshold', async () => {
    const inner = aQuorumSigner(2, [a, b]);
    const half: TestSigner = {
      ...inner,
      prove: async () => ({
        kind: 'quorum',
        members: [{ key: a.key, proof: await a.prove(hash) }],
      }),
    };
    const outer = aQuorumSigner(2, [inner, c, d], [inner, c]);
    expect(await verifySigner(outer)).toBe(true);
    await expect(verifySigner(aQuorumSigner(2, [half, c, d], [half, c]))).rejects.toThrow(
      '2 members must sign, and 1 did.',
    );
    const wallet = await aWallet(chain, {
      delegates: [{ signer: outer.key, scopes: [] }],
      deployed: true,
    });
    expect(
      await executeAs(chain, wallet, outer, [transferCall(chain.token, recipient, 1n)]),
    ).toMatchObject({ success: true });
  });

  test('has up to 255 members', async () => {
    const many = Array.from({ length: 255 }, (_, index) =>
      anEcdsaSigner(anAccount(`many ${index}`)),
    );
    expect(await verifySigner(aQuorumSigner(3, many, many.slice(100, 103)))).toBe(true);
    expect(() =>
      encodeSignerKey({
        kind: 'quorum',
        threshold: 1,
        members: [...many, a].map(({ key }) => key),
      }),
    ).toThrow('1 to 255 members');
  });
});
