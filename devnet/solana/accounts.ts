import { token2022Program, tokenProgram } from './program-ids.ts';
import { readTokenAccount } from './token-accounts.ts';

export interface Account {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

interface Version {
  readonly slot: number;
  /** Null: there is no such account. */
  readonly account: Account | null;
}

/**
 * The accounts that transactions made or changed, as each commitment sees them: the newest versions
 * and all that are not final yet. litesvm knows the newest alone and finds by address alone.
 */
export class Accounts {
  readonly #versions = new Map<string, readonly Version[]>();
  readonly #byProgram = new Index();
  readonly #byTokenOwner = new Index();
  readonly #byDelegate = new Index();

  /** @param finalized versions that no reader can ask for any more are dropped */
  write(
    address: string,
    account: Account | null,
    at: { readonly slot: number; readonly finalized: number },
  ): void {
    const earlier = this.#versions.get(address) ?? [];
    const kept = [
      ...earlier.filter((version) => version.slot < at.slot),
      { slot: at.slot, account },
    ];
    const newestFinal = kept.findLastIndex((version) => version.slot <= at.finalized);
    this.#set(address, newestFinal > 0 ? kept.slice(newestFinal) : kept);
  }

  /** Past all rules: every commitment sees it at once, and what was there before is forgotten. */
  replace(address: string, account: Account | null, slot: number): void {
    this.#set(address, [{ slot, account }]);
  }

  /** As of a slot; undefined: never changed by a transaction, so whatever the chain began with. */
  read(address: string, slot: number): Account | null | undefined {
    const versions = this.#versions.get(address);
    if (!versions) return undefined;
    return versions.findLast((version) => version.slot <= slot)?.account;
  }

  /** When this account was written last. */
  writtenAt(address: string, slot: number): number | undefined {
    return this.#versions.get(address)?.findLast((version) => version.slot <= slot)?.slot;
  }

  ofProgram(program: string, slot: number): [string, Account][] {
    return this.#pick(this.#byProgram.get(program), slot, (account) => account.owner === program);
  }

  ofTokenOwner(owner: string, slot: number): [string, Account][] {
    return this.#pick(
      this.#byTokenOwner.get(owner),
      slot,
      (account) => readTokenAccount(account)?.owner === owner,
    );
  }

  ofTokenDelegate(delegate: string, slot: number): [string, Account][] {
    return this.#pick(
      this.#byDelegate.get(delegate),
      slot,
      (account) => readTokenAccount(account)?.delegate === delegate,
    );
  }

  /** The newest of all that exist. */
  *entries(): Generator<[string, Account]> {
    for (const [address, versions] of this.#versions) {
      const account = versions.at(-1)?.account;
      if (account) yield [address, account];
    }
  }

  #set(address: string, versions: readonly Version[]): void {
    this.#versions.set(address, versions);
    this.#index(
      address,
      versions.flatMap((version) => version.account ?? []),
    );
  }

  #index(address: string, accounts: readonly Account[]): void {
    const tokens = accounts
      .filter(({ owner }) => owner === tokenProgram || owner === token2022Program)
      .flatMap((account) => readTokenAccount(account) ?? []);
    this.#byProgram.set(address, new Set(accounts.map(({ owner }) => owner)));
    this.#byTokenOwner.set(address, new Set(tokens.map(({ owner }) => owner)));
    this.#byDelegate.set(address, new Set(tokens.flatMap(({ delegate }) => delegate ?? [])));
  }

  #pick(
    addresses: Iterable<string>,
    slot: number,
    fits: (account: Account) => boolean,
  ): [string, Account][] {
    return [...addresses].flatMap((address) => {
      const account = this.read(address, slot);
      return account && fits(account) ? [[address, account] as [string, Account]] : [];
    });
  }
}

/** Addresses by a key of theirs; each address may have several. */
class Index {
  readonly #addresses = new Map<string, Set<string>>();
  readonly #keys = new Map<string, ReadonlySet<string>>();

  get(key: string): Iterable<string> {
    return this.#addresses.get(key) ?? [];
  }

  set(address: string, keys: ReadonlySet<string>): void {
    const before = this.#keys.get(address) ?? new Set();
    for (const key of before) {
      if (keys.has(key)) continue;
      const addresses = this.#addresses.get(key);
      addresses?.delete(address);
      if (addresses?.size === 0) this.#addresses.delete(key);
    }
    for (const key of keys) {
      const addresses = this.#addresses.get(key);
      if (addresses) addresses.add(address);
      else this.#addresses.set(key, new Set([address]));
    }
    if (keys.size > 0) this.#keys.set(address, keys);
    else this.#keys.delete(address);
  }
}
