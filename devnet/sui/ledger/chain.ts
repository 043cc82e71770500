import { randomBytes } from 'node:crypto';
import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { Journal } from '../../journal.ts';
import { executedMessage } from '../execution/effects.ts';
import { execute, type Outcome } from '../execution/execute.ts';
import {
  checkSignatures,
  checkTransaction,
  type Parsed,
  type Place,
  parseTransaction,
} from '../execution/transaction.ts';
import { digestOf } from './hashes.ts';
import {
  coinType,
  contentsOf,
  fromBcs,
  type SuiObject,
  storageCost,
  suiType,
  toBcs,
  treasuryCapType,
} from './objects.ts';

export interface ChainOptions {
  /** What is kept between starts. Absent: in memory. */
  readonly file?: string;
  readonly epochMs: number;
  /** How many transactions are remembered. */
  readonly historyMax: number;
}

/** What there is to know of the coins of a type. */
export interface Currency {
  readonly type: string;
  readonly decimals: number;
  readonly symbol: string;
  readonly name: string;
  /** Who may mint; nobody may mint SUI. */
  readonly minter?: string;
}

export interface Checkpoint {
  readonly sequence: bigint;
  readonly timeMs: number;
  /** Digest of its transaction; a checkpoint of a moved clock has none. */
  readonly transaction?: string;
}

export interface Line {
  readonly sequence: string;
  readonly timeMs: number;
  readonly offsetMs: number;
  readonly beganMs: number;
  /** Id and BCS in base64, or nothing for what is gone. */
  readonly objects?: readonly (readonly [string, string | null])[];
  /** `ExecutedTransaction` in base64. */
  readonly transaction?: string;
  readonly currency?: Currency;
  readonly locks?: readonly (readonly [string, string, string])[];
}

/** Of every local Sui chain: clients tell networks apart by it. */
export const localChainId = digestOf('Purser', Buffer.from('the local Sui chain'));
export const gasPrice = 1_000n;
const nobody = digestOf('TransactionData', new Uint8Array());
const sui: Currency = { type: suiType, decimals: 9, symbol: 'SUI', name: 'Sui' };

/**
 * An emulator of a Sui network in this process: objects, transactions, a checkpoint for each, and
 * epochs by the clock.
 */
export class Chain {
  readonly options: ChainOptions;
  readonly currencies = new Map<string, Currency>([[suiType, sui]]);
  readonly transactions = new Map<string, GrpcTypes.ExecutedTransaction>();
  readonly checkpoints = new Map<bigint, Checkpoint>();
  readonly #objects = new Map<string, SuiObject>();
  readonly #owned = new Map<string, Set<string>>();
  readonly #locks = new Map<string, { readonly digest: string; readonly epoch: bigint }>();
  readonly #journal: Journal<Line> | undefined;
  #sequence = 0n;
  #timeMs = Date.now();
  #offsetMs = 0;
  #beganMs = Date.now();

