import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import {
  type Address,
  bytesToHex,
  type Hex,
  hexToBytes,
  keccak256,
  type LocalAccount,
  stringToHex,
} from 'viem';
import {
  addresses,
  adminSignerId,
  type DelegateInput,
  delegateNonce,
  encodeAddSigner,
  encodeAdminSignature,
  encodeDelegateSignature,
  encodeProof,
  encodeRemoveSigner,
  hashOperation,
  type Operation,
  operationEpoch,
  ownerAddressOf,
  type SignerKey,
  type SignerProof,
  signerIdOf,
  walletModuleAbi,
} from '../index.ts';
import {
  anOperation,
  execute,
  executeOk,
  readSigner,
  type TestChain,
  type TestWallet,
} from './chain.ts';

/** A signer the tests hold the key of. */
export interface TestSigner {
  readonly key: SignerKey;
  prove(hash: Hex): Promise<SignerProof>;
}

/** A key of secp256k1, signing the hash itself or, as `eip191`, its 32 bytes as a message. */
export function anEcdsaSigner(
  account: LocalAccount,
  scheme: 'eip712' | 'eip191' = 'eip712',
): TestSigner {
  return {
    key: { kind: 'ecdsa', address: account.address },
    async prove(hash) {
      const signature =
        scheme === 'eip191'
          ? await account.signMessage({ message: { raw: hash } })
          : await account.sign?.({ hash });
      if (!signature) throw new Error('The account cannot sign a hash.');
      return { kind: 'ecdsa', signature, scheme };
    },
  };
}

/** A device: signs the 32 bytes of a hash as a message, with SHA-256. */
export function aDeviceSigner(name: string): TestSigner {
  const { secretKey, x, y } = aP256Key(name);
  return {
    key: { kind: 'p256', x, y },
    prove: async (hash) => ({ kind: 'p256', ...signP256(sha256(hexToBytes(hash)), secretKey) }),
  };
}

/** What an authenticator may do differently. */
export interface PasskeyQuirks {
  readonly type?: string;
  readonly flags?: number;
  readonly challenge?: Hex;
}

/** A passkey and its authenticator, as a browser would use it. */
export function aPasskeySigner(
  name: string,
  requireUserVerification = true,
  quirks: PasskeyQuirks = {},
): TestSigner {
  const { secretKey, x, y } = aP256Key(name);
  return {
    key: { kind: 'webauthn', x, y, requireUserVerification },
    async prove(hash) {
      const challenge = Buffer.from(hexToBytes(quirks.challenge ?? hash)).toString('base64url');
      const type = quirks.type ?? 'webauthn.get';
      const clientDataJSON = `{"type":"${type}","challenge":"${challenge}","origin":"https://shop.example","crossOrigin":false}`;
      const rpIdHash = sha256(Buffer.from('shop.example'));
      const authenticatorData = Buffer.concat([
        rpIdHash,
        Buffer.from([quirks.flags ?? 0x05]),
        Buffer.alloc(4),
      ]);
      const signed = sha256(
        Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON))]),
      );
      return {
        kind: 'webauthn',
        authenticatorData: bytesToHex(authenticatorData),
        clientDataJSON,
        challengeIndex: clientDataJSON.indexOf('"challenge"'),
        typeIndex: clientDataJSON.indexOf('"type"'),
        ...signP256(signed, secretKey),
      };
    },
  };
}

/** `threshold` of `members`, of whom `by` sign: the first ones unless said otherwise. */
export function aQuorumSigner(
  threshold: number,
  members: readonly TestSigner[],
  by = members.slice(0, threshold),
): TestSigner {
  return {
    key: { kind: 'quorum', threshold, members: members.map(({ key }) => key) },
    async prove(hash) {
      const proofs = await Promise.all(
        by.map(async ({ key, prove }) => ({ key, proof: await prove(hash) })),
      );
      return { kind: 'quorum', members: proofs };
    },
  };
}

/** What the key of a device signs of a digest that it was given as one. */
export function signP256As(name: string, digest: Uint8Array): { r: bigint; s: bigint } {
  return signP256(digest, aP256Key(name).secretKey);
}

