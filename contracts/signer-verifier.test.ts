import fc from 'fast-check';
import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  pad,
  size,
  slice,
  stringToHex,
} from 'viem';
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
  deploy,
  startTestChain,
  submit,
  type TestChain,
} from './test/chain.ts';
import {
  aDeviceSigner,
  anEcdsaSigner,
  aPasskeySigner,
  aQuorumSigner,
  executeAs,
  signP256As,
  type TestSigner,
} from './test/delegates.ts';
import { testArtifact } from './test/hostile.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const hash = keccak256(stringToHex('what is signed'));
const account = anAccount('signer');
const signer = anEcdsaSigner(account);

function verifyAs(on: TestChain, id: Hex, proof: Hex, signed = hash): Promise<boolean> {
  return on.client.readContract({
    address: addresses.signerVerifier,
    abi: signerVerifierAbi,
    functionName: 'verify',
    args: [id, signed, proof],
  });
}
const verify = (id: Hex, proof: Hex, signed = hash) => verifyAs(chain, id, proof, signed);
const prove = async ({ key, prove: sign }: TestSigner, signed = hash) =>
  encodeProof(key, await sign(signed));
const verifySigner = async (tested: TestSigner) =>
  verify(signerIdOf(tested.key), await prove(tested));
/** A proof as nobody's encoder makes it. */
const verifyRaw = (key: Hex, signature: Hex) => verify(keccak256(key), concatHex([key, signature]));

describe('an address', () => {
  const verifySignature = (signature: Hex, key: SignerKey = signer.key) =>
    verifyRaw(encodeSignerKey(key), signature);
  const signature = () => account.sign({ hash });

  test('signs the hash itself, or its 32 bytes as a message of EIP-191', async () => {
    expect(await verifySigner(signer)).toBe(true);
    expect(await verifySigner(anEcdsaSigner(account, 'eip191'))).toBe(true);
    expect(await verify(signerIdOf(signer.key), await prove(signer), keccak256('0x01'))).toBe(
      false,
    );
    expect(
      await verifySigner({ ...signer, prove: anEcdsaSigner(anAccount('somebody else')).prove }),
    ).toBe(false);
  });

  test('does not sign in the mirrored form (high s)', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const low = await signature();
    const s = numberToHex(order - BigInt(slice(low, 32, 64)), { size: 32 });
    const v = slice(low, 64) === '0x1b' ? '0x1c' : '0x1b';
    expect(await verifySignature(low)).toBe(true);
    expect(await verifySignature(concatHex([slice(low, 0, 32), s, v]))).toBe(false);
    expect(await verifySignature(concatHex([slice(low, 0, 32), s, slice(low, 64)]))).toBe(false);
  });

  test('does not sign in the compact form (EIP-2098), nor with a byte less or more', async () => {
    const full = await signature();
    const parity = slice(full, 64) === '0x1c' ? 1n : 0n;
    const compact = concatHex([
      slice(full, 0, 32),
      numberToHex(BigInt(slice(full, 32, 64)) | (parity << 255n), { size: 32 }),
    ]);
    expect(size(compact)).toBe(64);
    for (const wrong of [compact, slice(full, 0, 64), concatHex([full, '0x00']), '0x'] as const)
      expect(await verifySignature(wrong)).toBe(false);
  });

  test('names no other v than 27, 28, 31 and 32', async () => {
    const [plain, message] = [
      await signature(),
      await account.signMessage({ message: { raw: hash } }),
    ];
    for (let v = 0; v < 256; v += v < 40 ? 1 : 43) {
      const withV = (of: Hex) =>
        verifySignature(concatHex([slice(of, 0, 64), numberToHex(v, { size: 1 })]));
      expect(await withV(plain)).toBe(numberToHex(v, { size: 1 }) === slice(plain, 64));
      expect(await withV(message)).toBe(BigInt(v) === BigInt(slice(message, 64)) + 4n);
    }
  });

  test('that is nobody’s is not signed for by a signature that recovers to nobody', async () => {
    const nobody = {
      kind: 'ecdsa',
      address: '0x0000000000000000000000000000000000000000',
    } as const;
    expect(await verifySignature(`0x${'00'.repeat(64)}1b`, nobody)).toBe(false);
    expect(await verifySignature(`0x${'ff'.repeat(32)}${'11'.repeat(32)}1b`, nobody)).toBe(false);
  });

  test('with code that came to it later (EIP-7702) still signs with its key', async () => {
    const upgraded = anAccount('upgraded');
    const { abi, bytecode } = testArtifact('ContractSigner');
    const code = await deploy(chain, { abi, bytecode }, [upgraded.address]);
    await chain.client.setCode({
      address: upgraded.address,
      bytecode: concatHex(['0xef0100', code]),
    });
    await setMode(upgraded.address, 'no');
    expect(await verifySigner(anEcdsaSigner(upgraded))).toBe(true);
    expect(
      await verifyRaw(encodeSignerKey({ kind: 'ecdsa', address: upgraded.address }), '0x1234'),
    ).toBe(false);
  });
});

