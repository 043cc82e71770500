import { z } from 'zod';
import type { Operation } from '../../../../contracts/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { type Hex, isEvmAddress } from '../abi/words.ts';
import { type Authority, storeAuthority, storedAuthoritySchema } from '../wallet/authority.ts';
import type { Delegation } from '../wallet/delegation.ts';
import { hashOperation } from './operation.ts';

/** An operation as the service stores it between its preparation and its end. */
export interface StoredOperation {
  /** Name of the network. */
  readonly chain: string;
  readonly chainId: number;
  /** EIP-712 hash: what is signed. */
  readonly hash: Hex;
  /** True when the wallet had stood on the chain for a while when the operation was prepared. */
  readonly deployed: boolean;
  /** Whose signature it needs. */
  readonly authority: Authority;
  /** Gas that the chain may take to check it, beyond that of one owner who is an address. */
  readonly authorityGas: bigint;
  readonly operation: Operation;
  /**
   * Of an account that is not known to have run our code for a while: what its key signs beside the
   * operation.
   */
  readonly delegation?: Delegation;
}

const hex = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'));
const address = z.custom<Hex>((value) => typeof value === 'string' && isEvmAddress(value));
const integer = z.string().transform(BigInt);

const storedSchema = z.object({
  chain: z.string(),
  chainId: z.int(),
  hash: hex,
  deployed: z.boolean(),
  authority: storedAuthoritySchema,
  authorityGas: integer,
  wallet: address,
  calls: z.array(z.object({ to: address, value: integer, data: hex })),
  nonce: integer,
  epoch: integer,
  validAfter: z.int(),
  validUntil: z.int(),
  callGas: integer,
  delegationNonce: integer.optional(),
});

/** What was stored a moment ago is handed on as the same object: then it need not be read again. */
const justStored = new WeakMap<JsonObject, StoredOperation>();

export function storeOperation(stored: StoredOperation): JsonObject {
  const value = encodeStored(stored);
  justStored.set(value, stored);
  return value;
}

function encodeStored({
  chain,
  chainId,
  hash,
  deployed,
  authority,
  authorityGas,
  operation,
  delegation,
}: StoredOperation): JsonObject {
  const storedAuthority = storeAuthority(authority);
  return {
    chain,
    chainId,
    hash,
    deployed,
    ...(storedAuthority === undefined ? {} : { authority: storedAuthority }),
    authorityGas: authorityGas.toString(),
    wallet: operation.wallet,
    calls: operation.calls.map(({ to, value, data }) => ({ to, value: value.toString(), data })),
    nonce: operation.nonce.toString(),
    epoch: operation.epoch.toString(),
    validAfter: operation.validAfter,
    validUntil: operation.validUntil,
    callGas: operation.callGas.toString(),
    ...(delegation && { delegationNonce: delegation.nonce.toString() }),
  };
}

/**
 * The operation, with the hash of what it holds: where another one is stored beside it, the value
 * was changed.
 * @throws Error then, and when the value is not one of {@link storeOperation}
 */
export function readOperation(value: JsonObject): StoredOperation {
  const known = justStored.get(value);
  if (known) return known;
  const { chain, chainId, hash, deployed, authority, authorityGas, delegationNonce, ...operation } =
    storedSchema.parse(value);
  if (hashOperation(chainId, operation) !== hash.toLowerCase())
    throw new Error(
      `A stored operation of ${operation.wallet} is not the one of its hash ${hash}: it was changed.`,
    );
  const delegation =
    delegationNonce === undefined ? {} : { delegation: { chainId, nonce: delegationNonce } };
  return { chain, chainId, hash, deployed, authority, authorityGas, operation, ...delegation };
}
