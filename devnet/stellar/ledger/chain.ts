import {
  Account,
  hash,
  Keypair,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { Journal } from '../../journal.ts';
import type { Refusal } from '../classic/results.ts';
import {
  type Applied,
  applyTransaction,
  type Envelope,
  readEnvelope,
  refusalOf,
  storageOf,
} from '../classic/transaction.ts';
import { type LedgerInfo, networkSettings } from '../host/host.ts';
import type { Change, Stored } from '../host/storage.ts';
import { ledgerKey } from '../host/storage.ts';
import {
  type AccountId,
  accountAddress,
  accountId,
  accountKey,
  newAccount,
  readAccount,
} from './accounts.ts';

export interface ChainOptions {
  readonly networkPassphrase: string;
  /** What is kept between starts. Absent: in memory. */
  readonly file?: string;
  /** How long a ledger lasts. */
  readonly ledgerMs: number;
  /** How many transactions are remembered. */
  readonly historyMax: number;
}

export interface TransactionRecord {
  readonly hash: string;
  readonly ledger: number;
  readonly closeTime: number;
  readonly status: 'SUCCESS' | 'FAILED';
  readonly isFeeBump: boolean;
  readonly envelope: string;
  readonly result: string;
  readonly meta: string;
  readonly events: readonly string[];
  readonly notes: readonly string[];
}

interface JournalLine {
  readonly sequence: number;
  readonly closeTime: number;
  readonly offsetS: number;
  /** Key, entry or nothing, last ledger: XDR in base64. */
  readonly changes: readonly (readonly [string, string | null, number | null])[];
  readonly records: readonly TransactionRecord[];
}

export const protocol = 27;
const firstLedger = 2;
const bankStroops = 10n ** 17n;

/**
 * The state of a local chain. Each transaction is in a ledger of its own; ledgers follow the time
 * too.
 */
export class Chain {
  readonly options: ChainOptions;
  readonly entries = new Map<string, Stored>();
  readonly records: TransactionRecord[] = [];
  readonly #byHash = new Map<string, TransactionRecord>();
  readonly #journal: Journal<JournalLine> | undefined;
  #sequence = firstLedger;
  #closeTime = Math.floor(Date.now() / 1000);
  #offsetS = 0;
  #lastTick = Date.now();

  /** @throws when the journal cannot be read */
  constructor(options: ChainOptions) {
    this.options = options;
    if (options.file === undefined) return;
    this.#journal = new Journal<JournalLine>(options.file);
    for (const line of this.#journal.lines()) this.#replay(line);
    this.#offsetS = Math.max(0, this.#closeTime - Math.floor(Date.now() / 1000));
    this.#journal.compact(this.#whole());
  }

  #replay({ sequence, closeTime, offsetS, changes, records }: JournalLine): void {
    this.#sequence = sequence;
    this.#closeTime = closeTime;
    this.#offsetS = offsetS;
    for (const [key, entry, liveUntil] of changes)
      if (entry === null) this.entries.delete(key);
      else
        this.entries.set(key, {
          entry: xdr.LedgerEntry.fromXdr(entry, 'base64'),
          liveUntil: liveUntil ?? undefined,
        });
    for (const record of records) this.#remember(record);
  }

  *#whole(): Generator<JournalLine> {
    const place = { sequence: this.#sequence, closeTime: this.#closeTime, offsetS: this.#offsetS };
    yield {
      ...place,
      changes: [...this.entries].map(([key, stored]) => lineOf(key, stored)),
      records: [],
    };
    for (const record of this.records) yield { ...place, changes: [], records: [record] };
  }

  /** Ledgers that the time has closed since, all at once. */
  tick(): void {
    const passed = Math.floor((Date.now() - this.#lastTick) / this.options.ledgerMs);
    if (passed <= 0) return;
    this.#lastTick += passed * this.options.ledgerMs;
    this.#sequence += passed;
    this.#closeTime = Math.max(this.#closeTime, this.#now());
  }

  #now(): number {
    return Math.floor(Date.now() / 1000) + this.#offsetS;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get closeTime(): number {
    return this.#closeTime;
  }

  /** What is older is forgotten; a chain that forgot nothing has its first ledger still. */
  get oldestLedger(): number {
    return this.records.length < this.options.historyMax ? firstLedger : this.records[0]!.ledger;
  }

  info(sequence = this.#sequence): LedgerInfo {
    const { networkPassphrase } = this.options;
    return {
      sequence,
      timestamp: BigInt(this.#closeTime),
      networkPassphrase,
      protocol,
      ttl: networkSettings.ttl,
    };
  }

  /** Moves the time on, with as many ledgers of five seconds as would have passed. */
  advanceTime(seconds: number): void {
    this.tick();
    this.#offsetS += seconds;
    this.#sequence += Math.max(1, Math.floor(seconds / 5));
    this.#closeTime = Math.max(this.#closeTime + 1, this.#now());
    this.#write([], []);
  }

  save(): void {
    this.#journal?.sync();
  }

  close(): void {
    this.#write([], []);
    this.#journal?.close();
  }

  record(hashText: string): TransactionRecord | undefined {
    return this.#byHash.get(hashText);
  }

  /** Lets a transaction in and closes a ledger with it. @returns why not, or undefined */
  submit(envelope: Envelope): Refusal | undefined {
    this.tick();
    const info = this.info(this.#sequence + 1);
    const place = { ledger: this.entries, info };
    const refusal = refusalOf(envelope, storageOf(place), info);
    if (refusal) return refusal;
    const applied = applyTransaction(envelope, place);
    this.#sequence++;
    this.#closeTime = Math.max(this.#closeTime, this.#now());
    const changes = [...applied.before, ...applied.changes.flat()];
    const record = this.#recordOf(envelope, applied);
    this.#apply(changes);
    this.#remember(record);
    this.#write(changes, [record]);
    return undefined;
  }

  /** Puts an account with money there, past all rules. */
  fund(id: AccountId, balance: bigint): boolean {
    const key = ledgerKey(accountKey(id));
    if (this.entries.has(key)) return false;
    const data = xdr.LedgerEntryData.account(newAccount(id, balance, this.#sequence));
    const entry = new xdr.LedgerEntry({
      lastModifiedLedgerSeq: this.#sequence,
      data,
      ext: xdr.LedgerEntryExt.v0(),
    });
    const changes = [{ key, after: { entry } }];
    this.#apply(changes);
    this.#write(changes, []);
    return true;
  }

  /**
   * As `fund`, by a transaction of the bank that friendbot is.
   * @returns its hash, or undefined where the account exists
   */
  fundThroughBank(id: AccountId, balance: bigint): string | undefined {
    if (this.entries.has(ledgerKey(accountKey(id)))) return undefined;
    const bank = Keypair.fromRawEd25519Seed(hash(Buffer.from(this.options.networkPassphrase)));
    this.fund(accountId(bank.publicKey()), bankStroops);
    const sequence = readAccount(
      storageOf({ ledger: this.entries, info: this.info() }),
      accountId(bank.publicKey()),
    )!.seqNum;
    const transaction = new TransactionBuilder(new Account(bank.publicKey(), sequence.toString()), {
      fee: '100',
      networkPassphrase: this.options.networkPassphrase,
    })
      .addOperation(
        Operation.createAccount({
          destination: accountAddress(id),
          startingBalance: (balance / 10_000_000n).toString(),
        }),
      )
      .setTimeout(0)
      .build();
    transaction.sign(bank);
    const envelope = this.read(transaction.toXDR());
    const refusal = this.submit(envelope);
    if (refusal) throw new Error(`Friendbot cannot pay: ${refusal}`);
    return Buffer.from(envelope.hash).toString('hex');
  }

  read(base64: string): Envelope {
    return readEnvelope(base64, this.options.networkPassphrase);
  }

  #apply(changes: readonly Change[]): void {
    for (const { key, after } of changes)
      if (after) this.entries.set(key, after);
      else this.entries.delete(key);
  }

  #remember(record: TransactionRecord): void {
    this.records.push(record);
    this.#byHash.set(record.hash, record);
    while (this.records.length > this.options.historyMax)
      this.#byHash.delete(this.records.shift()!.hash);
  }

  #write(changes: readonly Change[], records: readonly TransactionRecord[]): void {
    const place = { sequence: this.#sequence, closeTime: this.#closeTime, offsetS: this.#offsetS };
    this.#journal?.append({
      ...place,
      changes: changes.map(({ key, after }) => lineOf(key, after)),
      records,
    });
  }

  #recordOf(envelope: Envelope, applied: Applied): TransactionRecord {
    return {
      hash: Buffer.from(envelope.hash).toString('hex'),
      ledger: this.#sequence,
      closeTime: this.#closeTime,
      status: applied.isSuccess ? 'SUCCESS' : 'FAILED',
      isFeeBump: envelope.bump !== undefined,
      envelope: envelope.xdr,
      result: applied.result.toXdr('base64'),
      meta: metaOf(applied).toXdr('base64'),
      events: (applied.outcome?.events ?? []).map((event) => event.toXdr('base64')),
      notes: applied.notes,
    };
  }
}

function lineOf(key: string, stored: Stored | undefined): [string, string | null, number | null] {
  return [key, stored?.entry.toXdr('base64') ?? null, stored?.liveUntil ?? null];
}

function metaOf({ before, changes, outcome }: Applied): xdr.TransactionMeta {
  const ext = xdr.ExtensionPoint.v0();
  const events = [...(outcome?.events ?? [])];
  // A transaction of contracts has one operation: the events are its.
  const operations = changes.map(
    (own) => new xdr.OperationMetaV2({ ext, changes: own.flatMap(changeOf), events }),
  );
  const sorobanMeta =
    outcome?.result &&
    new xdr.SorobanTransactionMetaV2({
      ext: xdr.SorobanTransactionMetaExt.v0(),
      returnValue: outcome.result,
    });
  return xdr.TransactionMeta.v4(
    new xdr.TransactionMetaV4({
      ext,
      txChangesBefore: before.flatMap(changeOf),
      operations,
      txChangesAfter: [],
      sorobanMeta: sorobanMeta ?? null,
      events: [],
      diagnosticEvents: [],
    }),
  );
}

function changeOf({ key, before, after }: Change): xdr.LedgerEntryChange[] {
  const make = xdr.LedgerEntryChange;
  const state = before ? [make.ledgerEntryState(before.entry)] : [];
  if (!after) return [...state, make.ledgerEntryRemoved(xdr.LedgerKey.fromXdr(key, 'base64'))];
  return [
    ...state,
    before ? make.ledgerEntryUpdated(after.entry) : make.ledgerEntryCreated(after.entry),
  ];
}
