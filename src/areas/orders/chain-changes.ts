import type { Ctx } from '../../context.ts';
import type { Tx } from '../../store/types.ts';
import type { DepositChange } from '../deposits/index.ts';
import type { TreasuryChange } from '../treasury/index.ts';

/** What became of deposits, in the transaction in which it is recorded. */
export async function followDeposits(_ctx: Ctx, _tx: Tx, _changes: readonly DepositChange[]): Promise<void> {}

/** What became of what a treasury sends. */
export async function followTreasury(_ctx: Ctx, _tx: Tx, _changes: readonly TreasuryChange[]): Promise<void> {}