const modes = {
  honest: 0,
  yes: 1,
  no: 2,
  revert: 3,
  eatGas: 4,
  shortAnswer: 5,
  legacyAnswer: 6,
  longAnswer: 7,
} as const;

async function setMode(contract: Address, mode: keyof typeof modes): Promise<void> {
  const { abi } = testArtifact('ContractSigner');
  await submit(chain, {
    to: contract,
    data: encodeFunctionData({ abi, functionName: 'setMode', args: [modes[mode]] }),
  });
}

/** A wallet of somebody else that signs with the key of `account`. */
async function aContractSigner(): Promise<TestSigner & { readonly address: Address }> {
  const address = await deploy(chain, testArtifact('ContractSigner'), [account.address]);
  return {
    address,
    key: { kind: 'ecdsa', address },
    prove: async (signed) => ({
      kind: 'ecdsa',
      signature: await account.sign({ hash: signed }),
      scheme: 'contract',
    }),
  };
}

describe('a contract', () => {
  test('signs as it says itself (ERC-1271)', async () => {
    const contract = await aContractSigner();
    expect(await verifySigner(contract)).toBe(true);
    expect(await verify(signerIdOf(contract.key), await prove(contract, keccak256('0x01')))).toBe(
      false,
    );
    await setMode(contract.address, 'yes');
    expect(await verifyRaw(encodeSignerKey(contract.key), '0x')).toBe(true);
  });

  test.each(['no', 'revert', 'eatGas', 'shortAnswer', 'legacyAnswer'] as const)(
    'that answers %s has not signed',
    async (mode) => {
      const contract = await aContractSigner();
      await setMode(contract.address, mode);
      expect(await verifySigner(contract)).toBe(false);
    },
  );

  test('that answers at great length costs no more than its answer', async () => {
    const contract = await aContractSigner();
    await setMode(contract.address, 'longAnswer');
    expect(await verifySigner(contract)).toBe(true);
  });
});

describe('a device', () => {
  const device = aDeviceSigner('device');
  const key = encodeSignerKey(device.key);
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const word = (value: bigint) => numberToHex(value, { size: 32 });

  test('signs the 32 bytes of the hash with SHA-256, and not the hash as if it were the digest', async () => {
    expect(await verifySigner(device)).toBe(true);
    expect(await verify(signerIdOf(device.key), concatHex([await prove(device), '0x00']))).toBe(
      false,
    );
    const { r, s } = signP256As('device', hexToBytes(hash));
    expect(await verifyRaw(key, concatHex([word(r), word(s)]))).toBe(false);
  });

  test('does not sign in the mirrored form (high s), which encoders put right', async () => {
    const proof = await device.prove(hash);
    if (proof.kind !== 'p256') throw new Error('Not a proof of a device.');
    const [low, high] =
      proof.s > order / 2n ? [order - proof.s, proof.s] : [proof.s, order - proof.s];
    expect(await verifyRaw(key, concatHex([word(proof.r), word(low)]))).toBe(true);
    expect(await verifyRaw(key, concatHex([word(proof.r), word(high)]))).toBe(false);
    expect(
      await verify(signerIdOf(device.key), encodeProof(device.key, { ...proof, s: high })),
    ).toBe(true);
  });

  test.each([
    ['nothing', '0x'],
    ['zeros', `0x${'00'.repeat(64)}`],
    [
      'the order of the curve',
      `0x${'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'.repeat(2)}`,
    ],
    ['63 bytes', `0x${'11'.repeat(63)}`],
    ['65 bytes', `0x${'11'.repeat(65)}`],
  ] as const)('does not sign with %s', async (_, signature) => {
    expect(await verifyRaw(key, signature)).toBe(false);
  });

  test('whose key is no point of the curve never signs', async () => {
    const { r, s } = signP256As('device', hexToBytes(hash));
    for (const point of [
      { x: 0n, y: 0n },
      { x: 1n, y: 1n },
      { x: 2n ** 256n - 1n, y: 5n },
    ])
      expect(
        await verifyRaw(encodeSignerKey({ kind: 'p256', ...point }), concatHex([word(r), word(s)])),
      ).toBe(false);
  });

  test('and a passkey are verified where the chain has no precompile for their curve', async () => {
    const older = await startTestChain(31340, 'cancun');
    try {
      for (const tested of [device, aPasskeySigner('passkey')]) {
        expect(await verifyAs(older, signerIdOf(tested.key), await prove(tested))).toBe(true);
        expect(
          await verifyAs(older, signerIdOf(tested.key), await prove(tested, keccak256('0x01'))),
        ).toBe(false);
      }
    } finally {
      await older.stop();
    }
  });
});

