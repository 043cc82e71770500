import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/** A wallet that a test can sign with. */
export interface TestWallet {
  readonly address: string;
  sign(text: string): Promise<string>;
}

export function anEvmWallet(): TestWallet {
  const account = privateKeyToAccount(generatePrivateKey());
  return { address: account.address, sign: (message) => account.signMessage({ message }) };
}

/** Signs with Node's own Ed25519, not with the library that checks. */
function anEd25519Key() {
  const seed = randomBytes(32);
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    publicKey: ed25519.getPublicKey(seed),
    sign: (bytes: Buffer) => sign(null, bytes, key).toString('base64'),
  };
}

/** An account on Solana: it signs transactions too. */
export interface SolanaKey extends TestWallet {
  /** In base64. */
  signBytes(bytes: Uint8Array): Promise<string>;
}

export function aSolanaWallet(): SolanaKey {
  const { publicKey, sign: signBytes } = anEd25519Key();
  return {
    address: bs58.encode(publicKey),
    sign: async (text) => signBytes(Buffer.from(text)),
    signBytes: async (bytes) => signBytes(Buffer.from(bytes)),
  };
}

/** `prefixed`: as wallets sign that follow SEP-53. */
export function aStellarWallet({ prefixed = false } = {}): TestWallet {
  const { publicKey, sign: signBytes } = anEd25519Key();
  const digest = (text: string) =>
    createHash('sha256').update(`Stellar Signed Message:\n${text}`).digest();
  return {
    address: encodeStellar(6 << 3, publicKey),
    sign: async (text) => signBytes(prefixed ? digest(text) : Buffer.from(text)),
  };
}

/** A wallet of its SDK. */
export function aSuiWallet(): TestWallet {
  return suiWallet(new Ed25519Keypair());
}

/** Two keys of which both sign. */
export function aSuiMultisig(): TestWallet {
  const keys = [new Ed25519Keypair(), new Secp256r1Keypair()];
  const publicKeys = keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 }));
  const both = MultiSigPublicKey.fromPublicKeys({ threshold: 2, publicKeys });
  return {
    address: both.toSuiAddress(),
    sign: async (text) =>
      both.combinePartialSignatures(
        await Promise.all(keys.map((key) => suiWallet(key).sign(text))),
      ),
  };
}

function suiWallet(key: Ed25519Keypair | Secp256r1Keypair): TestWallet {
  return {
    address: key.toSuiAddress(),
    sign: async (text) => (await key.signPersonalMessage(Buffer.from(text))).signature,
  };
}

/**
 * StrKey, written the other way round than the code under test: bit by bit, with a table-free CRC
 * over a bit string.
 */
export function encodeStellar(version: number, key: Uint8Array): string {
  const payload = Buffer.concat([Buffer.from([version]), key]);
  const all = Buffer.concat([payload, Buffer.alloc(2)]);
  all.writeUInt16LE(crcOfBits([...payload].flatMap(bitsOf)), payload.length);
  const bits = [...all].flatMap(bitsOf).join('');
  return bits.replaceAll(
    /.{5}/g,
    (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]!,
  );
}

const bitsOf = (byte: number) => byte.toString(2).padStart(8, '0').split('').map(Number);

function crcOfBits(bits: readonly number[]): number {
  return [...bits, ...Array<number>(16).fill(0)].reduce((crc, bit) => {
    const shifted = (crc << 1) | bit;
    return shifted & 0x10000 ? shifted ^ 0x11021 : shifted;
  }, 0);
}
