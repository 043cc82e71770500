import { createHash, randomBytes } from 'node:crypto';
import { DevnetError } from '../errors.ts';
import { type Account, Accounts } from './accounts.ts';
import { toBase58 } from './base.ts';
import { type Executed, execute } from './execution.ts';
import { createFaucet, type Faucet } from './faucet.ts';
import { History, type Landed } from './history.ts';
import { type AccountLine, type Entry, fromLine, Journal, toLine } from './journal.ts';
import { Machine } from './machine.ts';
import { type ParsedTransaction, parseTransaction } from './message.ts';
import { blockhashAge, type Head, Slots } from './slots.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface ChainOptions {
  /** The file of the journal; absent: in memory alone. */
  readonly file?: string;
  readonly slotMs: number;
  /** How many slots a final block is behind the newest one. */
  readonly finalityLag: number;
  /** How many transactions are remembered. */
  readonly historyMax: number;
}

const slotHashesMax = 512;
const confirmedLag = 1;
const faucetLamports = 500_000_000n * 1_000_000_000n;

/**
 * An emulator of a Solana cluster around litesvm, in one process: what litesvm lacks of a cluster
 * (slots, blockhashes, commitment, refused repetitions, nonces of failed transactions, history) is
 * here.
 */
export class Chain {
  readonly options: ChainOptions;
  readonly machine = new Machine();
  readonly accounts = new Accounts();
  readonly history: History;
  readonly slots: Slots;
  readonly genesisHash: string;
  readonly #seed: Uint8Array;
  readonly #faucet: Faucet;
  readonly #journal: Journal | undefined;
  readonly #hashes = new Map<string, number>();
  #hashedHeight = -1;

