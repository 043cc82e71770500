import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { parseJson } from '../../lib/json/parse-json.ts';
import { type AddEntry, ListError, type ListReader } from './list-reader.ts';
import { comparableAddress, type ListVersion } from './screening.ts';
import { createSdnReader } from './sdn-xml.ts';

/** A list read whole. */
export interface ScreeningList extends ListVersion {
  /** What the list says of an address, by its comparable form. */
  readonly entries: ReadonlyMap<string, string>;
}

const entriesMax = 2_000_000;
const fileBytesMax = 1_024 * 1_024 * 1_024;
const jsonBytesMax = 64 * 1_024 * 1_024;
const lineLengthMax = 1_000;
/** Addresses of any chain; a sentence, a tag or a number is none. */
const addressPattern = /^(?=.*[A-Za-z])[A-Za-z0-9]{2}[A-Za-z0-9:_.-]{18,198}$/;

/**
 * Reads a list in pieces of 64 KiB: `sdn_advanced.xml`, JSON, or an address per line, told apart by
 * their first character.
 * @throws ListError
 */
export async function readListFile(
  path: string,
  file: { readonly writtenAt: Date },
  signal?: AbortSignal,
): Promise<ScreeningList> {
  const entries = new Map<string, string>();
  const add: AddEntry = (address, entry) => {
    if (entries.size >= entriesMax)
      throw new ListError(`The list has more than ${entriesMax} addresses.`);
    const key = comparableAddress(address);
    if (!entries.has(key)) entries.set(key, entry);
  };
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let reader: ListReader | undefined;
  let byteCount = 0;
  try {
    for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
      byteCount += chunk.length;
      if (byteCount > fileBytesMax)
        throw new ListError(`The file is longer than ${fileBytesMax} bytes.`);
      hash.update(chunk);
      const text = decoder.decode(chunk, { stream: true });
      if (!reader && text.trim() !== '') reader = readerFor(text.trimStart()[0]!, add);
      reader?.take(text);
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new ListError('The file is no UTF-8 text.');
    throw error;
  }
  if (!reader) throw new ListError('The file is empty.');
  const { version = file.writtenAt.toISOString() } = reader.finish();
  if (entries.size === 0) throw new ListError('The list has no address.');
  return { list: basename(path), version, digest: hash.digest('hex'), entries };
}

function readerFor(first: string, add: AddEntry): ListReader {
  if (first === '<') return createSdnReader(add);
  return first === '[' || first === '{' ? createJsonReader(add) : createLineReader(add);
}

/** An address per line; empty lines and those that begin with `#` are skipped. */
function createLineReader(add: AddEntry): ListReader {
  let rest = '';
  let lineNumber = 0;
  const takeLine = (line: string) => {
    lineNumber++;
    const text = line.trim();
    if (text !== '' && !text.startsWith('#'))
      add(checkAddress(text, `Line ${lineNumber}`), `line ${lineNumber}`);
  };
  return {
    take(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      if (rest.length > lineLengthMax)
        throw new ListError(`Line ${lineNumber + 1} is longer than ${lineLengthMax} characters.`);
      for (const line of lines) takeLine(line);
    },
    finish() {
      takeLine(rest);
      return {};
    },
  };
}

/**
 * `[…]`, or `{"version"?, "addresses": […]}`; an item is an address, or `{"address", "entry"?}`.
 */
function createJsonReader(add: AddEntry): ListReader {
  const pieces: string[] = [];
  let length = 0;
  return {
    take(text) {
      length += text.length;
      if (length > jsonBytesMax)
        throw new ListError(`A JSON list is at most ${jsonBytesMax} bytes long.`);
      pieces.push(text);
    },
    finish() {
      const value = parseJson(pieces.join(''));
      if (value === undefined)
        throw new ListError('The JSON of the list is cut off or not well formed.');
      const whole = isObject(value) ? value : { addresses: value };
      if (!Array.isArray(whole['addresses']))
        throw new ListError('A JSON list is an array, or an object with the array "addresses".');
      for (const [index, item] of (whole['addresses'] as unknown[]).entries())
        takeItem(add, index, item);
      return typeof whole['version'] === 'string'
        ? { version: whole['version'].slice(0, 100) }
        : {};
    },
  };
}

function takeItem(add: AddEntry, index: number, item: unknown): void {
  const address = isObject(item) ? item['address'] : item;
  if (typeof address !== 'string')
    throw new ListError(`Item ${index + 1} of the list is no address.`);
  const entry =
    isObject(item) && typeof item['entry'] === 'string'
      ? item['entry'].slice(0, 200)
      : `item ${index + 1}`;
  add(checkAddress(address.trim(), `Item ${index + 1}`), entry);
}

/** In a list of nothing but addresses, anything else means that the file is something else. */
function checkAddress(text: string, where: string): string {
  if (!addressPattern.test(text))
    throw new ListError(`${where}: "${text.slice(0, 60)}" is no address.`);
  return text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
