import type { Addresses, ChainFamily, Networks, SeenTransfer } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { appendEvents, type DomainEvent } from '../../jobs/index.ts';
import type { Tx } from '../../store/types.ts';
import { selectWalletsAt, type WalletRecord } from '../wallets/index.ts';
import { type NewTransfer, retractFailures, retractFrom, upsertTransfers } from './store.ts';
import { transferDataView } from './view.ts';

/** Transfers that one statement stores. */
const recordsPerStatementMax = 1_000;

/**
 * Entrance for the watchers: records each side that is a wallet of ours, and announces it once. A
 * transfer seen again, after a reorganisation or a restart, keeps its id and is not announced a
 * second time. Collectibles are recorded for what a wallet holds; they are no activity and not
 * announced.
 */
export async function recordTransfers(
  ctx: Pick<Ctx, 'chains' | 'ids' | 'clock'>,
  tx: Tx,
  transfers: readonly SeenTransfer[],
): Promise<void> {
  const byFamily = groupBy(transfers, (transfer) => ctx.chains.familyOfChain(transfer.chain));
  for (const [family, seen] of byFamily) await recordFamilyTransfers(ctx, tx, family, seen);
}

/**
 * Entrance for the watchers: blocks from this height on are gone, and the transfers in them with
 * them.
 */
export async function retractTransfers(
  ctx: Pick<Ctx, 'log'>,
  tx: Tx,
  chain: string,
  fromHeight: bigint,
): Promise<void> {
  const count = await retractFrom(tx, chain, fromHeight);
  if (count > 0)
    ctx.log.warn(
      { chain, fromHeight: fromHeight.toString(), count },
      'a reorganisation took transfers back',
    );
}

async function recordFamilyTransfers(
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  tx: Tx,
  family: ChainFamily,
  transfers: readonly SeenTransfer[],
): Promise<void> {
  const keyOf = (address: string) => family.canonicalAddress(address);
  const addressKeys = new Set(
    transfers.flatMap((transfer) => [keyOf(transfer.sender), keyOf(transfer.recipient)]),
  );
  const wallets = await selectWalletsAt(tx, family.chainType, [...addressKeys]);
  const walletsAt = groupBy(wallets, (wallet) => keyOf(wallet.address));
  const records = new Map<string, NewTransfer>();
  for (const transfer of transfers) {
    for (const direction of ['out', 'in'] as const) {
      for (const wallet of walletsAt.get(
        keyOf(direction === 'out' ? transfer.sender : transfer.recipient),
      ) ?? []) {
        const record = toRecord(transfer, { family, wallet, direction, id: ctx.ids.uuid() });
        records.set(`${record.walletId}|${record.direction}|${record.seenId}`, record);
      }
    }
  }
  const all = [...records.values()];
  for (let at = 0; at < all.length; at += recordsPerStatementMax) {
    const chunk = all.slice(at, at + recordsPerStatementMax);
    const isNew = await upsertTransfers(tx, chunk);
    await announceTransfers(
      ctx,
      tx,
      family,
      wallets,
      chunk.filter((record) => record.tokenId === undefined && isNew.has(record.id)),
    );
  }
  await retractFailures(tx, [
    ...new Set(
      transfers.flatMap((transfer) => (transfer.succeeded ? (transfer.operationId ?? []) : [])),
    ),
  ]);
}

function toRecord(
  transfer: SeenTransfer,
  side: { family: Addresses; wallet: WalletRecord; direction: 'in' | 'out'; id: string },
): NewTransfer {
  const { token } = transfer;
  return {
    id: side.id,
    walletId: side.wallet.id,
    direction: side.direction,
    seenId: transfer.id,
    status: transfer.succeeded ? 'succeeded' : 'failed',
    chain: transfer.chain,
    tokenLocator: token.locator,
    ...(token.address === undefined
      ? {}
      : { tokenAddress: token.address, tokenKey: side.family.canonicalAddress(token.address) }),
    tokenId: token.tokenId,
    ...(token.symbol === undefined ? {} : { tokenSymbol: token.symbol.toLowerCase() }),
    tokenDecimals: token.decimals,
    amountMinor: transfer.amountMinor,
    sender: transfer.sender,
    recipient: transfer.recipient,
    txId: transfer.txId,
    explorerLink: transfer.explorerLink,
    ...(transfer.operationId === undefined || side.direction === 'in'
      ? {}
      : { transactionId: transfer.operationId }),
    height: transfer.height,
    completedAt: transfer.at,
  };
}

/**
 * Events for the projects whose wallets they are; an owner is told within the owner's own project
 * only.
 */
export async function announceTransfers(
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  tx: Tx,
  family: Addresses & Networks,
  wallets: readonly WalletRecord[],
  records: readonly NewTransfer[],
): Promise<void> {
  if (records.length === 0) return;
  const byId = new Map(wallets.map((wallet) => [wallet.id, wallet]));
  const owners = new Map(
    wallets.map((wallet) => [
      `${wallet.projectId}|${family.canonicalAddress(wallet.address)}`,
      wallet.owner,
    ]),
  );
  const events = records.map((record): DomainEvent => {
    const { projectId } = byId.get(record.walletId)!;
    const ownerOf = (address: string) =>
      owners.get(`${projectId}|${family.canonicalAddress(address)}`);
    return {
      projectId,
      type: `wallets.transfer.${record.direction}`,
      object: `wallet:${record.walletId}`,
      data: transferDataView(record, family.chainType, ownerOf),
    };
  });
  await appendEvents(tx, events, ctx);
}

function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
