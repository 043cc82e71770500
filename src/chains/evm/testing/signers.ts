import { createHash, randomBytes } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { QuorumSigner, Signer, SubmittedApproval } from '../../family.ts';
import { bytesOf, hexOf, wordOf } from '../abi/words.ts';
import { addressOfPublicKey, custodyApproval } from '../signing/approvals.ts';

/** A signer and what its software would answer when asked to approve a hash. */
export interface TestActor {
  readonly signer: Signer;
  approve(hash: Hex): Promise<SubmittedApproval[]>;
}

/** An address that signs the hash by personal_sign. */
export function anAccount(
  type: 'external-wallet' | 'server' = 'external-wallet',
): TestActor & { readonly account: ReturnType<typeof privateKeyToAccount> } {
  const account = privateKeyToAccount(generatePrivateKey());
  const signer: Signer = { type, locator: `${type}:${account.address}`, address: account.address };
  return {
    account,
    signer,
    approve: async (hash) => [
      { signer, signature: await account.signMessage({ message: { raw: hash } }) },
    ],
  };
}

/** A key in custody, which signs the hash itself. */
export function aCustodyActor(type: 'api-key' | 'email' | 'phone'): TestActor {
  const secretKey = secp256k1.utils.randomSecretKey();
  const address = addressOfPublicKey(secp256k1.getPublicKey(secretKey, false));
  const name = type === 'email' ? 'ada@example.com' : '+14155550123';
  const signer: Signer =
    type === 'api-key'
      ? { type, locator: `api-key:${address}`, address }
      : { type, locator: `${type}:${name}`, [type]: name, address };
  return {
    signer,
    async approve(hash) {
      const signature = secp256k1.sign(bytesOf(hash), secretKey, {
        prehash: false,
        format: 'recovered',
      });
      return [
        custodyApproval(
          signer,
          Buffer.concat([signature.subarray(1), Buffer.from([signature[0]! + 27])]),
        ),
      ];
    },
  };
}

const order = p256.Point.CURVE().n;

function aP256Key() {
  const secretKey = p256.utils.randomSecretKey();
  const point = p256.getPublicKey(secretKey, false);
  const publicKey = {
    x: BigInt(hexOf(point.subarray(1, 33))).toString(),
    y: BigInt(hexOf(point.subarray(33))).toString(),
  };
  /** As authenticators do, with either value of s. */
  const sign = (message: Uint8Array, form: 'low' | 'high' = 'high'): { r: Hex; s: Hex } => {
    const compact = p256.sign(message, secretKey, { lowS: true });
    const low = BigInt(hexOf(compact.subarray(32)));
    return {
      r: hexOf(compact.subarray(0, 32)),
      s: `0x${wordOf(form === 'low' ? low : order - low)}`,
    };
  };
  return { publicKey, sign };
}

export interface AssertionOptions {
  readonly flags?: number;
  readonly type?: string;
  readonly challenge?: Uint8Array;
  readonly form?: 'low' | 'high';
  readonly metadata?: JsonObject;
}

/** A passkey as browsers make its assertions. */
export function aPasskey(): TestActor & {
  assert(hash: Hex, options?: AssertionOptions): SubmittedApproval;
} {
  const { publicKey, sign } = aP256Key();
  const id = randomBytes(16).toString('base64url');
  const signer: Signer = {
    type: 'passkey',
    locator: `passkey:${id}`,
    id,
    name: 'laptop',
    publicKey,
  };
  const assert = (
    hash: Hex,
    {
      flags = 0x05,
      type = 'webauthn.get',
      challenge = bytesOf(hash),
      form,
      metadata,
    }: AssertionOptions = {},
  ) => {
    const clientDataJSON = JSON.stringify({
      type,
      challenge: Buffer.from(challenge).toString('base64url'),
      origin: 'https://wallet.example',
      crossOrigin: false,
    });
    const authenticatorData = Buffer.concat([
      createHash('sha256').update('wallet.example').digest(),
      Buffer.from([flags]),
      Buffer.from([0, 0, 0, 7]),
    ]);
    const signed = Buffer.concat([
      authenticatorData,
      createHash('sha256').update(clientDataJSON).digest(),
    ]);
    return {
      signer,
      signature: sign(signed, form),
      metadata: {
        authenticatorData: hexOf(authenticatorData),
        clientDataJSON,
        challengeIndex: clientDataJSON.indexOf('"challenge"'),
        typeIndex: clientDataJSON.indexOf('"type"'),
        userVerificationRequired: true,
        ...metadata,
      },
    };
  };
  return { signer, assert, approve: async (hash) => [assert(hash)] };
}

/** A key in a device, which signs the 32 bytes of the hash as a message. */
export function aDevice(): TestActor {
  const { publicKey, sign } = aP256Key();
  const point = Buffer.from(
    `04${wordOf(BigInt(publicKey.x))}${wordOf(BigInt(publicKey.y))}`,
    'hex',
  );
  const signer: Signer = {
    type: 'device',
    locator: `device:${point.toString('base64')}`,
    publicKey,
  };
  return { signer, approve: async (hash) => [{ signer, signature: sign(bytesOf(hash)) }] };
}

/** `threshold` of the members; those who approve are the first, or those at `signing`. */
export function aQuorum(
  threshold: number,
  members: readonly TestActor[],
  signing = members.map((_, at) => at).slice(0, threshold),
): TestActor {
  const signer: QuorumSigner = {
    type: 'quorum',
    locator: `quorum:${randomBytes(4).toString('hex')}`,
    threshold,
    members: members.map((member) => member.signer),
  };
  return {
    signer,
    approve: async (hash) =>
      (await Promise.all(signing.map((at) => members[at]!.approve(hash)))).flat(),
  };
}
