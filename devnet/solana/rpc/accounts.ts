import { z } from 'zod';
import type { Account } from '../accounts.ts';
import { fromBase58 } from '../base.ts';
import type { Chain } from '../chain.ts';
import { token2022Program, tokenProgram } from '../program-ids.ts';
import { formatAmount, readMint, readTokenAccount } from '../token-accounts.ts';
import { type AccountConfig, accountConfigShape, encodeAccount } from './encode-account.ts';
import { codes, invalidParams, RpcError } from './errors.ts';
import type { Methods } from './methods.ts';
import {
  addressSchema,
  contextSchema,
  countSchema,
  inContext,
  readConfig,
  readParam,
  type View,
  viewOf,
} from './params.ts';

const accountsMax = 100;
const filtersMax = 4;
const filterBytesMax = 128;
/** Nodes limit it by time; here it is a number. */
const foundMax = 10_000;
const dataBytesMax = 10 * 1024 * 1024;

const configSchema = contextSchema.extend(accountConfigShape);
const filterSchema = z.union([
  z.object({ dataSize: countSchema }),
  z.object({
    memcmp: z.object({
      offset: countSchema,
      bytes: z.string(),
      encoding: z.enum(['base58', 'base64']).nullish(),
    }),
  }),
]);
const programConfigSchema = configSchema.extend({
  filters: z.array(filterSchema).max(filtersMax).nullish(),
  withContext: z.boolean().nullish(),
});
const tokenFilterSchema = z.union([
  z.object({ mint: addressSchema }),
  z.object({ programId: addressSchema }),
]);

export const accountMethods: Methods = {
  getBalance(chain, params) {
    const address = readParam(params, 0, addressSchema);
    const view = viewOf(chain, readConfig(params, 1, contextSchema));
    return inContext(view, chain.read(address, view.slot)?.lamports ?? 0n);
  },
  getAccountInfo(chain, params) {
    const address = readParam(params, 0, addressSchema);
    const config = readConfig(params, 1, configSchema);
    const view = viewOf(chain, config);
    return inContext(view, encode(chain, chain.read(address, view.slot), config, view));
  },
  getMultipleAccounts(chain, params) {
    const addresses = readParam(
      params,
      0,
      z.array(addressSchema).max(accountsMax, `Too many inputs provided; max ${accountsMax}`),
    );
    const config = readConfig(params, 1, configSchema);
    const view = viewOf(chain, config);
    return inContext(
      view,
      addresses.map((address) =>
        encode(chain, chain.read(address, view.slot), { encoding: 'base64', ...config }, view),
      ),
    );
  },
  getMinimumBalanceForRentExemption(chain, params) {
    return chain.machine.rentOf(
      readParam(params, 0, countSchema.max(dataBytesMax, 'more than an account can hold')),
    );
  },
  getProgramAccounts(chain, params) {
    const program = readParam(params, 0, addressSchema);
    const config = readConfig(params, 1, programConfigSchema);
    const view = viewOf(chain, config);
    const filters = (config.filters ?? []).map(toFilter);
    const found = chain.accounts
      .ofProgram(program, view.slot)
      .filter(([, account]) => filters.every((fits) => fits(account)));
    const list = encodeAll(chain, found, config, view);
    return config.withContext ? inContext(view, list) : list;
  },
  getTokenAccountsByOwner: (chain, params) =>
    findTokens(chain, params, (owner, slot) => chain.accounts.ofTokenOwner(owner, slot)),
  getTokenAccountsByDelegate: (chain, params) =>
    findTokens(chain, params, (owner, slot) => chain.accounts.ofTokenDelegate(owner, slot)),
  getTokenAccountBalance(chain, params) {
    const address = readParam(params, 0, addressSchema);
    const view = viewOf(chain, readConfig(params, 1, contextSchema));
    const account = chain.read(address, view.slot);
    const token = account ? readTokenAccount(account) : undefined;
    const decimals = token && readDecimals(chain, token.mint, view);
    if (!token || decimals === undefined)
      throw new RpcError(
        codes.invalidParams,
        'Invalid param: could not find account, or it is no token account',
      );
    return inContext(view, formatAmount(token.amount, decimals));
  },
  getTokenSupply(chain, params) {
    const address = readParam(params, 0, addressSchema);
    const view = viewOf(chain, readConfig(params, 1, contextSchema));
    const account = chain.read(address, view.slot);
    const mint = account ? readMint(account) : undefined;
    if (!mint) throw new RpcError(codes.invalidParams, 'Invalid param: not a Token mint');
    return inContext(view, formatAmount(mint.supply, mint.decimals));
  },
};

function encode(chain: Chain, account: Account | null, config: AccountConfig, view: View) {
  return account && encodeAccount(account, config, (mint) => chain.read(mint, view.slot));
}

function encodeAll(
  chain: Chain,
  found: readonly (readonly [string, Account])[],
  config: AccountConfig,
  view: View,
) {
  if (found.length > foundMax)
    throw invalidParams(`more than ${foundMax} accounts were found: name narrower filters`);
  return found.map(([pubkey, account]) => ({
    pubkey,
    account: encode(chain, account, config, view),
  }));
}

function findTokens(
  chain: Chain,
  params: readonly unknown[],
  find: (owner: string, slot: number) => [string, Account][],
) {
  const owner = readParam(params, 0, addressSchema);
  const filter = readParam(params, 1, tokenFilterSchema);
  const config = readConfig(params, 2, configSchema);
  const view = viewOf(chain, config);
  if (
    'programId' in filter &&
    filter.programId !== tokenProgram &&
    filter.programId !== token2022Program
  )
    throw new RpcError(codes.invalidParams, 'Invalid param: unrecognized Token program id');
  const fits = (account: Account) =>
    'mint' in filter
      ? readTokenAccount(account)?.mint === filter.mint
      : account.owner === filter.programId;
  const found = find(owner, view.slot).filter(([, account]) => fits(account));
  return inContext(view, encodeAll(chain, found, config, view));
}

function readDecimals(chain: Chain, mint: string, view: View): number | undefined {
  const account = chain.read(mint, view.slot);
  return account ? readMint(account)?.decimals : undefined;
}

function toFilter(filter: z.infer<typeof filterSchema>): (account: Account) => boolean {
  if ('dataSize' in filter) return ({ data }) => data.length === filter.dataSize;
  const { offset, bytes, encoding } = filter.memcmp;
  const wanted = decodeFilter(bytes, encoding ?? 'base58');
  return ({ data }) => Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}

function decodeFilter(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  if (text.length > filterBytesMax * 2)
    throw invalidParams(`a filter compares at most ${filterBytesMax} bytes`);
  try {
    const bytes =
      encoding === 'base58' ? fromBase58(text) : new Uint8Array(Buffer.from(text, 'base64'));
    if (bytes.length <= filterBytesMax) return bytes;
  } catch {
    throw invalidParams(`the bytes of a filter are not ${encoding}`);
  }
  throw invalidParams(`a filter compares at most ${filterBytesMax} bytes`);
}
