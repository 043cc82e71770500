import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DevnetError } from '../errors.ts';
import type { Account } from './accounts.ts';
import { toBase64 } from './base.ts';
import type { Landed } from './history.ts';
import type { SlotState } from './slots.ts';

/** An account as it is after a change; without contents: it is gone. */
export type AccountLine = readonly [
  address: string,
  content?: readonly [lamports: string, owner: string, data: string, executable: 0 | 1],
];

export type Entry =
  | { readonly kind: 'begin'; readonly format: 1; readonly seed: string }
  | { readonly kind: 'time'; readonly state: SlotState }
  | { readonly kind: 'accounts'; readonly slot: number; readonly accounts: readonly AccountLine[] }
  | {
      readonly kind: 'transaction';
      readonly landed: Landed;
      readonly accounts: readonly AccountLine[];
    };

/** A journal is written anew when it has grown by this factor, and is worth the work. */
const growthFactor = 3;
const rewriteBytesMin = 16 * 1024 * 1024;

/**
 * What happened, one line each, written before anybody is told of it: what was answered survives
 * the end of the process (`kill -9` included). An end of the machine loses what `sync` was not
 * called after.
 */
export class Journal {
  readonly #path: string;
  #file: number;
  #bytes: number;
  #bytesAtRewrite: number;

  private constructor(path: string, file: number, bytes: number) {
    this.#path = path;
    this.#file = file;
    this.#bytes = bytes;
    this.#bytesAtRewrite = bytes;
  }

  /** @throws DevnetError when a line other than the last cannot be read */
  static open(path: string): { journal: Journal; entries: Entry[] } {
    mkdirSync(dirname(path), { recursive: true });
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // A last line without an end was being written when the process was ended, and was not
    // answered.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const entries = whole
      .split('\n')
      .slice(0, -1)
      .map((line, index) => parseLine(line, index, path));
    const file = openSync(path, 'a', 0o600);
    if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole));
    return { journal: new Journal(path, file, Buffer.byteLength(whole)), entries };
  }

  append(entry: Entry): void {
    this.#bytes += writeLine(this.#file, entry);
  }

  /** The machine has it on its disk. */
  sync(): void {
    fsyncSync(this.#file);
  }

  get isWorthRewriting(): boolean {
    return this.#bytes > Math.max(rewriteBytesMin, growthFactor * this.#bytesAtRewrite);
  }

  /** Replaces all lines by these; the file is the old or the new one at any time. */
  rewrite(entries: Iterable<Entry>): void {
    const draft = `${this.#path}.new`;
    const file = openSync(draft, 'w', 0o600);
    let bytes = 0;
    for (const entry of entries) bytes += writeLine(file, entry);
    fsyncSync(file);
    renameSync(draft, this.#path);
    closeSync(this.#file);
    this.#file = file;
    this.#bytes = bytes;
    this.#bytesAtRewrite = bytes;
  }

  close(): void {
    this.sync();
    closeSync(this.#file);
  }
}

function writeLine(file: number, entry: Entry): number {
  const line = Buffer.from(`${JSON.stringify(entry)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(file, line, at);
  return line.length;
}

function parseLine(line: string, index: number, path: string): Entry {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry === 'object' && entry !== null && 'kind' in entry) return entry as Entry;
  } catch {
    // Said below.
  }
  throw new DevnetError(
    `Line ${index + 1} of ${path} cannot be read: delete the file to begin the local Solana chain anew.`,
  );
}

export function toLine(address: string, account: Account | null): AccountLine {
  if (!account) return [address];
  return [
    address,
    [
      account.lamports.toString(),
      account.owner,
      toBase64(account.data),
      account.executable ? 1 : 0,
    ],
  ];
}

export function fromLine([, content]: AccountLine): Account | null {
  if (!content) return null;
  const [lamports, owner, data, executable] = content;
  return {
    lamports: BigInt(lamports),
    owner,
    data: new Uint8Array(Buffer.from(data, 'base64')),
    executable: executable === 1,
  };
}
