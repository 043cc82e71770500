import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { fundTreasury, readOperatorTransfer, withdrawFromTreasury } from './operate.ts';

/** What an operator may do with a treasury, at the command line or in the console. */

const transferParams = {
  chain: z.string().min(1).max(100),
  /** Symbol or address. */
  token: z.string().min(1).max(300),
  /** In whole tokens, as decimal text. */
  amount: z.string().min(1).max(100),
};

/**
 * Sends money of a treasury to an address of the operator: whoever decides it takes it out of the
 * service, so it counts against what one person may.
 */
export const treasuryWithdraw: OperatorRule<
  { chain: string; token: string; amount: string; to: string },
  Ctx
> = {
  name: 'treasury.withdraw',
  role: 'finance',
  params: z.strictObject({ ...transferParams, to: z.string().min(1).max(300) }),
  moves: {
    title: 'Withdraw from the treasury',
    async amount(ctx, { projectId, params }) {
      const { token, amountMinor } = await readOperatorTransfer(ctx, { ...params, projectId });
      return { currency: token.symbol ?? token.locator, decimals: token.decimals, amountMinor };
    },
  },
  async run(ctx, { projectId, params: { to, ...params }, record }) {
    const transferId = ctx.ids.uuid();
    await withdrawFromTreasury(ctx, {
      ...params,
      projectId,
      transferId,
      recipientAddress: to,
      afterwards: (tx) =>
        record(tx, {
          subject: `treasury-transfer:${transferId}`,
          changed: { ...params, to },
        }),
    });
    return { transferId };
  },
};

/** Mints test money into a treasury, in development. */
export const treasuryFund: OperatorRule<{ chain: string; token: string; amount: string }, Ctx> = {
  name: 'treasury.fund',
  role: 'finance',
  params: z.strictObject(transferParams),
  async run(ctx, { projectId, params, record }) {
    const { txId } = await fundTreasury(ctx, {
      ...params,
      projectId,
      afterwards: (tx) =>
        record(tx, { subject: `treasury:${projectId}:${params.chain}`, changed: params }),
    });
    return { txId };
  },
};

export const treasuryRules: readonly OperatorRule[] = [
  operatorRule(treasuryWithdraw),
  operatorRule(treasuryFund),
];
