import { GrpcTypes } from '@mysten/sui/grpc';
import { isValidSuiAddress, normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { Refusal, refuse } from '../execution/refusals.ts';
import { type Chain, capIdOf } from '../ledger/chain.ts';
import { amountOf, currencyOf } from '../ledger/objects.ts';
import { type Method, method, pick } from './method.ts';
import { objectMessage } from './objects.ts';

const G = GrpcTypes;
const page = { sizeDefault: 50, sizeMax: 1_000 } as const;

export const stateMethods: Readonly<Record<string, Method>> = {
  GetBalance: method(G.GetBalanceRequest, G.GetBalanceResponse, (chain, { owner, coinType }) => {
    const type = readType(coinType ?? '0x2::sui::SUI');
    return { balance: balanceMessage(type, balancesOf(chain, readAddress(owner)).get(type) ?? 0n) };
  }),
  ListBalances: method(G.ListBalancesRequest, G.ListBalancesResponse, listBalances),
  ListOwnedObjects: method(G.ListOwnedObjectsRequest, G.ListOwnedObjectsResponse, listOwnedObjects),
  GetCoinInfo: method(G.GetCoinInfoRequest, G.GetCoinInfoResponse, getCoinInfo),
};

function readAddress(text = ''): string {
  const address = normalizeSuiAddress(text);
  return isValidSuiAddress(address) ? address : refuse('owner: invalid address');
}

function readType(text: string): string {
  try {
    return normalizeStructTag(text);
  } catch {
    return refuse(`invalid type: ${text}`);
  }
}

function balancesOf(chain: Chain, owner: string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const object of chain.ownedBy(owner)) {
    const type = currencyOf(object.type);
    if (type !== undefined) sums.set(type, (sums.get(type) ?? 0n) + amountOf(object));
  }
  return sums;
}

/** Balances are those of coins: the local chain has no balances of addresses. */
function balanceMessage(coinType: string, balance: bigint): GrpcTypes.Balance {
  return { coinType, balance, coinBalance: balance, addressBalance: 0n };
}

function listBalances(
  chain: Chain,
  { owner, pageSize, pageToken }: GrpcTypes.ListBalancesRequest,
): GrpcTypes.ListBalancesResponse {
  const all = [...balancesOf(chain, readAddress(owner))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const { items, nextPageToken } = pageOf(all, { key: ([type]) => type, pageSize, pageToken });
  return { balances: items.map(([type, balance]) => balanceMessage(type, balance)), nextPageToken };
}

function listOwnedObjects(
  chain: Chain,
  request: GrpcTypes.ListOwnedObjectsRequest,
): GrpcTypes.ListOwnedObjectsResponse {
  const { owner, objectType, pageSize, pageToken, readMask } = request;
  const wanted = objectType === undefined ? undefined : readType(objectType);
  const fits = ({ type }: { readonly type: string }) =>
    wanted === undefined || type === wanted || type.startsWith(`${wanted}<`);
  const all = chain.ownedBy(readAddress(owner)).filter(fits);
  const { items, nextPageToken } = pageOf(all, { key: ({ id }) => id, pageSize, pageToken });
  const fields = ['object_id', 'version', 'object_type'];
  return {
    objects: items.map((object) => pick(G.Object, objectMessage(object), readMask, fields)),
    nextPageToken,
  };
}

interface Page<Item> {
  readonly key: (item: Item) => string;
  readonly pageSize: number | undefined;
  readonly pageToken: Uint8Array | undefined;
}

/** Of a sorted list; a token is the key of the last item. */
function pageOf<Item>(
  all: readonly Item[],
  { key, pageSize, pageToken }: Page<Item>,
): { items: Item[]; nextPageToken: Uint8Array | undefined } {
  const after = pageToken === undefined ? '' : Buffer.from(pageToken).toString();
  const rest = all.filter((item) => key(item) > after);
  const items = rest.slice(0, Math.min(pageSize || page.sizeDefault, page.sizeMax));
  const last = items.at(-1);
  const isMore = last !== undefined && items.length < rest.length;
  return { items, nextPageToken: isMore ? new Uint8Array(Buffer.from(key(last))) : undefined };
}

function getCoinInfo(
  chain: Chain,
  { coinType: given = '' }: GrpcTypes.GetCoinInfoRequest,
): GrpcTypes.GetCoinInfoResponse {
  const coinType = readType(given);
  const currency = chain.currencies.get(coinType);
  if (!currency) throw new Refusal('NOT_FOUND', `Coin type ${coinType} not found`);
  const { decimals, symbol, name } = currency;
  const cap = chain.read(capIdOf(coinType));
  const treasury = cap && { id: cap.id, totalSupply: amountOf(cap) };
  return { coinType, metadata: { decimals, symbol, name, description: '' }, treasury };
}
