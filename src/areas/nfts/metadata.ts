import { z } from 'zod';
import { parseJson } from '../../lib/json/parse-json.ts';
import { fetchPublic, type PublicFetchOptions } from '../../lib/net/public-fetch.ts';
import type { NftMetadata } from './store.ts';

export interface ReadMetadataOptions {
  /** False: only what stands in the address itself is read, as on local chains. */
  readonly remote: boolean;
  readonly timeoutMs: number;
  /** For tests. */
  readonly fetch?: Partial<PublicFetchOptions>;
}

const documentBytesMax = 256 * 1024;
const nameLengthMax = 300;
const descriptionLengthMax = 5_000;
/** Pictures drawn on the chain are addresses of some ten kilobytes. */
const imageLengthMax = 64 * 1024;

/**
 * Fields of another type or of an absurd size are left out; the rest of the document still counts.
 */
const text = (lengthMax: number) =>
  z
    .string()
    .transform(cleanText)
    .pipe(z.string().min(1).max(lengthMax))
    .optional()
    .catch(undefined);
/** Apps put it into their pages: nothing that runs, and nothing of the device that shows it. */
const picture = text(imageLengthMax).transform((image) =>
  image !== undefined && /^(?:https:|ipfs:|ar:|data:image\/)/i.test(image) ? image : undefined,
);
const documentSchema = z.object({
  name: text(nameLengthMax),
  description: text(descriptionLengthMax),
  image: picture,
});
const dataPattern = /^data:application\/json(?:;(?!base64,)[\w.=+-]+)*(;base64)?,(.*)$/is;

/**
 * Metadata at an address that a contract named: `data:` and, where allowed, public `https:`
 * addresses. Undefined when there is nothing to read. @throws PublicFetchError
 */
export async function readMetadata(
  uri: string,
  options: ReadMetadataOptions,
): Promise<NftMetadata | undefined> {
  const document = await readDocument(uri, options);
  const parsed = documentSchema.safeParse(document === undefined ? undefined : parseJson(document));
  if (!parsed.success) return undefined;
  const { name, description, image } = parsed.data;
  return {
    name,
    description,
    image,
  };
}

async function readDocument(
  uri: string,
  options: ReadMetadataOptions,
): Promise<string | undefined> {
  const data = dataPattern.exec(uri);
  if (data) return decodeData(data[2]!, data[1] !== undefined);
  if (!options.remote || !/^https:/i.test(uri)) return undefined;
  return (
    await fetchPublic(uri, {
      timeoutMs: options.timeoutMs,
      bytesMax: documentBytesMax,
      ...options.fetch,
    })
  ).toString('utf8');
}

function decodeData(body: string, isBase64: boolean): string | undefined {
  if (isBase64) return Buffer.from(body, 'base64').toString('utf8');
  try {
    return decodeURIComponent(body);
  } catch {
    // Contracts often forget to escape a plain percent sign.
    return body;
  }
}

/** A stranger's text: PostgreSQL takes no NUL, and nobody takes the rest. */
function cleanText(value: string): string {
  return value.replace(/[\p{Cs}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/gu, '').trim();
}