  /** @throws when the journal cannot be read */
  constructor(options: ChainOptions) {
    this.options = options;
    const journal = options.file === undefined ? undefined : new Journal<Line>(options.file);
    const lines = journal?.lines() ?? [];
    for (const line of lines) this.#replay(line);
    journal?.compact(this.#whole());
    this.#journal = journal;
    if (lines.length === 0) this.#record({});
  }

  get sequence(): bigint {
    return this.#sequence;
  }

  /** In milliseconds since 1970; it never goes back. */
  now(): number {
    return Math.max(this.#timeMs, Date.now() + this.#offsetMs);
  }

  epoch(): bigint {
    return BigInt(Math.floor((this.now() - this.#beganMs) / this.options.epochMs));
  }

  epochStartMs(): number {
    return this.#beganMs + Number(this.epoch()) * this.options.epochMs;
  }

  read(id: string): SuiObject | undefined {
    return this.#objects.get(id);
  }

  /** Sorted by id. */
  ownedBy(owner: string): SuiObject[] {
    const ids = [...(this.#owned.get(owner) ?? [])].sort();
    return ids.map((id) => this.#objects.get(id)!);
  }

  /** @throws Refusal when it is not let in */
  async run(
    bytes: Uint8Array,
    signatures: readonly Uint8Array[],
  ): Promise<GrpcTypes.ExecutedTransaction> {
    const parsed = parseTransaction(bytes);
    await checkSignatures(
      parsed,
      signatures.map((one) => Buffer.from(one).toString('base64')),
    );
    // The same transaction is answered for as often as it is sent.
    const known = this.transactions.get(parsed.digest);
    if (known) return known;
    const outcome = this.outcomeOf(parsed);
    const message = executedMessage(parsed, outcome, { epoch: this.epoch(), signatures });
    this.#write(message, outcome);
    return message;
  }

  /** What a transaction would do now. @throws Refusal when it would not be let in */
  outcomeOf(parsed: Parsed, read = (id: string) => this.read(id)): Outcome {
    return execute(parsed, checkTransaction(this.#place(read), parsed));
  }

  /**
   * Some validators have signed a transaction that is not executed: its objects are kept for it
   * until it is, or the epoch ends.
   * @throws Refusal when it is not let in
   */
  async lock(bytes: Uint8Array, signatures: readonly Uint8Array[]): Promise<void> {
    const parsed = parseTransaction(bytes);
    await checkSignatures(
      parsed,
      signatures.map((one) => Buffer.from(one).toString('base64')),
    );
    const { payment, inputs } = checkTransaction(
      this.#place((id) => this.read(id)),
      parsed,
    );
    const epoch = String(this.epoch());
    const objects = [
      ...payment,
      ...inputs.filter((input): input is SuiObject => !(input instanceof Uint8Array)),
    ];
    this.#record({ locks: objects.map(({ id }) => [id, parsed.digest, epoch] as const) });
  }

  #place(read: Place['read']): Place {
    const epoch = this.epoch();
    const lockOf = (id: string) => {
      const lock = this.#locks.get(id);
      return lock?.epoch === epoch ? lock.digest : undefined;
    };
    return { epoch, chainId: localChainId, gasPrice, read, lockOf };
  }

  /** Coins out of nothing: what a chain holds before its first use. */
  fund(
    id: string,
    owner: string,
    { type, amount }: { readonly type: string; readonly amount: bigint },
  ): void {
    this.#put({
      id,
      type: coinType(type),
      contents: contentsOf(id, amount),
      owner: normalizeSuiAddress(owner),
    });
  }

  /** A new coin of SUI out of nothing; its id. */
  faucet(owner: string, amount: bigint): string {
    const id = normalizeSuiAddress(randomBytes(32).toString('hex'));
    this.fund(id, owner, { type: suiType, amount });
    return id;
  }

  /** A type of coins, with a treasury cap for whoever may mint it. */
  addCurrency({ type, ...rest }: Currency): void {
    const currency = { ...rest, type: normalizeStructTag(type) };
    this.#record({ currency });
    if (rest.minter === undefined) return;
    const id = capIdOf(currency.type);
    this.#put({
      id,
      type: treasuryCapType(type),
      contents: contentsOf(id, 0n),
      owner: normalizeSuiAddress(rest.minter),
    });
  }

  advanceTime(seconds: number): void {
    this.#offsetMs += seconds * 1_000;
    this.#record({});
  }

  save(): void {
    this.#journal?.sync();
  }

  close(): void {
    this.#journal?.close();
  }

  #put(object: Pick<SuiObject, 'id' | 'type' | 'contents' | 'owner'>): void {
    const version = (this.read(object.id)?.version ?? 0n) + 1n;
    const whole = {
      ...object,
      version,
      previousTransaction: nobody,
      storageRebate: storageCost(object),
    };
    this.#record({ objects: [lineOf(whole)] });
  }

  #write(message: GrpcTypes.ExecutedTransaction, { before, after }: Outcome): void {
    message.checkpoint = this.#sequence + 1n;
    // A transaction has the time of its checkpoint.
    const timeMs = this.now();
    message.timestamp = timestampOf(timeMs);
    const kept = new Set(after.map(({ id }) => id));
    const gone = before.filter(({ id }) => !kept.has(id)).map(({ id }) => [id, null] as const);
    this.#record(
      { objects: [...after.map(lineOf), ...gone], transaction: bytesOf(message) },
      timeMs,
    );
  }

  /** A checkpoint for whatever happens: on disk first. */
  #record(
    change: Pick<Line, 'objects' | 'transaction' | 'currency' | 'locks'>,
    timeMs = this.now(),
  ): void {
    const line = { ...this.#head(this.#sequence + 1n, timeMs), ...change };
    this.#journal?.append(line);
    this.#replay(line);
  }

  #head(sequence: bigint, timeMs: number): Line {
    return { sequence: String(sequence), timeMs, offsetMs: this.#offsetMs, beganMs: this.#beganMs };
  }

  #replay({
    sequence,
    timeMs,
    offsetMs,
    beganMs,
    objects = [],
    transaction,
    currency,
    locks = [],
  }: Line): void {
    this.#sequence = BigInt(sequence);
    this.#timeMs = timeMs;
    this.#offsetMs = offsetMs;
    this.#beganMs = beganMs;
    for (const [id, bytes] of objects)
      this.#set(id, bytes === null ? undefined : fromBcs(Buffer.from(bytes, 'base64')));
    if (currency) this.currencies.set(currency.type, currency);
    for (const [id, digest, epoch] of locks) this.#locks.set(id, { digest, epoch: BigInt(epoch) });
    this.#remember({ sequence: this.#sequence, timeMs }, transaction);
  }

