import { bcs } from '@mysten/bcs';
import { address, byteVector } from './primitives.ts';

/** Keys of any kind, in the order of their variants. Keyless accounts are not read. */
export const anyPublicKey = bcs.enum('AnyPublicKey', {
  ed25519: byteVector,
  secp256k1: byteVector,
  secp256r1: byteVector,
});
export type AnyPublicKey = typeof anyPublicKey.$inferInput;

const anySignature = bcs.enum('AnySignature', { ed25519: byteVector, secp256k1: byteVector });

export const multiKey = bcs.struct('MultiKey', {
  publicKeys: bcs.vector(anyPublicKey),
  signaturesRequired: bcs.u8(),
});

const accountAuthenticator = bcs.enum('AccountAuthenticator', {
  ed25519: bcs.struct('Ed25519', { publicKey: byteVector, signature: byteVector }),
  multiEd25519: bcs.struct('MultiEd25519', { publicKey: byteVector, signature: byteVector }),
  singleKey: bcs.struct('SingleKey', { publicKey: anyPublicKey, signature: anySignature }),
  multiKey: bcs.struct('MultiKeyAuthenticator', {
    publicKeys: multiKey,
    signatures: bcs.vector(anySignature),
    /** One bit for each key that signed, the first key's the highest of the first byte. */
    bitmap: byteVector,
  }),
  none: null,
});
export type AccountAuthenticator = typeof accountAuthenticator.$inferType;

export const transactionAuthenticator = bcs.enum('TransactionAuthenticator', {
  ed25519: bcs.struct('Ed25519', { publicKey: byteVector, signature: byteVector }),
  multiEd25519: bcs.struct('MultiEd25519', { publicKey: byteVector, signature: byteVector }),
  multiAgent: bcs.struct('MultiAgent', {
    sender: accountAuthenticator,
    secondaryAddresses: bcs.vector(address),
    secondary: bcs.vector(accountAuthenticator),
  }),
  feePayer: bcs.struct('FeePayer', {
    sender: accountAuthenticator,
    secondaryAddresses: bcs.vector(address),
    secondary: bcs.vector(accountAuthenticator),
    feePayerAddress: address,
    feePayer: accountAuthenticator,
  }),
  singleSender: accountAuthenticator,
});
export type TransactionAuthenticator = typeof transactionAuthenticator.$inferType;
