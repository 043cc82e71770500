import { ed25519 } from '@noble/curves/ed25519.js';
import { StrKey, xdr } from '@stellar/stellar-sdk/base';
import { fault, HostFault } from '../fault.ts';
import type { Machine } from '../machine.ts';
import { compareBytes } from '../values/compare.ts';
import { fieldOf } from '../values/contexts.ts';

const signaturesMax = 20;
/** Codes of the network's own contracts. */
const authenticationError = 5;

interface AccountSignature {
  readonly address: xdr.ScAddress;
  readonly payload: Uint8Array;
  readonly signature: xdr.ScVal;
}

/**
 * Signatures of a classic account: a list of keys in their order, together of medium weight.
 * @throws HostFault
 */
export function accountSignatureCheck(
  machine: Machine,
  { address, payload, signature }: AccountSignature,
): void {
  if (address.type !== 'scAddressTypeAccount' || signature.type !== 'scvVec')
    throw refused('the signature is no list');
  const signatures = signature.vec ?? [];
  if (signatures.length === 0 || signatures.length > signaturesMax)
    throw refused(`between 1 and ${signaturesMax} signatures are needed`);
  const stored = machine.storage.get(
    xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: address.accountId })),
  );
  if (stored?.entry.data.type !== 'account')
    throw fault('storage', 'MissingValue', 'the account does not exist');
  const account = stored.entry.data.account;
  let weight = 0;
  let previous: Uint8Array | undefined;
  for (const item of signatures) {
    const key = bytesOf(fieldOf(item, 'public_key'), 32);
    if (previous && compareBytes(previous, key) >= 0)
      throw refused('the public keys are not in their order');
    machine.budget.charge(400_000);
    if (!isSigned(bytesOf(fieldOf(item, 'signature'), 64), payload, key))
      throw fault('crypto', 'InvalidInput', 'a wrong ed25519 signature');
    const own = weightOf(account, key);
    if (own === 0) throw refused('a signer that is none of the account');
    weight += own;
    previous = key;
  }
  const needed = account.thresholds.value[2]!;
  if (weight < needed) throw refused(`the signers weigh ${weight} of ${needed}`);
}

const refused = (why: string) => new HostFault(xdr.ScError.sceContract(authenticationError), why);

function bytesOf(value: xdr.ScVal, length: number): Uint8Array {
  if (value.type !== 'scvBytes' || value.bytes.value.length !== length)
    throw fault('value', 'UnexpectedType', `${length} bytes are needed`);
  return value.bytes.value;
}

/** As strict as the network: no key and no signature with a second form. */
export function isSigned(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}

/** Weight of a key in an account: its own key has the master's. */
export function weightOf(account: xdr.AccountEntry, key: Uint8Array): number {
  const same = (other: Uint8Array) => compareBytes(other, key) === 0;
  if (same(StrKey.decodeEd25519PublicKey(accountText(account))))
    return account.thresholds.value[0]!;
  const signer = account.signers.find(
    ({ key: own }) => own.type === 'signerKeyTypeEd25519' && same(own.ed25519.value),
  );
  return Math.min(signer?.weight ?? 0, 255);
}

const accountText = (account: xdr.AccountEntry) =>
  StrKey.encodeEd25519PublicKey(account.accountId.ed25519.value);
