import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeStructTag } from '@mysten/sui/utils';
import type { ObjectRef } from '../operation/program.ts';
import { readCoinType } from '../operation/transfer-program.ts';
import { ask, need, refOf, refuse } from './answers.ts';
import type { SuiConnection } from './connections.ts';
import { nodeError, refusalOf } from './node-error.ts';

/** Objects, coins and balances, as the node has them now. */

export interface Coin extends ObjectRef {
  readonly amount: bigint;
}

const pageSize = 200;
const pagesMax = 25;

/**
 * Coins of a type until they are worth so much, or until there are no more; never another's, and
 * never of another type.
 */
export async function readCoins(
  connection: SuiConnection,
  {
    owner,
    coinType,
    enough,
  }: { readonly owner: string; readonly coinType: string; readonly enough?: bigint },
): Promise<Coin[]> {
  const objectType = normalizeStructTag(`0x2::coin::Coin<${coinType}>`);
  const paths = ['object_id', 'version', 'digest', 'owner', 'object_type', 'balance'];
  const coins = new Map<string, Coin>();
  let pageToken: Uint8Array | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const request = { owner, objectType, pageSize, pageToken, readMask: { paths } };
    const { objects, nextPageToken } = await ask(
      connection,
      connection.client.stateService.listOwnedObjects(request),
    );
    for (const object of objects) {
      if (readCoinType(object.objectType ?? '') !== objectType || object.owner?.address !== owner)
        refuse(connection, 'objects that were not asked for');
      const coin = {
        ...refOf(connection, object),
        amount: need(connection, object.balance, 'the balance of a coin'),
      };
      coins.set(coin.objectId, coin);
    }
    pageToken = nextPageToken;
    if (!pageToken || (enough !== undefined && sumOf(coins.values()) >= enough)) break;
  }
  return [...coins.values()];
}

/** What its owner mints coins of a type with; undefined: it has none. */
export async function readTreasuryCap(
  connection: SuiConnection,
  { owner, coinType }: { readonly owner: string; readonly coinType: string },
): Promise<ObjectRef | undefined> {
  const objectType = normalizeStructTag(`0x2::coin::TreasuryCap<${coinType}>`);
  const readMask = { paths: ['object_id', 'version', 'digest', 'owner', 'object_type'] };
  const { objects } = await ask(
    connection,
    connection.client.stateService.listOwnedObjects({ owner, objectType, pageSize: 1, readMask }),
  );
  const [cap] = objects;
  if (!cap) return undefined;
  if (readCoinType(cap.objectType ?? '') !== objectType || cap.owner?.address !== owner)
    refuse(connection, 'objects that were not asked for');
  return refOf(connection, cap);
}

export function sumOf(coins: Iterable<Coin>): bigint {
  let sum = 0n;
  for (const { amount } of coins) sum += amount;
  return sum;
}

/** An object as it is now, with who has it: an address, or nobody alone. */
export interface ObjectNow extends ObjectRef {
  readonly owner: string | undefined;
  /** Of a coin. */
  readonly amount: bigint | undefined;
  /** Digest of the transaction that made it what it is. */
  readonly madeBy: string | undefined;
  /** Nobody can change it any more. */
  readonly isFrozen: boolean;
}

/**
 * Objects by their ids, those that are there. At most a thousand, which is what the network takes.
 */
export async function readObjects(
  connection: SuiConnection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ObjectNow>> {
  if (ids.length === 0) return new Map();
  const readMask = {
    paths: ['object_id', 'version', 'digest', 'owner', 'balance', 'previous_transaction'],
  };
  const requests = ids.map((objectId) => ({ objectId }));
  const { objects } = await ask(
    connection,
    connection.client.ledgerService.batchGetObjects({ requests, readMask }),
  );
  if (objects.length !== ids.length) refuse(connection, 'fewer objects than were asked for');
  const found = new Map<string, ObjectNow>();
  for (const [index, { result }] of objects.entries()) {
    if (result.oneofKind !== 'object') continue;
    const { owner, balance: amount, previousTransaction: madeBy } = result.object;
    const ref = refOf(connection, result.object);
    if (ref.objectId !== ids[index]) refuse(connection, 'objects that were not asked for');
    const isAddress = owner?.kind === GrpcTypes.Owner_OwnerKind.ADDRESS;
    const isFrozen = owner?.kind === GrpcTypes.Owner_OwnerKind.IMMUTABLE;
    found.set(ref.objectId, {
      ...ref,
      owner: isAddress ? owner.address : undefined,
      amount,
      madeBy,
      isFrozen,
    });
  }
  return found;
}

/** All that an address has of a type: of its coins, and of its own balance. */
export async function readBalance(
  connection: SuiConnection,
  { owner, coinType }: { owner: string; coinType: string },
): Promise<bigint> {
  const { balance } = await ask(
    connection,
    connection.client.stateService.getBalance({ owner, coinType }),
  );
  if (readCoinType(balance?.coinType ?? coinType) !== readCoinType(coinType))
    refuse(connection, 'the balance of another coin');
  return need(connection, balance?.balance, 'a balance');
}

export interface CoinFacts {
  readonly decimals: number;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
}

/** What a type of coins says of itself; undefined where there is none. */
export async function readCoinFacts(
  connection: SuiConnection,
  coinType: string,
): Promise<CoinFacts | undefined> {
  const answer = await connection.client.stateService
    .getCoinInfo({ coinType })
    .response.catch((error: unknown) => {
      if (refusalOf(error)) return undefined;
      throw nodeError(error, connection.network.name);
    });
  if (!answer?.metadata) return undefined;
  const { decimals, symbol, name } = answer.metadata;
  const known = need(connection, decimals, 'the decimals of a coin');
  if (!Number.isInteger(known) || known < 0 || known > 255)
    refuse(connection, 'decimals that no coin has');
  return { decimals: known, symbol: textOf(symbol), name: textOf(name) };
}

const textOf = (text: string | undefined) =>
  text === undefined || text === '' || text.length > 100 ? undefined : text;
