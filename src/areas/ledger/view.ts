import type { AccountBalance, Asset, AssetTrialBalance, LedgerEntry } from '../../ledger/index.ts';
import { formatAmount } from '../../lib/money/amount.ts';

export type AssetOf = (asset: string) => Asset;

export function entryView(entry: LedgerEntry, assetOf: AssetOf) {
  return {
    id: entry.id,
    reference: entry.reference,
    kind: entry.kind,
    phase: entry.phase,
    orderId: entry.orderId,
    effectiveAt: entry.effectiveAt.toISOString(),
    recordedAt: entry.recordedAt.toISOString(),
    postings: entry.postings.map(({ account, asset, amountMinor }) => ({
      account,
      ...nameOf(assetOf(asset)),
      ...amounts('amount', amountMinor, assetOf(asset)),
    })),
    data: entry.data,
  };
}

export function balanceView(
  { account, asset, postedMinor, pendingMinor }: AccountBalance,
  assetOf: AssetOf,
) {
  return {
    account,
    ...nameOf(assetOf(asset)),
    ...amounts('posted', postedMinor, assetOf(asset)),
    ...amounts('pending', pendingMinor, assetOf(asset)),
  };
}

export function trialBalanceView(
  { asset, debitMinor, creditMinor, accounts }: AssetTrialBalance,
  assetOf: AssetOf,
) {
  const known = assetOf(asset);
  return {
    ...nameOf(known),
    ...amounts('debit', debitMinor, known),
    ...amounts('credit', creditMinor, known),
    accounts: accounts.map((line) => ({
      account: line.account,
      ...amounts('debit', line.debitMinor, known),
      ...amounts('credit', line.creditMinor, known),
      ...amounts('pending', line.pendingMinor, known),
    })),
  };
}

function nameOf({ asset, symbol }: Asset) {
  return { asset, symbol };
}

function amounts<N extends string>(name: N, amountMinor: bigint, { decimals }: Asset) {
  return {
    [name]: formatAmount(amountMinor, decimals),
    [`${name}Minor`]: amountMinor.toString(),
  } as Record<N | `${N}Minor`, string>;
}