  #set(id: string, object: SuiObject | undefined): void {
    const old = this.#objects.get(id);
    if (old) this.#owned.get(old.owner)?.delete(id);
    this.#locks.delete(id);
    if (!object) return void this.#objects.delete(id);
    this.#objects.set(id, object);
    const owned = this.#owned.get(object.owner) ?? new Set();
    this.#owned.set(object.owner, owned.add(id));
  }

  #remember(checkpoint: Checkpoint, bytes: string | undefined): void {
    const message =
      bytes === undefined
        ? undefined
        : GrpcTypes.ExecutedTransaction.fromBinary(Buffer.from(bytes, 'base64'));
    if (message) this.transactions.set(message.digest!, message);
    const known = this.checkpoints.get(checkpoint.sequence)?.transaction;
    this.checkpoints.set(checkpoint.sequence, {
      ...checkpoint,
      transaction: message?.digest ?? known,
    });
    if (this.checkpoints.size <= this.options.historyMax) return;
    const [oldest] = this.checkpoints.values();
    this.checkpoints.delete(oldest!.sequence);
    if (oldest!.transaction !== undefined) this.transactions.delete(oldest!.transaction);
  }

  /** What is known now, in fewer lines: a checkpoint keeps its number and time. */
  *#whole(): Generator<Line> {
    for (const { sequence, timeMs, transaction } of this.checkpoints.values()) {
      const message = transaction === undefined ? undefined : this.transactions.get(transaction);
      yield { ...this.#head(sequence, timeMs), transaction: message && bytesOf(message) };
    }
    const head = this.#head(this.#sequence, this.#timeMs);
    for (const currency of this.currencies.values()) yield { ...head, currency };
    yield { ...head, objects: [...this.#objects.values()].map(lineOf) };
    yield {
      ...head,
      locks: [...this.#locks].map(
        ([id, { digest, epoch }]) => [id, digest, String(epoch)] as const,
      ),
    };
  }
}

function bytesOf(message: GrpcTypes.ExecutedTransaction): string {
  return Buffer.from(GrpcTypes.ExecutedTransaction.toBinary(message)).toString('base64');
}

/** Where the treasury cap of a type lies. */
export function capIdOf(type: string): string {
  const digest = Buffer.from(digestOf('TreasuryCap', Buffer.from(normalizeStructTag(type))));
  return normalizeSuiAddress(digest.toString('hex').slice(0, 64));
}

export function timestampOf(timeMs: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(Math.floor(timeMs / 1_000)), nanos: (timeMs % 1_000) * 1_000_000 };
}

function lineOf(object: SuiObject): readonly [string, string] {
  return [object.id, Buffer.from(toBcs(object)).toString('base64')];
}
