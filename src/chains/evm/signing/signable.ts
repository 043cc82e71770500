import type { JsonObject } from '../../../lib/json/json.ts';
import type { Hex } from '../abi/words.ts';
import { operationPreimage } from '../operation/operation.ts';
import { readOperation } from '../operation/prepared-operation.ts';
import type { Authority } from '../wallet/authority.ts';
import type { Delegation } from '../wallet/delegation.ts';
import { isSignatureRequest, readSignatureRequest } from './signature-request.ts';

/** What signers approve, an operation or a signature request, with the hash of what it holds. */
export interface Signable {
  readonly hash: Hex;
  readonly chain: string;
  readonly wallet: Hex;
  readonly authority: Authority;
  /** What `hash` is the hash of, for owners that are contracts. */
  preimage(): Hex;
  /** True: the signer's own signature is asked for, not the wallet's. */
  readonly own: boolean;
  /** What the key of the account signs beside it. */
  readonly delegation?: Delegation;
}

/** @throws Error when the value contradicts itself or is none that was stored */
export function readSignable(value: JsonObject): Signable {
  if (isSignatureRequest(value)) {
    const { hash, chain, wallet, authority, preimage, own } = readSignatureRequest(value);
    return { hash, chain, wallet, authority, preimage: () => preimage, own };
  }
  const { hash, chain, chainId, operation, authority, delegation } = readOperation(value);
  const common = {
    hash,
    chain,
    wallet: operation.wallet,
    authority,
    preimage: () => operationPreimage(chainId, operation),
    own: false,
  };
  return { ...common, ...(delegation && { delegation }) };
}
