import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from './fault.ts';

/** What the ledger keeps under a key. */
export interface Stored {
  readonly entry: xdr.LedgerEntry;
  /** Last ledger in which it lives; entries of classic accounts have no end. */
  readonly liveUntil?: number;
}

/** Keys are ledger keys as XDR in base64. */
export interface LedgerView {
  get(key: string): Stored | undefined;
}

export interface TtlSettings {
  readonly minTemporary: number;
  readonly minPersistent: number;
  readonly max: number;
}

export interface Footprint {
  readonly readOnly: readonly string[];
  readonly readWrite: readonly string[];
}

export interface Change {
  readonly key: string;
  readonly before?: Stored;
  readonly after?: Stored;
}

export interface StorageOptions {
  readonly ledger: LedgerView;
  readonly sequence: number;
  readonly ttl: TtlSettings;
  /** Absent: what is touched is recorded. */
  readonly footprint?: Footprint;
}

const keyBytesMax = 250;
const entryBytesMax = 65_536;

export const ledgerKey = (key: xdr.LedgerKey): string => key.toXdr('base64');

export const durabilityOf = (key: xdr.LedgerKey): 'temporary' | 'persistent' | 'classic' => {
  if (key.type === 'contractData') return key.contractData.durability.name;
  return key.type === 'contractCode' ? 'persistent' : 'classic';
};

export function dataKey(
  contract: xdr.ScAddress,
  key: xdr.ScVal,
  durability: 'temporary' | 'persistent',
): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract,
      key,
      durability: xdr.ContractDataDurability[durability],
    }),
  );
}

export const instanceKey = (contract: xdr.ScAddress): xdr.LedgerKey =>
  dataKey(contract, xdr.ScVal.scvLedgerKeyContractInstance(), 'persistent');

export const codeKey = (hash: Uint8Array): xdr.LedgerKey =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash }));

export function isArchived(key: xdr.LedgerKey, { liveUntil }: Stored, sequence: number): boolean {
  return durabilityOf(key) === 'persistent' && liveUntil !== undefined && liveUntil < sequence;
}

/** The entries of one invocation: what it read and wrote, over a ledger that does not change. */
export class Storage {
  readonly #options: StorageOptions;
  readonly #readOnly: Set<string>;
  readonly #readWrite: Set<string>;
  readonly #keys = new Map<string, xdr.LedgerKey>();
  readonly #restored = new Set<string>();
  #overlay = new Map<string, Stored | undefined>();

  constructor(options: StorageOptions) {
    this.#options = options;
    this.#readOnly = new Set(options.footprint?.readOnly);
    this.#readWrite = new Set(options.footprint?.readWrite);
  }

  get sequence(): number {
    return this.#options.sequence;
  }

  /** @throws HostFault outside the footprint */
  get(key: xdr.LedgerKey): Stored | undefined {
    const text = this.#touch(key, false);
    return this.#load(text, key);
  }

  /** How it is now, without touching it: not archived, not ended, there. */
  peek(key: xdr.LedgerKey): 'live' | 'absent' {
    const text = ledgerKey(key);
    const stored = this.#overlay.has(text)
      ? this.#overlay.get(text)
      : this.#options.ledger.get(text);
    return stored && (stored.liveUntil ?? this.sequence) >= this.sequence ? 'live' : 'absent';
  }

  has(key: xdr.LedgerKey): boolean {
    return this.get(key) !== undefined;
  }