/** A key of P-256 that is the same in every run. */
function aP256Key(name: string) {
  const secretKey = hexToBytes(keccak256(stringToHex(`p256 ${name}`)));
  const { x, y } = p256.Point.fromBytes(p256.getPublicKey(secretKey)).toAffine();
  return { secretKey, x, y };
}

function signP256(digest: Uint8Array, secretKey: Uint8Array): { r: bigint; s: bigint } {
  const { r, s } = p256.Signature.fromBytes(p256.sign(digest, secretKey, { prehash: false }));
  return { r, s };
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

let sequence = 0n;

/** The admin's signature, when the owners that sign are contracts of these signers. */
export async function signAsOwners(
  chain: { readonly chainId: number },
  signers: readonly TestSigner[],
  op: Operation,
): Promise<Hex> {
  const hash = hashOperation(chain.chainId, op);
  return encodeAdminSignature(
    await Promise.all(
      signers.map(async ({ key, prove }) => ({
        owner: ownerAddressOf(key),
        signature: encodeProof(key, await prove(hash)),
        scheme: 'contract' as const,
      })),
    ),
  );
}

/**
 * An operation with a nonce of this delegate, as of its first registration in the wallet's first
 * epoch.
 */
export function aDelegateOperation(
  chain: Parameters<typeof anOperation>[0],
  wallet: Parameters<typeof anOperation>[1],
  signer: TestSigner,
  fields: Partial<Operation> = {},
): Operation {
  return anOperation(chain, wallet, {
    nonce: delegateNonce(signer.key, ++sequence),
    epoch: operationEpoch(0, 1),
    ...fields,
  });
}

/**
 * The signature of a delegate; `scopeIndexes` for one with scopes, by default scope 0 for every
 * call.
 */
export async function signAs(
  chain: { readonly chainId: number },
  signer: TestSigner,
  op: Operation,
  scopeIndexes: readonly number[] = [],
): Promise<Hex> {
  return encodeDelegateSignature({
    key: signer.key,
    scopeIndexes,
    proof: await signer.prove(hashOperation(chain.chainId, op)),
  });
}

/** Registers a delegate by an operation of the wallet's admin, or replaces it. */
export async function addSigner(
  chain: TestChain,
  wallet: TestWallet,
  delegate: DelegateInput,
): Promise<void> {
  const { generation } = await readSigner(chain, wallet, delegate.signer);
  await callModule(chain, wallet, encodeAddSigner(delegate, generation));
}

export async function removeSigner(
  chain: TestChain,
  wallet: TestWallet,
  signer: TestSigner,
): Promise<void> {
  await callModule(chain, wallet, encodeRemoveSigner(signer.key));
}

/** What an operation of the wallet's admin, or of a delegate, has to name as its epoch now. */
export function readEpoch(
  chain: TestChain,
  wallet: { readonly address: Address },
  signer?: TestSigner,
): Promise<bigint> {
  return chain.client.readContract({
    address: addresses.walletModule,
    abi: walletModuleAbi,
    functionName: 'epochOf',
    args: [wallet.address, signer ? signerIdOf(signer.key) : adminSignerId],
  });
}

async function callModule(chain: TestChain, wallet: TestWallet, data: Hex): Promise<void> {
  await executeOk(
    chain,
    wallet,
    anOperation(chain, wallet, {
      calls: [{ to: addresses.walletModule, value: 0n, data }],
      epoch: await readEpoch(chain, wallet),
      callGas: 900_000n,
    }),
  );
}

/**
 * What becomes of calls that a delegate signs and a stranger submits to the module. `scopes`: which
 * one for each call.
 */
export async function executeAs(
  chain: TestChain,
  wallet: TestWallet,
  signer: TestSigner,
  calls: Operation['calls'],
  scopes: readonly number[] = [],
): Promise<ReturnType<typeof execute>> {
  const op = aDelegateOperation(chain, wallet, signer, {
    calls,
    epoch: await readEpoch(chain, wallet, signer),
  });
  return execute(chain, op, await signAs(chain, signer, op, scopes));
}