  private constructor(
    options: ChainOptions,
    journal: Journal | undefined,
    entries: readonly Entry[],
  ) {
    this.options = options;
    this.#journal = journal;
    this.history = new History(options.historyMax);
    const begin = entries.find((entry) => entry.kind === 'begin');
    this.#seed = begin ? Buffer.from(begin.seed, 'hex') : randomBytes(32);
    this.#faucet = createFaucet(this.#seed);
    this.genesisHash = toBase58(createHash('sha256').update('genesis').update(this.#seed).digest());
    const time = entries.findLast((entry) => entry.kind === 'time')?.state;
    // What is final is behind the newest block from the first moment on.
    const begun = Date.now() - (options.finalityLag + 1) * options.slotMs;
    const start = time ?? { offsetMs: 0, stretches: [{ slot: 0, height: 0, timeMs: begun }] };
    this.slots = new Slots(start, options.slotMs);
    if (begin) this.#replay(entries);
    else {
      journal?.append({ kind: 'begin', format: 1, seed: Buffer.from(this.#seed).toString('hex') });
      journal?.append({ kind: 'time', state: start });
      this.setAccount(this.#faucet.address, {
        lamports: faucetLamports,
        owner: '11111111111111111111111111111111',
        data: new Uint8Array(),
        executable: false,
      });
    }
  }

  /** @throws DevnetError when the journal cannot be read */
  static open(options: ChainOptions): Chain {
    if (options.file === undefined) return new Chain(options, undefined, []);
    const { journal, entries } = Journal.open(options.file);
    const first = entries[0];
    if (first && (first.kind !== 'begin' || first.format !== 1))
      throw new DevnetError(
        `${options.file} is not a journal of this version: delete it to begin the local Solana chain anew.`,
      );
    return new Chain(options, journal, entries);
  }

  head(): Head {
    return this.slots.head();
  }

  /** The newest slot that a commitment sees. */
  slotFor(commitment: Commitment): number {
    const { slot, height } = this.head();
    const lag =
      commitment === 'processed'
        ? 0
        : commitment === 'confirmed'
          ? confirmedLag
          : this.options.finalityLag;
    return lag === 0 ? slot : (this.slots.slotAt(Math.max(0, height - lag)) ?? this.slots.first());
  }

  commitmentOf(slot: number): Commitment {
    if (slot <= this.slotFor('finalized')) return 'finalized';
    return slot <= this.slotFor('confirmed') ? 'confirmed' : 'processed';
  }

  blockhashOf(slot: number): string {
    return toBase58(this.#hash('block', slot));
  }

  /** What the nonces that are set in a slot's block are made of. */
  nonceSeedOf(slot: number): Uint8Array {
    return this.#hash('nonce', slot);
  }

  /** Height of the block with this hash, when transactions that name it are still let in. */
  heightOfBlockhash(blockhash: string, seenFrom = this.head()): number | undefined {
    const newest = this.head().height;
    const oldest = Math.max(0, newest - 2 * blockhashAge);
    for (let height = Math.max(this.#hashedHeight + 1, oldest); height <= newest; height++) {
      const slot = this.slots.slotAt(height);
      if (slot !== undefined) this.#hashes.set(this.blockhashOf(slot), height);
    }
    this.#hashedHeight = newest;
    for (const [hash, height] of this.#hashes) {
      if (height >= oldest) break;
      this.#hashes.delete(hash);
    }
    const height = this.#hashes.get(blockhash);
    return height !== undefined &&
      height <= seenFrom.height &&
      height + blockhashAge >= seenFrom.height
      ? height
      : undefined;
  }

  /** As of a slot. Accounts that no transaction changed are those that the chain began with. */
  read(address: string, slot = this.head().slot): Account | null {
    const own = this.accounts.read(address, slot);
    if (own !== undefined) return own;
    if (address.startsWith('Sysvar'))
      this.machine.setClock(slot, this.slots.timeOf(slot) ?? this.slots.nowMs());
    return this.accounts.writtenAt(address, Number.MAX_SAFE_INTEGER) === undefined
      ? this.machine.read(address)
      : null;
  }

  /**
   * Runs a transaction in the newest block. What does not get into a block leaves no trace but the
   * error.
   */
  run(parsed: ParsedTransaction): Executed {
    const done = execute(this, parsed);
    if (!done.landed) return done;
    this.#journal?.append({
      kind: 'transaction',
      landed: done.landed,
      accounts: done.changes.map(([address, account]) => toLine(address, account)),
    });
    this.#write(done.changes, done.landed.slot);
    this.history.add(done.landed);
    if (this.#journal?.isWorthRewriting) this.#journal.rewrite(this.#entries());
    return done;
  }

  airdrop(to: string, lamports: bigint): Executed {
    const { slot } = this.head();
    return this.run(parseTransaction(this.#faucet.pay(to, lamports, this.blockhashOf(slot))));
  }

  /** Writes an account past all rules, final at once: what a chain holds before its first use. */
  setAccount(address: string, account: Account | null): void {
    this.machine.write(address, account);
    this.#record([[address, account]]);
  }

  /** @throws Error when the file is no program that may run */
  addProgram(address: string, file: Uint8Array, dataAddress: string): void {
    this.machine.setClock(this.head().slot, this.slots.nowMs());
    this.machine.addProgram(address, file);
    this.#record([dataAddress, address].map((one) => [one, this.machine.read(one)]));
  }

  advance(seconds: number): void {
    this.slots.advance(seconds);
    this.#journal?.append({ kind: 'time', state: this.slots.state() });
  }

  /** So that a lookup table can be made with a recent slot. */
  setSlotHashes(): void {
    const { height } = this.head();
    const hashes = [];
    for (let at = height; at > Math.max(-1, height - slotHashesMax); at--) {
      const slot = this.slots.slotAt(at);
      if (slot !== undefined) hashes.push({ slot, hash: this.blockhashOf(slot) });
    }
    this.machine.setSlotHashes(hashes);
  }

  save(): void {
    this.#journal?.sync();
  }

  close(): void {
    this.#journal?.close();
  }

  #hash(use: string, slot: number): Uint8Array {
    return createHash('sha256').update(`${use} ${slot} `).update(this.#seed).digest();
  }

  #record(changes: readonly (readonly [string, Account | null])[]): void {
    const slot = this.slotFor('finalized');
    for (const [address, account] of changes) this.accounts.replace(address, account, slot);
    this.#journal?.append({
      kind: 'accounts',
      slot,
      accounts: changes.map(([address, account]) => toLine(address, account)),
    });
  }

  #write(changes: readonly (readonly [string, Account | null])[], slot: number): void {
    const finalized = this.slotFor('finalized');
    for (const [address, account] of changes)
      this.accounts.write(address, account, { slot, finalized });
  }

  #replay(entries: readonly Entry[]): void {
    const newest = new Map<string, Account | null>();
    const write = (lines: readonly AccountLine[], slot: number) => {
      const finalized = slot - this.options.finalityLag;
      for (const line of lines) {
        const account = fromLine(line);
        newest.set(line[0], account);
        this.accounts.write(line[0], account, { slot, finalized });
      }
    };
    const replace = (lines: readonly AccountLine[], slot: number) => {
      for (const line of lines) {
        const account = fromLine(line);
        newest.set(line[0], account);
        this.accounts.replace(line[0], account, slot);
      }
    };
    for (const entry of entries) {
      if (entry.kind === 'accounts') replace(entry.accounts, entry.slot);
      if (entry.kind !== 'transaction') continue;
      write(entry.accounts, entry.landed.slot);
      this.#remember(entry.landed);
    }
    this.#fillMachine(newest);
  }

  #remember(landed: Landed): void {
    this.history.add(landed);
    this.slots.resume({ slot: landed.slot, height: landed.height, timeMs: landed.timeMs });
  }

  /** Programs last: their contents lie in other accounts. */
  #fillMachine(newest: ReadonlyMap<string, Account | null>): void {
    this.machine.setClock(this.head().slot, this.slots.nowMs());
    const isProgram = ([, account]: readonly [string, Account | null]) =>
      account?.executable === true;
    const all = [...newest];
    for (const [address, account] of [
      ...all.filter((one) => !isProgram(one)),
      ...all.filter(isProgram),
    ])
      this.machine.write(address, account);
  }

  *#entries(): Generator<Entry> {
    yield { kind: 'begin', format: 1, seed: Buffer.from(this.#seed).toString('hex') };
    yield { kind: 'time', state: this.slots.state() };
    for (const [address, account] of this.accounts.entries())
      yield {
        kind: 'accounts',
        slot: this.accounts.writtenAt(address, Number.MAX_SAFE_INTEGER) ?? 0,
        accounts: [toLine(address, account)],
      };
    for (const landed of this.history.all()) yield { kind: 'transaction', landed, accounts: [] };
  }
}
