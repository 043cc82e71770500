import type { Asset, xdr } from '@stellar/stellar-sdk/base';
import { walletEntryKey as instanceKey } from '../../../../contracts/stellar/index.ts';
import { storableText } from '../../../lib/json/storable-text.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { assetDecimals, assetOfContract } from './assets.ts';
import { readView } from './views.ts';

/** What a token says of itself; of contracts of their own, words of strangers. */
export interface TokenFacts {
  readonly decimals: number;
  readonly symbol?: string;
  readonly name?: string;
  /** Absent: a contract of its own. */
  readonly asset?: Asset;
}

const symbolLengthMax = 32;
const nameLengthMax = 64;
/** With more, one token would be worth more digits than any amount has. */
const decimalsMax = 38;

/** Of each contract that is a token, in few calls where they are contracts of assets. */
export async function readTokenFacts(
  connection: StellarConnection,
  contracts: readonly string[],
): Promise<Map<string, TokenFacts>> {
  const found = new Map<string, TokenFacts>();
  if (contracts.length === 0) return found;
  const { entries } = await readEntries(connection, contracts.map(instanceKey));
  for (const [index, contract] of contracts.entries()) {
    const data = entries[index]?.data;
    if (data?.type !== 'contractData') continue;
    const asset = assetOfContract(data.contractData.val, contract, connection.network.passphrase);
    const facts = asset ? factsOfAsset(asset) : await readOwnFacts(connection, contract);
    if (facts) found.set(contract, facts);
  }
  return found;
}

/**
 * The name is the asset's full one, as its contract tells it: the issuer is what tells two of a
 * code apart.
 */
export function factsOfAsset(asset: Asset): TokenFacts {
  if (asset.isNative()) return { asset, decimals: assetDecimals, name: 'native' };
  return { asset, decimals: assetDecimals, symbol: asset.getCode(), name: asset.toString() };
}

/** Undefined: it does not tell its decimals, so it is no token (SEP-41). */
async function readOwnFacts(
  connection: StellarConnection,
  contract: string,
): Promise<TokenFacts | undefined> {
  const decimals = (await readView(connection, { contract, method: 'decimals' }))?.value;
  if (decimals?.type !== 'scvU32' || decimals.u32 > decimalsMax) return undefined;
  const [symbol, name] = await Promise.all([
    readText(connection, { contract, method: 'symbol', lengthMax: symbolLengthMax }),
    readText(connection, { contract, method: 'name', lengthMax: nameLengthMax }),
  ]);
  return { decimals: decimals.u32, ...(symbol !== '' && { symbol }), ...(name !== '' && { name }) };
}

async function readText(
  connection: StellarConnection,
  {
    contract,
    method,
    lengthMax,
  }: { readonly contract: string; readonly method: string; readonly lengthMax: number },
): Promise<string> {
  const value = (await readView(connection, { contract, method }))?.value;
  return storableText(textOf(value), lengthMax)
    .replace(/\p{Cc}/gu, '')
    .trim();
}

function textOf(value: xdr.ScVal | undefined): string {
  if (value?.type === 'scvString') return value.str.toString();
  return value?.type === 'scvSymbol' ? value.sym.toString() : '';
}