  put(
    key: xdr.LedgerKey,
    data: xdr.LedgerEntryData,
    liveUntil?: number,
    ext?: xdr.LedgerEntryExt,
  ): void {
    const text = this.#touch(key, true);
    const before = this.#load(text, key);
    checkSize(key, data);
    const kept = ext ?? before?.entry.ext ?? xdr.LedgerEntryExt.v0();
    const entry = new xdr.LedgerEntry({ lastModifiedLedgerSeq: this.sequence, data, ext: kept });
    this.#overlay.set(text, {
      entry,
      liveUntil: liveUntil ?? before?.liveUntil ?? this.minLiveUntil(durabilityOf(key)),
    });
  }

  delete(key: xdr.LedgerKey): void {
    const text = this.#touch(key, true);
    this.#load(text, key);
    this.#overlay.set(text, undefined);
  }

  minLiveUntil(durability: 'temporary' | 'persistent' | 'classic'): number | undefined {
    const { ttl } = this.#options;
    if (durability === 'classic') return undefined;
    return this.sequence + (durability === 'temporary' ? ttl.minTemporary : ttl.minPersistent) - 1;
  }

  get maxLiveUntil(): number {
    return this.sequence + this.#options.ttl.max - 1;
  }

  /** Sets the end to `extendTo` ledgers from now where at most `threshold` are left. */
  extend(key: xdr.LedgerKey, threshold: number, extendTo: number): void {
    if (threshold > extendTo)
      throw fault('storage', 'InvalidInput', 'the threshold is above what it extends to');
    const { text, stored, left } = this.#extendable(key, extendTo);
    const until = Math.min(this.sequence + extendTo, this.maxLiveUntil);
    if (left <= threshold && until > stored.liveUntil!)
      this.#overlay.set(text, { ...stored, liveUntil: until });
  }

  extendBetween(key: xdr.LedgerKey, extendTo: number, min: number, max: number): void {
    if (max < min)
      throw fault('storage', 'InvalidInput', 'the largest extension is below the smallest');
    const { text, stored, left } = this.#extendable(key, extendTo);
    const more = Math.min(Math.max(0, extendTo - left), max, this.maxLiveUntil - stored.liveUntil!);
    if (more >= min && more > 0)
      this.#overlay.set(text, { ...stored, liveUntil: stored.liveUntil! + more });
  }

  #extendable(key: xdr.LedgerKey, extendTo: number) {
    const text = this.#touch(key, false);
    const stored = this.#load(text, key);
    if (stored?.liveUntil === undefined)
      throw fault('storage', 'MissingValue', `nothing to extend: ${describeKey(key)}`);
    if (durabilityOf(key) === 'temporary' && this.sequence + extendTo > this.maxLiveUntil)
      throw fault('storage', 'InvalidAction', 'a temporary entry cannot live that long');
    return { text, stored, left: stored.liveUntil - this.sequence };
  }

  snapshot(): ReadonlyMap<string, Stored | undefined> {
    return new Map(this.#overlay);
  }

  rollback(snapshot: ReadonlyMap<string, Stored | undefined>): void {
    this.#overlay = new Map(snapshot);
  }

  get footprint(): Footprint {
    return { readOnly: [...this.#readOnly].sort(), readWrite: [...this.#readWrite].sort() };
  }

  /** Archived entries that this invocation brings back: a part of `readWrite`. */
  get restored(): readonly string[] {
    return [...this.#restored];
  }

  /** @param since absent: all of them */
  changes(since: ReadonlyMap<string, Stored | undefined> = new Map()): Change[] {
    return [...this.#overlay].flatMap(([key, after]) => {
      const before = since.has(key) ? since.get(key) : this.#options.ledger.get(key);
      return before === after ? [] : [{ key, before, after }];
    });
  }

  #touch(key: xdr.LedgerKey, isWrite: boolean): string {
    const text = ledgerKey(key);
    this.#keys.set(text, key);
    if (this.#options.footprint) {
      const isIn = this.#readWrite.has(text) || (!isWrite && this.#readOnly.has(text));
      if (!isIn)
        throw fault(
          'storage',
          'ExceededLimit',
          `outside the footprint${isWrite ? ' of writes' : ''}: ${describeKey(key)}`,
        );
    } else this.#record(text, isWrite);
    return text;
  }

  #record(text: string, isWrite: boolean): void {
    if (isWrite) {
      this.#readOnly.delete(text);
      this.#readWrite.add(text);
    } else if (!this.#readWrite.has(text)) this.#readOnly.add(text);
  }

  #load(text: string, key: xdr.LedgerKey): Stored | undefined {
    if (this.#overlay.has(text)) return this.#overlay.get(text);
    const stored = this.#options.ledger.get(text);
    if (stored?.liveUntil === undefined || stored.liveUntil >= this.sequence) return stored;
    if (durabilityOf(key) === 'temporary') return undefined;
    // Whoever enforces a footprint has looked for archived entries that are not to be restored.
    if (!this.#options.footprint) this.#record(text, true);
    this.#restored.add(text);
    const restored = { entry: stored.entry, liveUntil: this.minLiveUntil('persistent')! };
    this.#overlay.set(text, restored);
    return restored;
  }
}

function checkSize(key: xdr.LedgerKey, data: xdr.LedgerEntryData): void {
  if (key.type !== 'contractData') return;
  if (key.toXdr().length > keyBytesMax)
    throw fault('storage', 'ExceededLimit', `a key has at most ${keyBytesMax} bytes`);
  if (data.toXdr().length > entryBytesMax)
    throw fault('storage', 'ExceededLimit', `an entry has at most ${entryBytesMax} bytes`);
}

export function describeKey(key: xdr.LedgerKey): string {
  if (key.type !== 'contractData') return key.type;
  const { key: value } = key.contractData;
  if (value.type === 'scvLedgerKeyContractInstance') return 'contract instance';
  return value.type === 'scvLedgerKeyNonce'
    ? 'nonce'
    : `contract data ${JSON.stringify(value.toJson())}`;
}