describe('a passkey', () => {
  test('signs with the hash as its challenge', async () => {
    expect(await verifySigner(aPasskeySigner('passkey'))).toBe(true);
    expect(
      await verifySigner(aPasskeySigner('passkey', true, { challenge: keccak256('0x01') })),
    ).toBe(false);
  });

  test.each([
    ['creating a credential', { type: 'webauthn.create' }],
    ['without the user being verified', { flags: 0x01 }],
    ['without the user being present', { flags: 0x04 }],
    ['as backed up although it cannot be', { flags: 0x15 }],
  ])('does not sign %s', async (_, quirks) => {
    expect(await verifySigner(aPasskeySigner('passkey', true, quirks))).toBe(false);
  });

  test('signs without user verification when it is registered so, under an id of its own', async () => {
    const lax = aPasskeySigner('passkey', false, { flags: 0x01 });
    expect(await verifySigner(lax)).toBe(true);
    expect(signerIdOf(lax.key)).not.toBe(signerIdOf(aPasskeySigner('passkey').key));
    const strictId = signerIdOf(aPasskeySigner('passkey').key);
    expect(await verify(strictId, await prove(lax))).toBe(false);
  });

  test('is not believed where its client data does not say what it is said to say', async () => {
    const passkey = aPasskeySigner('passkey');
    const proof = await passkey.prove(hash);
    if (proof.kind !== 'webauthn') throw new Error('Not a proof of a passkey.');
    const changes = [
      { challengeIndex: 0 },
      { challengeIndex: 10_000 },
      { typeIndex: 2 },
      { typeIndex: 10_000 },
      { authenticatorData: slice(proof.authenticatorData, 0, 36) },
      { clientDataJSON: proof.clientDataJSON.replace('shop', 'evil') },
    ];
    for (const change of changes)
      expect(
        await verify(signerIdOf(passkey.key), encodeProof(passkey.key, { ...proof, ...change })),
      ).toBe(false);
  });

  test('does not sign with bytes that are no assertion', async () => {
    const passkey = aPasskeySigner('passkey');
    const whole = await prove(passkey);
    for (const end of [66, 67, 98, 66 + 192, 66 + 191, size(whole) - 40])
      expect(await verify(signerIdOf(passkey.key), slice(whole, 0, end))).toBe(false);
    const beyond = concatHex([
      slice(whole, 0, 66 + 128),
      numberToHex(2n ** 255n, { size: 32 }),
      slice(whole, 66 + 160),
    ]);
    expect(await verify(signerIdOf(passkey.key), beyond)).toBe(false);
  });

  test('whose key says neither yes nor no to user verification never signs', async () => {
    const proof = await prove(aPasskeySigner('passkey'));
    expect(await verifyRaw(concatHex([slice(proof, 0, 65), '0x02']), slice(proof, 66))).toBe(false);
  });
});

describe('a proof', () => {
  test('of no kind there is, or of nothing, is none', async () => {
    for (const key of ['0x00', '0x05', '0xff'] as const)
      expect(await verifyRaw(concatHex([key, `0x${'11'.repeat(64)}`]), '0x')).toBe(false);
    for (const proof of ['0x', '0x01', '0x0401', '0x040101'] as const)
      expect(await verify(keccak256(proof), proof)).toBe(false);
    // The kind alone is no key, whatever it is the hash of.
    for (const kind of ['0x00', '0x03', '0x04', '0x05'] as const)
      for (const more of ['0x', '0x11', ...(Number(kind) % 5 === 0 ? [pad('0x11')] : [])] as const)
        expect(await verify(keccak256(kind), concatHex([kind, more]))).toBe(false);
  });

  test('of one signer is none of another', async () => {
    expect(await verify(signerIdOf(aDeviceSigner('device').key), await prove(signer))).toBe(false);
    expect(await verify(`0x${'00'.repeat(32)}`, await prove(signer))).toBe(false);
  });

  test('with any byte changed is none', async () => {
    const quorum = aQuorumSigner(2, [
      signer,
      aDeviceSigner('device'),
      anEcdsaSigner(anAccount('third'), 'eip191'),
    ]);
    const proof = await prove(quorum);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: size(proof) - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const bytes = hexToBytes(proof);
          bytes[at] = (bytes[at] ?? 0) ^ flip;
          expect(
            await verify(signerIdOf(quorum.key), `0x${Buffer.from(bytes).toString('hex')}`),
          ).toBe(false);
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });
});

test('a chain without the opcodes of Cancun has wallets and delegates with an address, and no passkeys', async () => {
  const older = await startTestChain(31341, 'paris');
  try {
    const passkey = aPasskeySigner('passkey');
    const delegates = [signer, passkey].map(({ key }) => ({ signer: key, scopes: [] }));
    const wallet = await aWallet(older, { delegates, deployed: true });
    expect(await executeAs(older, wallet, signer, [])).toMatchObject({ success: true });
    expect(await executeAs(older, wallet, passkey, [])).toMatchObject({ status: 'reverted' });
  } finally {
    await older.stop();
  }
});
