import { ServiceError } from '../../../lib/errors.ts';
import { type Flow, pairDeltas } from '../../family/flows.ts';
import type { ResolvedToken, SeenOperation, SeenTransfer } from '../../family.ts';
import { type AptosNetwork, explorerLinkOf } from '../config/networks.ts';
import { longAddress } from '../encoding/addresses.ts';
import { type Movement, movementsOf, sumMovements } from '../operation/movements.ts';
import { type Asset, assetName, isApt } from '../tokens/assets.ts';
import type { AptosTokens } from '../tokens/tokens.ts';
import type { SeenTransaction } from './read-versions.ts';

export interface FindTransfersInput {
  readonly network: AptosNetwork;
  readonly tokens: AptosTokens;
  /** Which of these addresses are wallets of ours; asked once. */
  readonly ownAddresses: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Ids of this service's operations by the hash that is the transaction's id; asked once. */
  readonly operationIds: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export interface FoundTransfers {
  readonly transfers: readonly SeenTransfer[];
  readonly operations: readonly SeenOperation[];
}

interface AssetFlow extends Flow {
  readonly asset: Asset;
}

/** Who gives what is made, and gets what is burnt. */
const nobody = longAddress('0x0');

/**
 * The transfers of transactions that touch wallets of ours, and the operations of this service that
 * ran.
 */
export async function findTransfers(
  input: FindTransfersInput,
  transactions: readonly SeenTransaction[],
): Promise<FoundTransfers> {
  if (transactions.length === 0) return { transfers: [], operations: [] };
  const all = transactions.map((transaction) => ({
    transaction,
    movements: sumMovements(movementsOf(transaction)),
  }));
  const owners = [...new Set(all.flatMap(({ movements }) => movements.map(({ owner }) => owner)))];
  const [own, ids] = await Promise.all([
    owners.length === 0 ? new Set<string>() : input.ownAddresses(owners),
    input.operationIds(transactions.map(({ hash }) => hash)),
  ]);
  const flows = all.flatMap(({ transaction, movements }) =>
    flowsOf(movements)
      .map((flow, index) => ({ ...flow, transaction, index }))
      .filter(({ sender, recipient }) => own.has(sender) || own.has(recipient)),
  );
  const transfers: SeenTransfer[] = [];
  for (const { asset, transaction, index, ...flow } of flows) {
    const operationId = ids.get(transaction.hash);
    transfers.push({
      ...flow,
      ...placeOf(input.network, transaction),
      ...(operationId !== undefined && { operationId }),
      id: `${input.network.name}:${transaction.hash}:${index}`,
      token: await tokenOf(input, asset),
      succeeded: true,
    });
  }
  const operations = transactions.flatMap((transaction): SeenOperation[] => {
    const operationId = ids.get(transaction.hash);
    if (operationId === undefined) return [];
    const { explorerLink: _link, ...place } = placeOf(input.network, transaction);
    return [{ ...place, operationId, succeeded: transaction.success }];
  });
  return { transfers, operations };
}

function placeOf(network: AptosNetwork, { hash, version, timestampUs }: SeenTransaction) {
  const explorerLink = explorerLinkOf(network, hash);
  return {
    chain: network.name,
    txId: hash,
    ...(explorerLink !== undefined && { explorerLink }),
    height: version,
    at: new Date(Number(timestampUs / 1_000n)),
  };
}

/**
 * What went from whom to whom: of each asset those who have less give to those who have more, in
 * their order.
 */
export function flowsOf(movements: readonly Movement[]): AssetFlow[] {
  const byAsset = new Map<string, Movement[]>();
  for (const movement of movements) {
    const name = isApt(movement.asset) ? '' : assetName(movement.asset);
    byAsset.set(name, [...(byAsset.get(name) ?? []), movement]);
  }
  return [...byAsset.values()].flatMap((own) =>
    pairDeltas(own, nobody).map((flow) => ({ asset: own[0]!.asset, ...flow })),
  );
}

async function tokenOf(
  { network, tokens }: FindTransfersInput,
  asset: Asset,
): Promise<ResolvedToken> {
  if (isApt(asset)) return tokens.resolve({ symbol: network.native.symbol });
  const address = assetName(asset);
  const listed = network.tokens.find((token) => token.address === address);
  if (listed) return tokens.resolve({ symbol: listed.symbol });
  try {
    return await tokens.resolve({ address });
  } catch (error) {
    // An asset may tell nothing of itself any more; what it moved was moved.
    if (error instanceof ServiceError && error.code === 'token-not-supported')
      return { chain: network.name, locator: `${network.name}:${address}`, address, decimals: 0 };
    throw error;
  }
}
