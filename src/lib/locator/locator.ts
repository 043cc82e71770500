import type { ChainType, SignerType, WalletType } from '../../chains/family.ts';
import { ServiceError } from '../errors.ts';
import { normalizeEmail } from '../people/email.ts';
import { isMoveType } from './move-type.ts';

/**
 * Locators: the names by which callers point at wallets, users, signers and tokens (supplement,
 * section 1). Parsed once at the border, trusted inside. Every parser takes the text after
 * percent-decoding and throws `invalid-locator`.
 */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/**
 * An address by syntax alone, spelled as the caller sent it. Checksums and the canonical form are
 * the family's.
 */
export type Address = Branded<'Address'>;
export type Alias = Branded<'Alias'>;
/** A word that can be a chain name. Whether the chain exists is the registry's knowledge. */
export type ChainName = Branded<'ChainName'>;

const userKinds = ['email', 'userId', 'phoneNumber', 'twitter', 'x'] as const;
export type UserKind = (typeof userKinds)[number];

/**
 * A user as a locator names it. An e-mail is normalised by {@link normalizeEmail}; the other values
 * are as sent.
 */
export interface UserLocator {
  readonly kind: UserKind;
  readonly value: string;
}

/** `COMPANY`: owned by the project, no end user. */
export type Owner = UserLocator | 'COMPANY';

interface WalletOfChain {
  readonly chainType: ChainType;
  readonly walletType: WalletType;
}

export type WalletLocator =
  | { readonly by: 'address'; readonly address: Address }
  | (WalletOfChain & { readonly by: 'user'; readonly user: UserLocator; readonly alias?: Alias })
  | (WalletOfChain & { readonly by: 'me'; readonly alias?: Alias })
  | (WalletOfChain & { readonly by: 'alias'; readonly alias: Alias });

/**
 * Test funding takes a user's wallet without its chain family: the family follows from the `chain`
 * of the body.
 */
export type FundingWalletLocator =
  | WalletLocator
  | { readonly by: 'user-any-chain'; readonly user: UserLocator; readonly walletType: WalletType };

export type SignerLocator =
  | { readonly type: 'external-wallet' | 'server'; readonly address: Address }
  | { readonly type: 'api-key'; readonly address?: Address }
  | { readonly type: 'email'; readonly email: string }
  | { readonly type: 'phone'; readonly phone: string }
  | { readonly type: 'passkey'; readonly id: string }
  | { readonly type: 'device'; readonly publicKey: string }
  | { readonly type: 'quorum'; readonly id: string };

/** `symbol` is in lower case; `tokenId` a decimal integer below 2^256. */
export type TokenLocator =
  | { readonly by: 'symbol'; readonly chain: ChainName; readonly symbol: string }
  | {
      readonly by: 'address';
      readonly chain: ChainName;
      readonly address: Address;
      readonly tokenId?: string;
    };

export type Recipient =
  | { readonly by: 'address'; readonly address: Address }
  | { readonly by: 'user'; readonly user: UserLocator };

/** Address syntax by family (supplement, section 1). */
const addressPatterns: Record<ChainType, RegExp> = {
  aptos: /^0x[a-fA-F0-9]{64}$/,
  evm: /^0x[a-fA-F0-9]{40}$/,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  stellar: /^[GC][A-Z0-9]{55}$/,
  sui: /^0x[a-fA-F0-9]{64}$/,
};
const chainTypesInOrder = Object.keys(addressPatterns) as ChainType[];
const chainTypeWords = chainTypesInOrder.join('|');

/** Wallet type of a locator that names none. */
const defaultWalletTypes: Record<ChainType, WalletType> = {
  aptos: 'mpc',
  evm: 'smart',
  solana: 'smart',
  stellar: 'smart',
  sui: 'mpc',
};

/**
 * Longest locator: a passkey credential id may have 1,023 bytes, which are 1,364 characters of
 * base64.
 */
const locatorLengthMax = 1_500;
const userIdLengthMax = 255;

const chainNamePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const chainNameLengthMax = 64;
const phonePattern = /^\+[1-9]\d{6,14}$/;
const handlePattern = /^@?[A-Za-z0-9_]{1,50}$/;
/**
 * Controls, lone surrogates and line separators: they are in no honest id, and a database or a log
 * would stumble.
 */
