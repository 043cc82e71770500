import { storableText } from '../../../lib/json/storable-text.ts';
import { readU64 } from '../operation/layout.ts';
import { isTokenProgram, programs } from '../operation/wrapping/programs.ts';
import type { Account } from '../rpc/schemas.ts';
import { isMetadataProgram } from './derived-addresses.ts';

/** What a mint tells of itself, and what the metadata of it says: a stranger's words. */
export interface MintFacts {
  readonly tokenProgram: string;
  readonly decimals: number;
  readonly supply: bigint;
  readonly symbol?: string;
  readonly name?: string;
  readonly uri?: string;
}

const mintBytes = 82;
const accountBytes = 165;
const accountTypeMint = 1;
/** Of Token-2022: type-length-value behind the account type. */
const extensionsAt = accountBytes + 1;
const tokenMetadataType = 19;
const symbolLengthMax = 32;
const nameLengthMax = 64;
const uriLengthMax = 2_048;
/** Key of `Metadata` accounts. */
const metadataKey = 4;

/**
 * Undefined when no mint stands there.
 * @param metadata the account at the mint's metadata address, where there is one
 */
export function readMintFacts(
  account: Account | undefined,
  metadata: Account | undefined,
): MintFacts | undefined {
  if (!account || !isTokenProgram(account.owner)) return undefined;
  const { data, owner: tokenProgram } = account;
  const hasExtensions = data.length > accountBytes;
  if (
    hasExtensions
      ? tokenProgram !== programs.token2022 || data[accountBytes] !== accountTypeMint
      : data.length !== mintBytes
  )
    return undefined;
  if (data[45] !== 1) return undefined;
  const told = (hasExtensions ? readExtension(data) : undefined) ?? readMetadata(metadata);
  return { tokenProgram, decimals: data[44]!, supply: readU64(data, 36), ...told };
}

type Told = Pick<MintFacts, 'symbol' | 'name' | 'uri'>;

function readExtension(data: Uint8Array): Told | undefined {
  const view = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  for (let at = extensionsAt; at + 4 <= view.length; at += 4 + view.readUInt16LE(at + 2)) {
    // Behind update authority and mint.
    if (view.readUInt16LE(at) === tokenMetadataType)
      return readTexts(view.subarray(at + 4, at + 4 + view.readUInt16LE(at + 2)), 64);
    if (view.readUInt16LE(at) === 0) return undefined;
  }
  return undefined;
}

function readMetadata(account: Account | undefined): Told | undefined {
  if (!account || !isMetadataProgram(account.owner) || account.data[0] !== metadataKey)
    return undefined;
  return readTexts(Buffer.from(account.data), 65);
}

/** Name, symbol and address of the document, each with its length before it. */
function readTexts(data: Buffer, from: number): Told {
  const texts: string[] = [];
  let at = from;
  for (let index = 0; index < 3; index++) {
    if (at + 4 > data.length) break;
    const length = data.readUInt32LE(at);
    if (at + 4 + length > data.length) break;
    texts.push(data.toString('utf8', at + 4, at + 4 + length).replace(/\0+$/, ''));
    at += 4 + length;
  }
  const [name, symbol, uri] = texts;
  return {
    ...textOf('name', name, nameLengthMax),
    ...textOf('symbol', symbol, symbolLengthMax),
    ...(uri !== undefined && uri.length <= uriLengthMax && textOf('uri', uri, uriLengthMax)),
  };
}

function textOf(field: keyof Told, text: string | undefined, lengthMax: number): Told {
  const clean =
    text === undefined
      ? ''
      : storableText(text, lengthMax)
          .replace(/\p{Cc}/gu, '')
          .trim();
  return clean === '' ? {} : { [field]: clean };
}
