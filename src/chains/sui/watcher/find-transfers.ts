import { ServiceError } from '../../../lib/errors.ts';
import { inParallel } from '../../../lib/waiting/in-parallel.ts';
import type { LookUps } from '../../family/following/index.ts';
import type { ResolvedToken, SeenOperation, SeenTransfer } from '../../family.ts';
import { explorerLinkOf, type SuiNetwork } from '../config/networks.ts';
import type { Checkpoint, Recorded } from '../rpc/checkpoints.ts';
import { queryOf, type SuiTokens } from '../tokens/tokens.ts';
import { movementsOf } from './movements.ts';

const tokensAtOnce = 16;

export interface FindTransfersInput extends LookUps {
  readonly network: SuiNetwork;
  readonly tokens: SuiTokens;
  /** Ids of this service's operations by the digest that is the transaction's id; asked once. */
  readonly operationIds: (digests: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export interface FoundTransfers {
  readonly transfers: readonly SeenTransfer[];
  readonly operations: readonly SeenOperation[];
}

interface Placed {
  readonly checkpoint: Checkpoint;
  readonly transaction: Recorded;
}

/**
 * The transfers in checkpoints that touch wallets of ours, and the operations of this service that
 * ran.
 */
export async function findTransfers(
  input: FindTransfersInput,
  checkpoints: readonly Checkpoint[],
): Promise<FoundTransfers> {
  const all = checkpoints.flatMap((checkpoint) =>
    checkpoint.transactions.map((transaction): Placed => ({ checkpoint, transaction })),
  );
  if (all.length === 0) return { transfers: [], operations: [] };
  const movements = all.flatMap((placed) =>
    movementsOf(placed.transaction).map((movement) => ({ movement, placed })),
  );
  const addresses = [
    ...new Set(movements.flatMap(({ movement: { sender, recipient } }) => [sender, recipient])),
  ];
  const [own, ids] = await Promise.all([
    addresses.length === 0 ? new Set<string>() : input.ownAddresses(addresses),
    input.operationIds(all.map(({ transaction }) => transaction.digest)),
  ]);
  const ours = movements.filter(
    ({ movement: { sender, recipient } }) => own.has(sender) || own.has(recipient),
  );
  const withMemo = [
    ...new Set(
      ours.flatMap(({ movement }) => (movement.memo === undefined ? [] : [movement.recipient])),
    ),
  ];
  const taking = withMemo.length === 0 ? new Set<string>() : await input.depositAddresses(withMemo);
  const tokens = await tokensOf(input, new Set(ours.map(({ movement }) => movement.coinType)));
  const transfers: SeenTransfer[] = [];
  for (const { movement, placed } of ours) {
    const operationId = ids.get(placed.transaction.digest);
    const { id, coinType, amount: amountMinor, sender, recipient, memo } = movement;
    transfers.push({
      ...placeOf(input.network, placed),
      ...(operationId !== undefined && { operationId }),
      ...(memo !== undefined && taking.has(recipient) && { memo }),
      id: `${input.network.name}:${id}`,
      token: tokens.get(coinType)!,
      amountMinor,
      sender,
      recipient,
      succeeded: true,
    });
  }
  const operations = all.flatMap((placed): SeenOperation[] => {
    const operationId = ids.get(placed.transaction.digest);
    if (operationId === undefined) return [];
    const { explorerLink: _link, ...place } = placeOf(input.network, placed);
    return [{ ...place, operationId, succeeded: placed.transaction.succeeded }];
  });
  return { transfers, operations };
}

function placeOf(network: SuiNetwork, { checkpoint, transaction: { digest } }: Placed) {
  const explorerLink = explorerLinkOf(network, digest);
  return {
    chain: network.name,
    txId: digest,
    ...(explorerLink !== undefined && { explorerLink }),
    height: checkpoint.sequence,
    at: checkpoint.at,
  };
}

/**
 * One transaction moves coins of two thousand types, and types cost nothing: each is asked for
 * once, and many at a time.
 */
async function tokensOf(
  input: FindTransfersInput,
  coinTypes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ResolvedToken>> {
  const named = await inParallel(
    [...coinTypes],
    tokensAtOnce,
    async (coinType) => [coinType, await tokenOf(input, coinType)] as const,
  );
  return new Map(named);
}

/** A type of coins may tell nothing of itself; what it moved was moved. */
async function tokenOf(
  { network, tokens }: FindTransfersInput,
  coinType: string,
): Promise<ResolvedToken> {
  const chain = network.name;
  return tokens.resolve(chain, queryOf(network, coinType)).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'token-not-supported')
      return { chain, locator: `${chain}:${coinType}`, address: coinType, decimals: 0 };
    throw error;
  });
}
