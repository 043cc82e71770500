import { randomUUID } from 'node:crypto';
import { ed25519Key, p256Key, type TestKey } from '../../../../contracts/stellar/testing/keys.ts';
import type { PreparedOperation, QuorumSigner, Signer, SubmittedApproval } from '../../family.ts';

/** Signers whose keys a test has. */

export interface TestSigner {
  readonly signer: Signer;
  readonly key: TestKey;
  approve(prepared: Pick<PreparedOperation, 'message'>): SubmittedApproval;
}

export function ed25519Signer(
  type: Signer['type'] = 'external-wallet',
  name: string = randomUUID(),
): TestSigner {
  const key = ed25519Key(name);
  const address = key.key.kind === 'ed25519' ? key.key.address : '';
  const signer: Signer = { type, locator: `${type}:${address}`, address };
  return {
    signer,
    key,
    approve: ({ message }) => ({
      signer,
      signature: Buffer.from(key.sign(bytesOf(message)).signature).toString('base64'),
    }),
  };
}

export function p256Signer(kind: 'device' | 'passkey', name: string = randomUUID()): TestSigner {
  const key = p256Key(kind, name);
  const point = key.key.kind === 'ed25519' ? new Uint8Array() : key.key.key;
  const word = (at: number) => BigInt(hex(point.subarray(at, at + 32))).toString();
  const signer: Signer = {
    type: kind,
    locator: `${kind}:${name}`,
    id: name,
    name,
    publicKey: { x: word(1), y: word(33) },
  };
  return {
    signer,
    key,
    approve({ message }) {
      const { signature: made, passkey } = key.sign(bytesOf(message));
      const signature = { r: hex(made.subarray(0, 32)), s: hex(made.subarray(32)) };
      if (!passkey) return { signer, signature };
      const metadata = {
        authenticatorData: hex(passkey.authenticatorData),
        clientDataJSON: Buffer.from(passkey.clientData).toString(),
        challengeIndex: 23,
        typeIndex: 1,
        userVerificationRequired: true,
      };
      return { signer, signature, metadata };
    },
  };
}

export function quorumOf(threshold: number, members: readonly TestSigner[]): QuorumSigner {
  return {
    type: 'quorum',
    locator: `quorum:${randomUUID()}`,
    threshold,
    members: members.map(({ signer }) => signer) as never,
  };
}

const bytesOf = (message: string) => new Uint8Array(Buffer.from(message, 'base64'));
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
