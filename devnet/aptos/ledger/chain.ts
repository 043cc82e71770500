import { transactionHash } from '../../../src/chains/aptos/encoding/hashes.ts';
import { decodeSigned } from '../../../src/chains/aptos/encoding/transactions.ts';
import { Journal } from '../../journal.ts';
import { type Executed, execute, simulate } from '../execution/execute.ts';
import { describeTransaction, type TransactionJson } from '../rest/transaction-json.ts';
import { type Asset, aptAsset, findAsset, issue, putAsset } from './assets.ts';
import { applyChanges, type Change, Draft } from './state.ts';

export interface ChainOptions {
  /** What is kept between starts. Absent: in memory. */
  readonly file?: string | undefined;
  /** How many transactions are remembered. */
  readonly historyMax: number;
}

/**
 * A transaction of a user, in a block of its own behind the block's own entry: each block has two
 * versions.
 */
export interface TransactionRecord {
  readonly version: number;
  readonly hash: string;
  readonly timestampUs: string;
  readonly json: TransactionJson;
}

interface JournalLine {
  readonly version: number;
  readonly timestampUs: string;
  readonly offsetS: number;
  readonly changes: readonly Change[];
  readonly records: readonly TransactionRecord[];
}

/** Of the first transaction of a user: genesis is 0, and the block's own entry comes before it. */
const firstVersion = 2;

/** The state of a local chain. */
export class Chain {
  readonly state = new Map<string, string>();
  readonly #records = new Map<number, TransactionRecord>();
  readonly #byHash = new Map<string, TransactionRecord>();
  readonly #journal: Journal<JournalLine> | undefined;
  readonly #historyMax: number;
  readonly #waiting = new Set<() => void>();
  /** Of the last transaction; genesis is 0. */
  #version = 0;
  #timestampUs = BigInt(Date.now()) * 1_000n;
  #offsetS = 0;

  /** @throws when the journal cannot be read */
  constructor({ file, historyMax }: ChainOptions) {
    this.#historyMax = historyMax;
    if (file !== undefined) {
      this.#journal = new Journal<JournalLine>(file);
      for (const line of this.#journal.lines()) this.#replay(line);
      this.#journal.compact(this.#whole());
    }
    if (!findAsset(this.state, aptAsset))
      this.addAsset(aptAsset, { name: 'Aptos Coin', symbol: 'APT', decimals: 8 });
  }

  #replay({ version, timestampUs, offsetS, changes, records }: JournalLine): void {
    this.#version = version;
    this.#timestampUs = BigInt(timestampUs);
    this.#offsetS = offsetS;
    applyChanges(this.state, changes);
    for (const record of records) this.#remember(record);
  }

  *#whole(): Generator<JournalLine> {
    yield { ...this.#place(), changes: [...this.state], records: [] };
    for (const record of this.#records.values())
      yield { ...this.#place(), changes: [], records: [record] };
  }

  #place(): Pick<JournalLine, 'version' | 'timestampUs' | 'offsetS'> {
    return {
      version: this.#version,
      timestampUs: this.#timestampUs.toString(),
      offsetS: this.#offsetS,
    };
  }

  /** The chain's time in microseconds: it never goes back. */
  get timestampUs(): bigint {
    const now = BigInt(Date.now()) * 1_000n + BigInt(this.#offsetS) * 1_000_000n;
    if (now > this.#timestampUs) this.#timestampUs = now;
    return this.#timestampUs;
  }

  get version(): number {
    return this.#version;
  }

  get oldestVersion(): number {
    const [first] = this.#records.keys();
    return first === undefined || first <= firstVersion ? 0 : first - 1;
  }

  advanceTime(seconds: number): void {
    this.#timestampUs = this.timestampUs + BigInt(seconds) * 1_000_000n;
    this.#offsetS += seconds;
    this.#write([], []);
  }

  /** Puts an asset there, past all rules. */
  addAsset(address: string, asset: Asset): void {
    this.#change((draft) => putAsset(draft, address, asset));
  }

  /** Gives money, past all rules. */
  give(asset: string, owner: string, amount: bigint): void {
    this.#change((draft) => issue(draft, asset, owner, amount));
  }

  #change(make: (draft: Draft) => void): void {
    const draft = new Draft(this.state);
    make(draft);
    applyChanges(this.state, draft.changes());
    this.#write(draft.changes(), []);
  }

  /**
   * Lets a transaction in, runs it and keeps it. One that is there already is refused, for its
   * number or nonce is used.
   * @throws as `execute`
   */
  submit(bytes: Uint8Array): TransactionRecord {
    const signed = decodeSigned(bytes);
    const hash = transactionHash(bytes);
    const timestampUs = this.timestampUs + 1n;
    const executed = execute(this.state, signed, bytes.length, { timestampUs });
    this.#timestampUs = timestampUs;
    this.#version += 2;
    applyChanges(this.state, executed.changes);
    const place = { version: this.#version, hash, timestampUs: timestampUs.toString() };
    const record = {
      ...place,
      json: describeTransaction(this.state, { ...place, signed, executed }),
    };
    this.#remember(record);
    this.#write(executed.changes, [record]);
    for (const wake of this.#waiting) wake();
    return record;
  }

  /** @throws as `simulate` */
  simulate(bytes: Uint8Array): { readonly json: TransactionJson; readonly executed: Executed } {
    const signed = decodeSigned(bytes);
    const timestampUs = this.timestampUs;
    const executed = simulate(this.state, signed, bytes.length, { timestampUs });
    const after = new Draft(this.state);
    for (const [key, value] of executed.changes) after.set(key, value);
    const place = {
      version: this.#version,
      hash: transactionHash(bytes),
      timestampUs: timestampUs.toString(),
    };
    return { executed, json: describeTransaction(after, { ...place, signed, executed }) };
  }

  byHash(hash: string): TransactionRecord | undefined {
    return this.#byHash.get(hash);
  }

  /** Of a user; the other versions are the blocks' own. */
  byVersion(version: number): TransactionRecord | undefined {
    return this.#records.get(version);
  }

  /** Resolves at the next transaction, or after the time. */
  async nextTransaction(timeoutMs: number): Promise<void> {
    let wake: () => void = () => undefined;
    const timer = setTimeout(() => wake(), timeoutMs);
    await new Promise<void>((resolve) => {
      wake = resolve;
      this.#waiting.add(wake);
    });
    clearTimeout(timer);
    this.#waiting.delete(wake);
  }

  save(): void {
    this.#journal?.sync();
  }

  close(): void {
    this.#write([], []);
    this.#journal?.close();
    for (const wake of this.#waiting) wake();
  }

  #remember(record: TransactionRecord): void {
    this.#records.set(record.version, record);
    this.#byHash.set(record.hash, record);
    if (this.#records.size <= this.#historyMax) return;
    const [oldest] = this.#records.values();
    this.#records.delete(oldest!.version);
    this.#byHash.delete(oldest!.hash);
  }

  #write(changes: readonly Change[], records: readonly TransactionRecord[]): void {
    this.#journal?.append({ ...this.#place(), changes, records });
  }
}
