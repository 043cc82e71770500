import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { isSigned } from '../auth/account-check.ts';
import { fault } from '../fault.ts';
import { type Call, define, type HostTable } from './define.ts';

/** About what the network charges for them. */
const costs = { ed25519: 400_000, secp256k1: 2_300_000, secp256r1: 3_000_000, block: 4_000 };

function checkSize(bytes: Uint8Array, size: number, what: string): void {
  if (bytes.length !== size)
    throw fault('crypto', 'InvalidInput', `${what} has ${size} bytes, not ${bytes.length}`);
}

function chargeHash({ machine }: Call, bytes: Uint8Array): void {
  machine.budget.charge(costs.block + bytes.length * 35);
}

/** What a library refuses to read is no signature. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

const wrong = (what: string) => fault('crypto', 'InvalidInput', `a wrong ${what} signature`);

export const cryptoFunctions: HostTable = [
  define('c._', ['BytesObject'], 'Bytes', (call, bytes) => {
    chargeHash(call, bytes);
    return Uint8Array.from(createHash('sha256').update(bytes).digest());
  }),
  define(
    'c.0',
    ['BytesObject', 'BytesObject', 'BytesObject'],
    'Void',
    ({ machine }, key, message, signature) => {
      machine.budget.charge(costs.ed25519 + message.length * 20);
      checkSize(key, 32, 'an ed25519 key');
      checkSize(signature, 64, 'an ed25519 signature');
      if (!isSigned(signature, message, key)) throw wrong('ed25519');
    },
  ),
  define('c.1', ['BytesObject'], 'Bytes', (call, bytes) => {
    chargeHash(call, bytes);
    return keccak_256(bytes);
  }),
  define(
    'c.2',
    ['BytesObject', 'BytesObject', 'U32Val'],
    'Bytes',
    ({ machine }, digest, signature, recovery) => {
      machine.budget.charge(costs.secp256k1);
      checkSize(digest, 32, 'a digest');
      checkSize(signature, 64, 'a secp256k1 signature');
      const key = attempt(() => {
        const parsed = secp256k1.Signature.fromBytes(
          Uint8Array.of(recovery, ...signature),
          'recovered',
        );
        return parsed.hasHighS() ? undefined : parsed.recoverPublicKey(digest).toBytes(false);
      });
      if (!key) throw wrong('secp256k1');
      return key;
    },
  ),
  define(
    'c.3',
    ['BytesObject', 'BytesObject', 'BytesObject'],
    'Void',
    ({ machine }, key, digest, signature) => {
      machine.budget.charge(costs.secp256r1);
      checkSize(key, 65, 'a secp256r1 key');
      checkSize(digest, 32, 'a digest');
      checkSize(signature, 64, 'a secp256r1 signature');
      if (!attempt(() => p256.verify(signature, digest, key, { prehash: false, lowS: true })))
        throw wrong('secp256r1');
    },
  ),
];
