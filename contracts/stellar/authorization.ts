import { Address, hash, xdr } from '@stellar/stellar-sdk/base';
import { keyValue, type SignerKey } from './setup.ts';

/** What signers sign, and how that is put into an authorization entry. */

/** Who acts: a group of the set-up by its index, or a delegate. */
export type Actor = { readonly group: number } | { readonly delegate: SignerKey };

/**
 * What a nonce says of the time it was made in: the wallet's epoch, or the delegate's generation.
 */
export type Stamp = { readonly epoch: number } | { readonly generation: number };

export interface Approval {
  /** Of the member in its ordered group; 0 for a delegate. */
  readonly index: number;
  /** 64 bytes; of P-256 r and s, the lower of the two that verify. */
  readonly signature: Uint8Array;
  readonly passkey?: { readonly authenticatorData: Uint8Array; readonly clientData: Uint8Array };
}

export interface Authorization {
  readonly networkPassphrase: string;
  readonly wallet: string;
  readonly nonce: bigint;
  /** The last ledger in which it holds. */
  readonly expirationLedger: number;
  readonly invocation: xdr.SorobanAuthorizedInvocation;
  /**
   * `bound` holds the wallet's address (protocol 27). In the other form each call has to be of the
   * wallet, or name it first.
   */
  readonly form: 'bound' | 'unbound';
}

const ofDelegate = 2n ** 31n;

/** @param number below 2 ** 32, never used before with the same stamp */
export function nonceOf(stamp: Stamp, number: number): bigint {
  const upper = 'epoch' in stamp ? BigInt(stamp.epoch) : ofDelegate | BigInt(stamp.generation);
  return BigInt.asIntN(64, (upper << 32n) | BigInt(number));
}

/** What the payload is the SHA-256 of. */
export function preimageOf({
  networkPassphrase,
  wallet,
  form,
  invocation,
  nonce,
  expirationLedger,
}: Authorization): Uint8Array {
  const common = {
    networkId: new xdr.Hash(hash(Buffer.from(networkPassphrase))),
    nonce,
    signatureExpirationLedger: expirationLedger,
    invocation,
  };
  const preimage =
    form === 'bound'
      ? xdr.HashIdPreimage.envelopeTypeSorobanAuthorizationWithAddress(
          new xdr.HashIdPreimageSorobanAuthorizationWithAddress({
            ...common,
            address: new Address(wallet).toScAddress(),
          }),
        )
      : xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
          new xdr.HashIdPreimageSorobanAuthorization(common),
        );
  return preimage.toXDR();
}

/** The 32 bytes that Ed25519 keys and devices sign as a message, and passkeys as the challenge. */
export function payloadOf(authorization: Authorization): Uint8Array {
  return hash(preimageOf(authorization));
}

/** @param approvals ascending by index */
export function signatureValue(
  preimage: Uint8Array,
  actor: Actor,
  approvals: readonly Approval[],
): xdr.ScVal {
  const { scvBytes, scvU32, scvVec } = xdr.ScVal;
  const values = approvals.map(({ index, signature, passkey }) =>
    scvVec([
      scvU32(index),
      scvBytes(signature),
      ...(passkey === undefined
        ? []
        : [scvBytes(passkey.authenticatorData), scvBytes(passkey.clientData)]),
    ]),
  );
  return scvVec([
    scvBytes(preimage),
    'group' in actor ? scvU32(actor.group) : keyValue(actor.delegate),
    scvVec(values),
  ]);
}

export function authorizationEntry(
  authorization: Authorization,
  signature: xdr.ScVal,
): xdr.SorobanAuthorizationEntry {
  const { wallet, nonce, expirationLedger, invocation, form } = authorization;
  const credentials = new xdr.SorobanAddressCredentials({
    address: new Address(wallet).toScAddress(),
    nonce,
    signatureExpirationLedger: expirationLedger,
    signature,
  });
  return new xdr.SorobanAuthorizationEntry({
    credentials:
      form === 'bound'
        ? xdr.SorobanCredentials.sorobanCredentialsAddressV2(credentials)
        : xdr.SorobanCredentials.sorobanCredentialsAddress(credentials),
    rootInvocation: invocation,
  });
}
