import type { Ctx } from '../../context.ts';
import { compareDecimals } from '../../lib/money/amount.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import { hashWallet } from './link.ts';
import { openWallet } from './sealed.ts';
import { deleteExpiredChallenges, type LinkedWalletRow, selectLinkedWallet } from './store.ts';

/**
 * A proof of ownership is needed above this, for one transaction or for those of 30 days together
 * (supplement, section 12).
 */
const proofLimitUsd = '1000';

const challengesPerPrune = 10_000;

/**
 * True when an order with an unverified wallet has to wait for its proof; never outside production.
 */
export function isProofNeeded(
  ctx: Pick<Ctx, 'config'>,
  input: {
    readonly amountUsd: string /** Of the last 30 days, this transaction included. */;
    readonly volumeUsd: string;
  },
): boolean {
  if (ctx.config.environment !== 'production') return false;
  return (
    compareDecimals(input.amountUsd, proofLimitUsd) > 0 ||
    compareDecimals(input.volumeUsd, proofLimitUsd) > 0
  );
}

export interface WalletOwner {
  /** Id of the user (of the person, where several users turned out to be one). */
  readonly userId: string;
  readonly verified: boolean;
}

/**
 * Whose linked wallet an address is on a chain (its name); undefined: nobody's in this project.
 * @throws internal-error, see {@link isProven}
 */
export async function findWalletOwner(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>,
  input: { readonly projectId: string; readonly address: string; readonly chain: string },
): Promise<WalletOwner | undefined> {
  const { projectId, address, chain } = input;
  const row = await selectLinkedWallet(ctx.store, {
    projectId,
    walletHash: await hashWallet(ctx, projectId, address),
    chain,
  });
  return row && { userId: row.personId, verified: isProven(ctx, row) };
}

/**
 * Whether somebody proved that the wallet is theirs: what is sealed with their key says by which
 * proof.
 * @throws internal-error, after an alarm, for a row that says so and knows none
 */
function isProven(ctx: Pick<Ctx, 'config' | 'store'>, row: LinkedWalletRow): boolean {
  if (row.verifiedAt === undefined) return false;
  if (openWallet(ctx, row).proofDigest !== undefined) return true;
  const id = row.walletHash.toString('hex');
  throw rowMacsOf(ctx.store).refuse(
    { table: 'linked_wallets', id },
    'it says that the wallet was proved, and what is sealed in it knows no proof',
  );
}

/** Removes challenges that expired a day ago. For the worker. */
export async function pruneChallenges(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - 24 * 60 * 60_000);
  await deleteExpiredChallenges(ctx.store, { before, limit: challengesPerPrune });
}
