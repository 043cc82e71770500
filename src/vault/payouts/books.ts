import type { BankTransferPage, PayoutProvider } from '../../providers/payout/payout.ts';
import { findRail, type PayoutRail, payoutRails } from '../../providers/payout/rails.ts';
import type { PayoutStatus } from './machine.ts';
import { findPayoutOfBank, listSent } from './store.ts';
import type { Payout, PayoutCtx } from './types.ts';

type BankTransfer = BankTransferPage['transfers'][number];

export interface BookDifference {
  /**
   * `unknown-here`: the bank pays something under one of our keys that this vault does not have.
   * `missing-there`: the vault says that the bank has it. `amount`, `status`: both have it, and say
   * different things of it. `twice`: under one key.
   */
  readonly kind: 'unknown-here' | 'missing-there' | 'amount' | 'status' | 'twice';
  readonly provider: string;
  readonly payoutId?: string;
  readonly bankReference?: string;
  readonly here?: string;
  readonly there?: string;
}

export interface BookComparison {
  readonly compared: number;
  readonly differences: readonly BookDifference[];
}

const pageSize = 100;
const pagesMax = 1_000;
/** A bank dates a payout by its own clock, and a little later than we do. */
const marginMs = 60 * 60_000;
const keyPrefix = 'purser-';
const taken: ReadonlySet<PayoutStatus> = new Set(['pending', 'settled', 'final', 'returned']);
/** Pairs of statuses that cannot both be true, whatever is still on its way. */
const contradictions: readonly (readonly [PayoutStatus, BankTransfer['status']])[] = [
  ['rejected', 'settled'],
  ['rejected', 'final'],
  ['canceled', 'pending'],
  ['canceled', 'settled'],
  ['canceled', 'final'],
  ['settled', 'rejected'],
  ['final', 'rejected'],
  ['final', 'returned'],
  ['returned', 'final'],
];

/**
 * Compares what the vault says it paid in a period with the banks' own books, and names every
 * difference.
 * @throws PayoutUnavailableError a bank does not answer: nothing is concluded then
 */
export async function compareBooks(
  ctx: PayoutCtx,
  input: { readonly from: Date; readonly until: Date },
  signal: AbortSignal = AbortSignal.timeout(10 * 60_000),
): Promise<BookComparison> {
  const differences: BookDifference[] = [];
  const wide = {
    from: new Date(input.from.getTime() - marginMs),
    until: new Date(input.until.getTime() + marginMs),
  };
  let compared = 0;
  for (const provider of ctx.payouts.providers) {
    const seen = new Map<string, string>();
    for (const rail of railsOfProvider(provider)) {
      for await (const transfer of readBooks(provider, { rail, ...wide }, signal)) {
        if (
          transfer.key?.startsWith(keyPrefix) !== true ||
          seen.get(transfer.key) === transfer.bankReference
        )
          continue;
        compared += 1;
        if (seen.has(transfer.key))
          differences.push({
            kind: 'twice',
            provider: provider.name,
            bankReference: transfer.bankReference,
          });
        seen.set(transfer.key, transfer.bankReference ?? '');
        differences.push(...(await compareTransfer(ctx, provider, transfer)));
      }
    }
    const missing = (await listSent(ctx.store, { provider: provider.name, ...input })).filter(
      (payout) => taken.has(payout.status) && !seen.has(payout.bankKey),
    );
    for (const payout of missing)
      differences.push({
        kind: 'missing-there',
        provider: provider.name,
        payoutId: payout.id,
        here: payout.status,
      });
  }
  return { compared, differences };
}

async function compareTransfer(
  ctx: PayoutCtx,
  provider: PayoutProvider,
  transfer: BankTransfer,
): Promise<BookDifference[]> {
  const { bankReference = '' } = transfer;
  const payout = await findPayoutOfBank(ctx.store, {
    provider: provider.name,
    key: transfer.key,
    bankReference,
  });
  if (payout === undefined)
    return [
      { kind: 'unknown-here', provider: provider.name, bankReference, there: transfer.status },
    ];
  const place = { provider: provider.name, payoutId: payout.id, bankReference };
  const differences: BookDifference[] = [];
  if (
    transfer.money &&
    (transfer.money.amountMinor !== payout.amountMinor ||
      transfer.money.currency !== payout.currency)
  )
    differences.push({
      ...place,
      kind: 'amount',
      here: moneyOf(payout),
      there: moneyOf(transfer.money),
    });
  if (contradictions.some(([here, there]) => here === payout.status && there === transfer.status))
    differences.push({ ...place, kind: 'status', here: payout.status, there: transfer.status });
  return differences;
}

async function* readBooks(
  provider: PayoutProvider,
  input: { readonly rail: PayoutRail; readonly from: Date; readonly until: Date },
  signal: AbortSignal,
): AsyncGenerator<BankTransfer> {
  let cursor: string | undefined;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await provider.listTransfers({ ...input, cursor, limit: pageSize }, signal);
    yield* page.transfers;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
  throw new Error(
    `The books of ${provider.name} have more than ${pagesMax} pages for this period: compare a shorter one.`,
  );
}

function railsOfProvider({ offers }: PayoutProvider): PayoutRail[] {
  return payoutRails.filter((rail) =>
    offers.some(({ type, rails }) => rails.includes(rail) && findRail(rail, type) !== undefined),
  );
}

function moneyOf({
  amountMinor,
  currency,
}: { readonly amountMinor: bigint; readonly currency: string } | Payout): string {
  return `${amountMinor} ${currency}`;
}
