import type { Addresses, ChainFamily, Networks, SeenTransfer } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { move, statesBefore } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { selectWalletsAt, type WalletRecord } from '../wallets/index.ts';
import { depositMachine } from './machine.ts';
import { closeExpectedFunds, lockExpectedFunds, operatorFunds } from './operator-funds.ts';
import {
  type DepositRecord,
  finalizeUpTo,
  type NewDeposit,
  retractFrom,
  upsertDeposits,
} from './store.ts';

/**
 * What became of a deposit. `seen` comes again, with the same id, when it is included again after
 * it was taken back.
 */
export interface DepositChange {
  readonly deposit: DepositRecord;
  readonly change: 'seen' | 'final' | 'retracted';
}

/**
 * Whoever must know: called in the same database transaction, which may run again, in the order of
 * the chain.
 */
export type DepositListener = (changes: readonly DepositChange[]) => Promise<void>;

/** Deposits that one statement stores. */
const depositsPerStatementMax = 1_000;

/**
 * Entrance for the watchers: records what came to a treasury. What is told again changes nothing
 * and is not told on.
 */
export async function recordDeposits(
  ctx: Pick<Ctx, 'chains' | 'ids' | 'clock'>,
  tx: Tx,
  transfers: readonly SeenTransfer[],
  onChange: DepositListener,
): Promise<void> {
  const fungible = transfers.filter(
    ({ token, succeeded }) => succeeded && token.tokenId === undefined,
  );
  for (const chain of new Set(fungible.map((transfer) => transfer.chain))) {
    const seen = fungible.filter((transfer) => transfer.chain === chain);
    const family = ctx.chains.familyOfChain(chain);
    const treasuries = await selectTreasuries(tx, family, seen);
    const incoming = seen.filter(({ recipient }) =>
      treasuries.has(family.canonicalAddress(recipient)),
    );
    if (incoming.length === 0) continue;
    const recorded = incoming.map((transfer) =>
      toDeposit(ctx, transfer, {
        family,
        treasury: treasuries.get(family.canonicalAddress(transfer.recipient))!,
      }),
    );
    const deposits = await markOperatorFunds(ctx, tx, family, recorded);
    for (let at = 0; at < deposits.length; at += depositsPerStatementMax)
      await tell(
        await storeSeen(tx, deposits.slice(at, at + depositsPerStatementMax)),
        'seen',
        onChange,
      );
  }
}

/** Entrance for the watchers: what stands at this height or below stays. */
export async function finalizeDeposits(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  chain: string,
  height: bigint,
  onChange: DepositListener,
): Promise<void> {
  const [from, to] = [
    statesBefore(depositMachine, 'finalized'),
    move(depositMachine, 'seen', 'finalized'),
  ];
  await tell(
    await finalizeUpTo(tx, { chain, height, from, to, at: ctx.clock.now() }),
    'final',
    onChange,
  );
}

/** Entrance for the watchers: what stood at this height or above is gone, also what was final. */
export async function retractDeposits(
  ctx: Pick<Ctx, 'log'>,
  tx: Tx,
  chain: string,
  fromHeight: bigint,
  onChange: DepositListener,
): Promise<void> {
  const [from, to] = [
    statesBefore(depositMachine, 'retracted'),
    move(depositMachine, 'seen', 'retracted'),
  ];
  const retracted = await retractFrom(tx, { chain, height: fromHeight, from, to });
  for (const { id, wasFinal, orderId } of retracted)
    ctx.log[wasFinal ? 'error' : 'warn'](
      { chain, depositId: id, orderId, wasFinal },
      'a reorganisation took a deposit back',
    );
  await tell(retracted, 'retracted', onChange);
}

/** Ends at once what the operator said to be coming: each expectation takes one deposit. */
async function markOperatorFunds(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  family: Addresses,
  deposits: readonly NewDeposit[],
): Promise<NewDeposit[]> {
  const recipients = [...new Set(deposits.map(({ recipient }) => recipient))];
  const expected = await lockExpectedFunds(tx, { chain: deposits[0]!.chain, recipients });
  if (expected.length === 0) return [...deposits];
  const marked: NewDeposit[] = [];
  for (const deposit of deposits) {
    const { recipient, amountMinor, token } = deposit;
    const key = token.address === undefined ? undefined : family.canonicalAddress(token.address);
    const isExpected = deposit.memo === undefined && deposit.transactionId === undefined;
    const at = expected.findIndex(
      (funds) =>
        isExpected &&
        funds.recipient === recipient &&
        funds.amountMinor === amountMinor &&
        funds.tokenAddress === key,
    );
    if (at === -1) marked.push(deposit);
    else {
      await closeExpectedFunds(tx, { id: expected.splice(at, 1)[0]!.id, depositId: deposit.id });
      marked.push({
        ...deposit,
        resolution: operatorFunds,
        note: 'purser treasury fund',
        resolvedAt: ctx.clock.now(),
      });
    }
  }
  return marked;
}

function storeSeen(tx: Tx, deposits: readonly NewDeposit[]): Promise<DepositRecord[]> {
  return upsertDeposits(tx, deposits, {
    from: 'retracted',
    to: move(depositMachine, 'retracted', 'recorded'),
  });
}

async function tell(
  deposits: readonly DepositRecord[],
  change: DepositChange['change'],
  onChange: DepositListener,
): Promise<void> {
  if (deposits.length > 0) await onChange(deposits.map((deposit) => ({ deposit, change })));
}

/** By canonical address. */
async function selectTreasuries(
  tx: Tx,
  family: Addresses & Networks,
  transfers: readonly SeenTransfer[],
): Promise<ReadonlyMap<string, WalletRecord>> {
  const keys = new Set(transfers.map(({ recipient }) => family.canonicalAddress(recipient)));
  const wallets = await selectWalletsAt(tx, family.chainType, [...keys]);
  return new Map(
    wallets
      .filter(({ purpose }) => purpose === 'treasury')
      .map((wallet) => [family.canonicalAddress(wallet.address), wallet]),
  );
}

function toDeposit(
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  transfer: SeenTransfer,
  { family, treasury }: { family: ChainFamily; treasury: WalletRecord },
): NewDeposit {
  const { chain, token, amountMinor, memo, txId, explorerLink, operationId, height } = transfer;
  return {
    id: ctx.ids.uuid(),
    projectId: treasury.projectId,
    walletId: treasury.id,
    chain,
    token,
    amountMinor,
    sender: family.canonicalAddress(transfer.sender),
    recipient: family.canonicalAddress(transfer.recipient),
    memo,
    seenId: transfer.id,
    txId,
    explorerLink,
    transactionId: operationId,
    height,
    includedAt: transfer.at,
    seenAt: ctx.clock.now(),
  };
}
