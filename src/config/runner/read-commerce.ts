import { z } from 'zod';
import type { Environment } from '../../context.ts';
import { parseJson } from '../../lib/json/parse-json.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { SettingReader } from '../read-setting.ts';

/** Where the cards of one payment handler become tokens. */
export interface CommerceTokenizer {
  /** As shops name it: `com.example.processor_tokenizer`. */
  readonly handler: string;
  readonly url: string;
  readonly key?: Secret;
  /**
   * How it is asked: as UCP's Tokenization API writes it, or as ACP's Delegate Payment API does,
   * for an amount. Default `tokenize`.
   */
  readonly kind?: 'tokenize' | 'delegate';
}

/** A shop that has given the operator a key for the Agentic Commerce Protocol. */
export interface AcpShop {
  /** Origin of the shop's pages. */
  readonly shop: string;
  readonly key: Secret;
  /** Where its interface is, when that is not the shop's own origin; without a slash at the end. */
  readonly endpoint?: string;
}

/** Shops' own interfaces for agents. */
export interface CommerceConfig {
  /** Where our own profile is published. */
  readonly profileUrl: string;
  readonly tokenizers: readonly CommerceTokenizer[];
  readonly acpShops: readonly AcpShop[];
}

const entries = z.array(
  z.strictObject({
    handler: z.string().regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/i),
    url: z.string(),
    key: z.string().min(1).optional(),
    kind: z.enum(['tokenize', 'delegate']).optional(),
  }),
);
const acpEntries = z
  .array(
    z.strictObject({ shop: z.string(), key: z.string().min(1), endpoint: z.string().optional() }),
  )
  .max(500);

/** Undefined without `RUNNER_COMMERCE_PROFILE_URL`: then purchases go through pages alone. */
export function readCommerce(
  reader: SettingReader,
  environment: Environment,
): CommerceConfig | undefined {
  const profileUrl = reader.text('RUNNER_COMMERCE_PROFILE_URL');
  const tokenizers = readTokenizers(reader, environment);
  const acpShops = readAcpShops(reader, environment);
  if (profileUrl === undefined) {
    if (acpShops.length > 0)
      reader.problems.push(
        'RUNNER_COMMERCE_ACP_SHOPS is set and RUNNER_COMMERCE_PROFILE_URL is not: that switches shops’ interfaces on.',
      );
    if (tokenizers.length > 0)
      reader.problems.push(
        'RUNNER_COMMERCE_TOKENIZERS is set and RUNNER_COMMERCE_PROFILE_URL is not: shops ask who is calling.',
      );
    return undefined;
  }
  if (!isSafe(profileUrl, environment))
    reader.problems.push(
      'RUNNER_COMMERCE_PROFILE_URL is an https address, as in https://purser.example/.well-known/ucp.',
    );
  return { profileUrl, tokenizers, acpShops };
}

function readTokenizers(
  reader: SettingReader,
  environment: Environment,
): readonly CommerceTokenizer[] {
  const text = reader.secret('RUNNER_COMMERCE_TOKENIZERS');
  if (text === undefined) return [];
  const parsed = entries.safeParse(parseJson(text));
  if (!parsed.success || !parsed.data.every(({ url }) => isSafe(url, environment))) {
    reader.problems.push(
      'RUNNER_COMMERCE_TOKENIZERS is a JSON list such as [{"handler":"com.example.processor_tokenizer","url":"https://psp.example/tokenize","key":"…"}], with https addresses: cards are sent there.',
    );
    return [];
  }
  return parsed.data.map(({ handler, url, key, kind }) => ({
    handler,
    url,
    ...(key !== undefined && { key: new Secret(key) }),
    ...(kind !== undefined && { kind }),
  }));
}

function readAcpShops(reader: SettingReader, environment: Environment): readonly AcpShop[] {
  const text = reader.secret('RUNNER_COMMERCE_ACP_SHOPS');
  if (text === undefined) return [];
  const parsed = acpEntries.safeParse(parseJson(text));
  const isOrigin = (address: string) =>
    isSafe(address, environment) && new URL(address).origin === address;
  const isGood =
    parsed.success &&
    parsed.data.every(
      ({ shop, endpoint }) =>
        isOrigin(shop) && (endpoint === undefined || isSafe(endpoint, environment)),
    ) &&
    areDifferent(parsed.data.map(({ shop }) => shop)) &&
    // A checkout that is taken up again is known by its interface's address: two keys for one could
    // be taken for each other.
    areDifferent(parsed.data.map(({ shop, endpoint = shop }) => endpoint.replace(/\/+$/, '')));
  if (!isGood) {
    reader.problems.push(
      'RUNNER_COMMERCE_ACP_SHOPS is a JSON list such as [{"shop":"https://shop.example","key":"…"}], one entry for each shop, with https origins; “endpoint” names its interface where that is elsewhere.',
    );
    return [];
  }
  return parsed.data.map(({ shop, key, endpoint }) => ({
    shop,
    key: new Secret(key),
    ...(endpoint !== undefined && { endpoint: endpoint.replace(/\/+$/, '') }),
  }));
}

const areDifferent = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

/** Over TLS; in development also on this machine. */
function isSafe(address: string, environment: Environment): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return (
    protocol === 'https:' ||
    (environment === 'development' &&
      protocol === 'http:' &&
      ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  );
}
