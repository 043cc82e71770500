import { z } from 'zod';
import type { Account } from '../accounts.ts';
import { readU32, readU64, toBase58, toBase64 } from '../base.ts';
import { readNonce } from '../nonce.ts';
import { lookupTableProgram, token2022Program } from '../program-ids.ts';
import {
  formatAmount,
  readExtensions,
  readMint,
  readTokenAccount,
  type TokenAccount,
} from '../token-accounts.ts';
import { invalidParams } from './errors.ts';
import { countSchema } from './params.ts';

export const encodingSchema = z.enum(['base58', 'base64', 'base64+zstd', 'jsonParsed', 'binary']);
export const accountConfigShape = {
  encoding: encodingSchema.nullish(),
  dataSlice: z.object({ offset: countSchema, length: countSchema }).nullish(),
};

export interface AccountConfig {
  readonly encoding?: z.infer<typeof encodingSchema> | null;
  readonly dataSlice?: { readonly offset: number; readonly length: number } | null;
}

/** What base58 is still quick for, and nodes allow. */
const base58BytesMax = 128;
const rentEpoch = 18_446_744_073_709_551_615n;
const lookupMetaBytes = 56;

/** @param readMintOf decimals are in the mint */
export function encodeAccount(
  account: Account,
  config: AccountConfig,
  readMintOf: (mint: string) => Account | null,
) {
  const { lamports, owner, executable, data } = account;
  return {
    lamports,
    owner,
    executable,
    rentEpoch,
    space: data.length,
    data: encodeData(account, config, readMintOf),
  };
}

function encodeData(
  account: Account,
  { encoding, dataSlice }: AccountConfig,
  readMintOf: (mint: string) => Account | null,
): unknown {
  if (encoding === 'base64+zstd')
    throw invalidParams('the encoding base64+zstd is not served by this emulator: ask for base64');
  if (encoding === 'jsonParsed') {
    const parsed = parseData(account, readMintOf);
    if (parsed) return { ...parsed, space: account.data.length };
  }
  const data = dataSlice
    ? account.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length)
    : account.data;
  if (encoding === 'base64' || encoding === 'jsonParsed') return [toBase64(data), 'base64'];
  if (data.length > base58BytesMax)
    throw invalidParams(
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  return encoding === 'base58' ? [toBase58(data), 'base58'] : toBase58(data);
}

function parseData(
  account: Account,
  readMintOf: (mint: string) => Account | null,
): { program: string; parsed: object } | undefined {
  return parseToken(account, readMintOf) ?? parseNonce(account) ?? parseLookupTable(account);
}

function parseToken(account: Account, readMintOf: (mint: string) => Account | null) {
  const program = account.owner === token2022Program ? 'spl-token-2022' : 'spl-token';
  const extensions =
    account.owner === token2022Program && account.data.length > 165
      ? { extensions: readExtensions(account.data) }
      : {};
  const mint = readMint(account);
  if (mint) {
    const { supply, decimals, isInitialized, mintAuthority = null, freezeAuthority = null } = mint;
    const info = {
      decimals,
      freezeAuthority,
      isInitialized,
      mintAuthority,
      supply: supply.toString(),
      ...extensions,
    };
    return { program, parsed: { type: 'mint', info } };
  }
  const token = readTokenAccount(account);
  const mintAccount = token && readMintOf(token.mint);
  const decimals = mintAccount ? readMint(mintAccount)?.decimals : undefined;
  if (!token || decimals === undefined) return undefined;
  return {
    program,
    parsed: { type: 'account', info: { ...describeToken(token, decimals), ...extensions } },
  };
}

function describeToken(token: TokenAccount, decimals: number) {
  const { mint, owner, state, delegate, delegatedAmount, rentReserve, closeAuthority } = token;
  return {
    isNative: rentReserve !== undefined,
    mint,
    owner,
    state,
    tokenAmount: formatAmount(token.amount, decimals),
    ...(delegate === undefined
      ? {}
      : { delegate, delegatedAmount: formatAmount(delegatedAmount, decimals) }),
    ...(rentReserve === undefined
      ? {}
      : { rentExemptReserve: formatAmount(rentReserve, decimals) }),
    ...(closeAuthority === undefined ? {} : { closeAuthority }),
  };
}

function parseNonce(account: Account) {
  const nonce = readNonce(account);
  if (!nonce) return undefined;
  const feeCalculator = { lamportsPerSignature: readU64(account.data, 72).toString() };
  return {
    program: 'nonce',
    parsed: {
      type: 'initialized',
      info: { authority: nonce.authority, blockhash: nonce.value, feeCalculator },
    },
  };
}

function parseLookupTable({ owner, data }: Account) {
  if (owner !== lookupTableProgram || data.length < lookupMetaBytes || readU32(data, 0) !== 1)
    return undefined;
  const addresses = [];
  for (let at = lookupMetaBytes; at + 32 <= data.length; at += 32)
    addresses.push(toBase58(data.subarray(at, at + 32)));
  const info = {
    deactivationSlot: readU64(data, 4).toString(),
    lastExtendedSlot: readU64(data, 12).toString(),
    lastExtendedSlotStartIndex: data[20],
    ...(data[21] === 1 ? { authority: toBase58(data.subarray(22, 54)) } : {}),
    addresses,
  };
  return { program: 'address-lookup-table', parsed: { type: 'lookupTable', info } };
}
