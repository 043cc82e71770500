import { xdr } from '@stellar/stellar-sdk/base';
import { isSigned, weightOf } from '../host/auth/account-check.ts';

/** Signatures of an envelope: each is of a key, and each must be of use. */
export class Signatures {
  readonly #hash: Uint8Array;
  readonly #signatures: readonly xdr.DecoratedSignature[];
  readonly #used = new Set<xdr.DecoratedSignature>();

  constructor(hash: Uint8Array, signatures: readonly xdr.DecoratedSignature[]) {
    this.#hash = hash;
    this.#signatures = signatures;
  }

  /** Whether the account's signers that signed weigh enough together. */
  isEnough(account: xdr.AccountEntry, level: 'low' | 'med' | 'high'): boolean {
    const needed = Math.max(account.thresholds.value[{ low: 1, med: 2, high: 3 }[level]]!, 1);
    const others = account.signers.flatMap(({ key }) =>
      key.type === 'signerKeyTypeEd25519' ? [key.ed25519.value] : [],
    );
    let weight = 0;
    for (const key of [account.accountId.ed25519.value, ...others]) {
      const own = weightOf(account, key);
      if (own === 0 || !this.has(key)) continue;
      weight += own;
      if (weight >= needed) return true;
    }
    return false;
  }

  has(key: Uint8Array): boolean {
    const hint = key.subarray(-4);
    const found = this.#signatures.find(
      (one) =>
        Buffer.compare(one.hint.value, hint) === 0 &&
        isSigned(one.signature.value, this.#hash, key),
    );
    if (found) this.#used.add(found);
    return found !== undefined;
  }

  get areAllUsed(): boolean {
    return this.#used.size === this.#signatures.length;
  }
}
