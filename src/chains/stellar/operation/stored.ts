import { Address, hash, xdr } from '@stellar/stellar-sdk/base';
import { z } from 'zod';
import {
  type Actor,
  type Authorization,
  type ContractCall,
  payloadOf,
  preimageOf,
  readStoredKey,
  type SignerKey,
  storedKey,
} from '../../../../contracts/stellar/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';

/**
 * An operation as the service stores it between its preparation and its end. What is signed is the
 * hash of `preimage`: network, nonce, expiry, the wallet's address and the whole tree of calls are
 * read from those bytes, and nothing is stored beside them that they say.
 */
export interface StoredOperation {
  readonly chain: string;
  readonly wallet: string;
  readonly authorization: Authorization;
  /** The call at the root of the tree: what the relay runs. */
  readonly call: ContractCall;
  /** Who approves; undefined: the one key of an account. */
  readonly actor?: Actor;
  /**
   * Keys that approve, in the order in which the contract counts them, and how many of them have
   * to.
   */
  readonly keys: readonly SignerKey[];
  readonly threshold: number;
  /** How the wallet is made, where it is not there yet. */
  readonly deployment?: { readonly factory: string; readonly setup: xdr.ScVal };
  /** Entries of others, signed by them. */
  readonly others: readonly xdr.SorobanAuthorizationEntry[];
  readonly validUntil: Date;
  /** The most that it may cost the service, in stroops. */
  readonly costMax: bigint;
}

const storedSchema = z.object({
  chain: z.string(),
  wallet: z.string(),
  preimage: z.string(),
  form: z.enum(['bound', 'unbound']),
  passphrase: z.string(),
  /** Index of the group, or null: a delegate, whose key is the only one. Absent: an account. */
  group: z.int().nonnegative().nullish(),
  keys: z.array(z.string().regex(/^(?:[0-9a-f]{66}|[0-9a-f]{132})$/)).min(1),
  threshold: z.int().positive(),
  deployment: z.object({ factory: z.string(), setup: z.string() }).optional(),
  others: z.array(z.string()),
  validUntil: z.int(),
  costMax: z.string().regex(/^\d{1,19}$/),
});

export function storeOperation(operation: Omit<StoredOperation, 'call'>): JsonObject {
  const { authorization, actor, deployment } = operation;
  return {
    chain: operation.chain,
    wallet: operation.wallet,
    preimage: Buffer.from(preimageOf(authorization)).toString('base64'),
    form: authorization.form,
    passphrase: authorization.networkPassphrase,
    ...(actor && { group: 'group' in actor ? actor.group : null }),
    keys: operation.keys.map((key) => Buffer.from(storedKey(key)).toString('hex')),
    threshold: operation.threshold,
    ...(deployment && {
      deployment: { factory: deployment.factory, setup: deployment.setup.toXdr('base64') },
    }),
    others: operation.others.map((entry) => entry.toXdr('base64')),
    validUntil: operation.validUntil.getTime(),
    costMax: operation.costMax.toString(),
  };
}

/** @throws Error when the value is not one of {@link storeOperation}, or contradicts itself */
export function readOperation(value: JsonObject): StoredOperation {
  const stored = storedSchema.parse(value);
  const keys = stored.keys.map((key) => readStoredKey(new Uint8Array(Buffer.from(key, 'hex'))));
  const authorization = readPreimage(stored);
  return {
    chain: stored.chain,
    wallet: stored.wallet,
    authorization,
    call: callOf(authorization.invocation),
    ...(stored.group !== undefined && {
      actor: stored.group === null ? { delegate: keys[0]! } : { group: stored.group },
    }),
    keys,
    threshold: stored.threshold,
    ...(stored.deployment && {
      deployment: {
        factory: stored.deployment.factory,
        setup: xdr.ScVal.fromXdr(stored.deployment.setup, 'base64'),
      },
    }),
    others: stored.others.map((text) => xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64')),
    validUntil: new Date(stored.validUntil),
    costMax: BigInt(stored.costMax),
  };
}

interface StoredPreimage {
  readonly wallet: string;
  readonly preimage: string;
  readonly form: Authorization['form'];
  readonly passphrase: string;
}

function readPreimage({ wallet, preimage: text, form, passphrase }: StoredPreimage): Authorization {
  const preimage = xdr.HashIdPreimage.fromXdr(text, 'base64');
  const signed = signedOf(preimage);
  if (!signed)
    throw new Error(
      `What is stored for ${wallet} is signed for nothing that it is: it was changed.`,
    );
  const networkId = hash(Buffer.from(passphrase));
  const isOwn =
    signed.address === undefined
      ? form === 'unbound'
      : form === 'bound' && signed.address === wallet;
  if (!isOwn || !Buffer.from(signed.networkId).equals(networkId))
    throw new Error(
      `A stored operation of ${wallet} is not of it, or of another network: it was changed.`,
    );
  const { nonce, expirationLedger, invocation } = signed;
  return { networkPassphrase: passphrase, wallet, nonce, expirationLedger, invocation, form };
}

function signedOf(preimage: xdr.HashIdPreimage) {
  if (preimage.type === 'envelopeTypeSorobanAuthorizationWithAddress') {
    const { address, networkId, nonce, signatureExpirationLedger, invocation } =
      preimage.sorobanAuthorizationWithAddress;
    const of = Address.fromScAddress(address).toString();
    return {
      address: of,
      networkId: networkId.value,
      nonce,
      expirationLedger: signatureExpirationLedger,
      invocation,
    };
  }
  if (preimage.type !== 'envelopeTypeSorobanAuthorization') return undefined;
  const { networkId, nonce, signatureExpirationLedger, invocation } = preimage.sorobanAuthorization;
  return {
    address: undefined,
    networkId: networkId.value,
    nonce,
    expirationLedger: signatureExpirationLedger,
    invocation,
  };
}

/** The call that an invocation is of. @throws TypeError for one that creates a contract */
export function callOf({ function: called }: xdr.SorobanAuthorizedInvocation): ContractCall {
  if (called.type !== 'sorobanAuthorizedFunctionTypeContractFn')
    throw new TypeError('creates a contract, and calls none');
  const { contractAddress, functionName, args } = called.contractFn;
  return {
    contract: Address.fromScAddress(contractAddress).toString(),
    method: String(functionName),
    args,
  };
}

/** As answered in `approvals.pending[].message`: the 32 bytes that signers sign, in base64. */
export function messageOf(authorization: Authorization): string {
  return Buffer.from(payloadOf(authorization)).toString('base64');
}

/**
 * Whose entry it is; undefined: of the source of its transaction, or of a form that is not known
 * here.
 */
export function entryAddress(entry: xdr.SorobanAuthorizationEntry): string | undefined {
  const credentials = addressCredentials(entry);
  return credentials && Address.fromScAddress(credentials.address).toString();
}

export function addressCredentials({
  credentials,
}: xdr.SorobanAuthorizationEntry): xdr.SorobanAddressCredentials | undefined {
  if (credentials.type === 'sorobanCredentialsAddress') return credentials.address;
  return credentials.type === 'sorobanCredentialsAddressV2' ? credentials.addressV2 : undefined;
}