const unprintablePattern = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Nothing that anybody could see: no name of a user. */
const blankPattern = /^[\s\p{Cf}]*$/u;
/**
 * Shorter than any address, so that a symbol is never taken for one. No `0x`: that is a broken
 * address.
 */
const symbolPattern = /^(?!0[xX])[^\s:,/?#\p{C}]{1,31}$/u;
/** An asset of an issuer. */
const stellarAssetPattern = /^[A-Za-z0-9]{1,12}:G[A-Z2-7]{55}$/;
const tokenIdPattern = /^(?:0|[1-9]\d{0,77})$/;
const tokenIdLimit = 1n << 256n;

/** `evm`, `evm:smart`, `evm:alias:main`, `evm:smart:alias:main`. */
const chainPartPattern = new RegExp(
  `^(${chainTypeWords})(?::(smart|mpc))?(?::alias:([A-Za-z0-9_-]{1,64}))?$`,
);
/**
 * The same behind `:` at the end of a text. The value before it may contain `:`. Two readings exist
 * only where an alias is the name of a chain type (`…:evm:alias:evm`); the greedy pattern gives the
 * longer value, the lazy one the shorter.
 */
const userWalletGreedy = new RegExp(
  `^(.+):(${chainTypeWords})(?::(smart|mpc))?(?::alias:([A-Za-z0-9_-]{1,64}))?$`,
  's',
);
const userWalletLazy = new RegExp(
  `^(.+?):(${chainTypeWords})(?::(smart|mpc))?(?::alias:([A-Za-z0-9_-]{1,64}))?$`,
  's',
);
/**
 * A user id with this end could not be told from a wallet locator with such an alias, so no user
 * has one.
 */
const aliasLikeEnd = new RegExp(`:(?:${chainTypeWords})(?::(?:smart|mpc))?:alias$`);

/**
 * What a wallet locator has behind its user. As part of a user id it is a mistake: the money would
 * go to a stranger.
 */
const walletEnd = new RegExp(
  `:(?:(?:${chainTypeWords})(?::(?:smart|mpc))?(?::alias:[A-Za-z0-9_-]{1,64})?|smart|mpc)$`,
);

const userForms =
  'email:<email>, userId:<userId>, phoneNumber:<E.164 number>, twitter:<handle>, x:<handle>';
const walletForms =
  '<walletAddress>, <user locator>:<chainType>[:<walletType>][:alias:<alias>], me:<chainType>[:<walletType>][:alias:<alias>], ' +
  `<chainType>[:<walletType>]:alias:<alias>, where <user locator> is ${userForms}`;
const signerForms =
  'external-wallet:<address>, server:<address>, email:<email>, phone:<E.164 number>, passkey:<credentialId>, ' +
  'device:<base64 public key>, api-key, api-key:<address>, quorum:<id>';
const tokenForms =
  '<chain>:<symbol>, <chain>:<contract address>, <chain>:<contract address>:<tokenId>, on aptos and sui also <chain>:<type of a coin>, ' +
  'on stellar <chain>:<code>:<issuer>';

/**
 * A user locator as it stood in a query, where a `+` that was not percent-encoded arrives as a
 * space. No e-mail and no phone number has a space, so it is put right; other locators may have one
 * and stay as they are.
 */
export function restorePlus(text: string): string {
  return /^(?:email|phoneNumber):/.test(text) ? text.replaceAll(' ', '+') : text;
}

/** @throws invalid-locator */
export function parseWalletLocator(text: string): WalletLocator {
  return (
    readWalletLocator(checkLength(text, 'wallet', walletForms)) ??
    refuse('wallet', text, walletForms)
  );
}

/**
 * A wallet locator, or the short form `<kind>:<value>:<walletType>` of test funding.
 * @throws invalid-locator
 */
export function parseFundingWalletLocator(text: string): FundingWalletLocator {
  const forms = `${walletForms}; here also <user locator>:<walletType>`;
  const wallet = readWalletLocator(checkLength(text, 'wallet', forms));
  if (wallet) return wallet;
  const short = /^(.+):(smart|mpc)$/s.exec(text);
  const user = short && readUserLocator(short[1]!);
  if (!user) return refuse('wallet', text, forms);
  return { by: 'user-any-chain', user, walletType: short[2] as WalletType };
}

/** `<chain>:<address>`, the wallet of the NFT route. @throws invalid-locator */
export function parseNftWalletLocator(text: string): {
  readonly chain: ChainName;
  readonly address: Address;
} {
  const forms = '<chain>:<walletAddress>';
  const [chain, address] = splitAtFirstColon(checkLength(text, 'wallet', forms));
  if (address === undefined || !isChainName(chain) || !isAddressText(address))
    return refuse('wallet', text, forms);
  return { chain, address };
}

/** @throws invalid-locator */
export function parseUserLocator(text: string): UserLocator {
  return readUserLocator(checkLength(text, 'user', userForms)) ?? refuse('user', text, userForms);
}

/**
 * The user of a kind and a value that arrived apart, e.g. the `sub` of a JWT.
 * @throws invalid-locator
 */
export function makeUserLocator(kind: UserKind, value: string): UserLocator {
  return parseUserLocator(`${kind}:${value}`);
}

/** @throws invalid-locator */
export function parseOwner(text: string): Owner {
  const forms = `${userForms}, COMPANY`;
  if (text === 'COMPANY') return text;
  const user = readUserLocator(checkLength(text, 'owner', forms)) ?? refuse('owner', text, forms);
  refuseWalletLocator('owner', user);
  return user;
}

/** @throws invalid-locator */
export function parseSignerLocator(text: string): SignerLocator {
  return (
    readSignerLocator(checkLength(text, 'signer', signerForms)) ??
    refuse('signer', text, signerForms)
  );
}

/** @throws invalid-locator */
export function parseTokenLocator(text: string): TokenLocator {
  return (
    readTokenLocator(checkLength(text, 'token', tokenForms)) ?? refuse('token', text, tokenForms)
  );
}

/** A token named without its chain; in lower case. @throws invalid-locator */
export function parseTokenSymbol(text: string): string {
  const forms = `<symbol>, ${tokenForms}`;
  if (!symbolPattern.test(checkLength(text, 'token', forms))) return refuse('token', text, forms);
  return text.toLowerCase();
}

/** @throws invalid-locator */
export function parseRecipient(text: string): Recipient {
  const forms = `<address>, ${userForms}`;
  checkLength(text, 'recipient', forms);
  if (isAddressText(text)) return { by: 'address', address: text };
  const user = readUserLocator(text) ?? refuse('recipient', text, forms);
  refuseWalletLocator('recipient', user);
  return { by: 'user', user };
}

export function formatUserLocator(user: UserLocator): string {
  return `${user.kind}:${user.value}`;
}

/**
 * The families whose address syntax the text has: none, one, or both of aptos and sui, which share
 * theirs.
 */
export function chainTypesOfAddress(text: string): ChainType[] {
  return chainTypesInOrder.filter((chainType) => addressPatterns[chainType].test(text));
}

/** True when the text has the address syntax of the family, or of any family when none is named. */
export function isAddressText(text: string, chainType?: ChainType): text is Address {
  if (chainType) return addressPatterns[chainType].test(text);
  return chainTypesInOrder.some((each) => addressPatterns[each].test(text));
}

/** E.164: `+`, then 7 to 15 digits. */
export function isPhoneNumber(text: string): boolean {
  return phonePattern.test(text);
}

function readWalletLocator(text: string): WalletLocator | undefined {
  if (isAddressText(text)) return { by: 'address', address: text };
  const [head, rest] = splitAtFirstColon(text);
  if (rest === undefined) return undefined;
  if (head === 'me') {
    const part = readChainPart(chainPartPattern.exec(rest)?.slice(1));
    return part && { by: 'me', ...part };
  }
  if (isUserKind(head))
    return (
      readUserWallet(head, rest, userWalletGreedy) ?? readUserWallet(head, rest, userWalletLazy)
    );
  const part = readChainPart(chainPartPattern.exec(text)?.slice(1));
  return part?.alias === undefined ? undefined : { by: 'alias', ...part, alias: part.alias };
}

function readUserWallet(kind: UserKind, rest: string, pattern: RegExp): WalletLocator | undefined {
  const match = pattern.exec(rest);
  const value = match && normalizeUserValue(kind, match[1]!);
  const part = match && readChainPart(match.slice(2));
  return value && part ? { by: 'user', user: { kind, value }, ...part } : undefined;
}

function readChainPart(
  groups: readonly (string | undefined)[] | undefined,
): (WalletOfChain & { alias?: Alias }) | undefined {
  if (!groups) return undefined;
  const [chainType, walletType, alias] = groups as [
    ChainType,
    WalletType | undefined,
    Alias | undefined,
  ];
  return {
    chainType,
    walletType: walletType ?? defaultWalletTypes[chainType],
    ...(alias !== undefined && { alias }),
  };
}

function readUserLocator(text: string): UserLocator | undefined {
  const [kind, rest] = splitAtFirstColon(text);
  if (rest === undefined || !isUserKind(kind)) return undefined;
  const value = normalizeUserValue(kind, rest);
  return value === undefined ? undefined : { kind, value };
}

function normalizeUserValue(kind: UserKind, value: string): string | undefined {
  switch (kind) {
    case 'email':
      return normalizeEmail(value);
    case 'userId':
      return !blankPattern.test(value) &&
        value.length <= userIdLengthMax &&
        !unprintablePattern.test(value) &&
        !aliasLikeEnd.test(value)
        ? value
        : undefined;
    case 'phoneNumber':
      return phonePattern.test(value) ? value : undefined;
    case 'twitter':
    case 'x':
      return handlePattern.test(value) ? value : undefined;
  }
}

function readSignerLocator(text: string): SignerLocator | undefined {
  const [head, value] = splitAtFirstColon(text);
  const type = head as SignerType;
  if (value === undefined) return type === 'api-key' ? { type } : undefined;
  switch (type) {
    case 'external-wallet':
    case 'server':
    case 'api-key':
      return isAddressText(value) ? { type, address: value } : undefined;
    case 'email': {
      const email = normalizeEmail(value);
      return email === undefined ? undefined : { type, email };
    }
    case 'phone':
      return phonePattern.test(value) ? { type, phone: value } : undefined;
    case 'passkey':
      return /^[\x21-\x7e]{1,1400}$/.test(value) ? { type, id: value } : undefined;
    case 'device':
      return /^[A-Za-z0-9+/_-]{1,256}={0,2}$/.test(value) ? { type, publicKey: value } : undefined;
    case 'quorum':
      return /^[A-Za-z0-9_-]{1,64}$/.test(value) ? { type, id: value } : undefined;
    default:
      return undefined;
  }
}

function readTokenLocator(text: string): TokenLocator | undefined {
  const [chain, token] = splitAtFirstColon(text);
  if (token === undefined || !isChainName(chain)) return undefined;
  const isCoinType = (chain === 'sui' || chain === 'aptos') && isMoveType(token);
  if (isCoinType || (chain === 'stellar' && stellarAssetPattern.test(token)))
    return { by: 'address', chain, address: token as Address };
  const [address, tokenId] = splitAtFirstColon(token);
  if (isAddressText(address)) {
    if (tokenId === undefined) return { by: 'address', chain, address };
    return tokenIdPattern.test(tokenId) && BigInt(tokenId) < tokenIdLimit
      ? { by: 'address', chain, address, tokenId }
      : undefined;
  }
  return symbolPattern.test(token)
    ? { by: 'symbol', chain, symbol: token.toLowerCase() }
    : undefined;
}

function isUserKind(text: string): text is UserKind {
  return (userKinds as readonly string[]).includes(text);
}

function isChainName(text: string): text is ChainName {
  return text.length <= chainNameLengthMax && chainNamePattern.test(text);
}

function splitAtFirstColon(text: string): [head: string, rest: string | undefined] {
  const at = text.indexOf(':');
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function checkLength(text: string, noun: string, forms: string): string {
  return text.length <= locatorLengthMax ? text : refuse(noun, text, forms);
}

/** The excerpt is short and free of characters that could break a log line or a terminal. */
function refuseWalletLocator(noun: string, user: UserLocator): void {
  if (user.kind !== 'userId' || !walletEnd.test(user.value)) return;
  const short = `userId:${user.value.replace(walletEnd, '')}`.slice(0, 80);
  throw new ServiceError('invalid-locator', {
    message: `The ${noun} is a wallet locator. Name the user alone, e.g. "${short.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')}".`,
  });
}

function refuse(noun: string, text: string, forms: string): never {
  const excerpt = text.slice(0, 60).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
  const shown = excerpt.length < text.length ? `${excerpt}…` : excerpt;
  throw new ServiceError('invalid-locator', {
    message: `The ${noun} locator "${shown}" cannot be read. Accepted forms: ${forms}.`,
  });
}
