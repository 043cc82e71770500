import { type ResolvedToken, requireExtra } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import { requireTreasury } from '../../../treasury/index.ts';
import { readOrderSettings } from '../../pricing/index.ts';
import type { OrderFacts, OrderRecord, OrderTerms } from '../../state/types.ts';
import { depositRulesOf } from './rules.ts';

/** The token that an order is paid in, on its chain. */
export async function readPaidToken(
  ctx: Pick<Ctx, 'chains'>,
  order: OrderRecord,
  terms: OrderTerms,
): Promise<ResolvedToken> {
  const { method: chain } = order.request.payment;
  const family = ctx.chains.familyOfChain(chain);
  const address = terms.pay.asset.slice(chain.length + 1);
  const { native } = family.requireNetwork(chain);
  return family.resolveToken(chain, address === 'native' ? { symbol: native.symbol } : { address });
}

/**
 * What a payer needs to pay an order by a deposit (`payment.preparation`), and what the deposits
 * are held to.
 * @param payerAddress whose transaction it is; the order's memo says whose deposit it is
 * @throws chain-not-supported, token-not-supported, provider-unavailable, upstream-error
 */
export async function prepareDeposit(
  ctx: Ctx,
  order: OrderRecord,
  input: { readonly terms: OrderTerms; readonly payerAddress: string },
): Promise<Pick<OrderFacts, 'preparation' | 'depositRules'>> {
  const { terms, payerAddress } = input;
  const { method: chain } = order.request.payment;
  const memo = order.memo;
  if (memo === undefined) throw new Error(`order ${order.id} has no memo`);
  const family = ctx.chains.familyOfChain(chain);
  const treasury = await requireTreasury(ctx, {
    projectId: order.projectId,
    chainType: family.chainType,
  });
  const { amountMinor } = terms.pay;
  const token = await readPaidToken(ctx, order, terms);
  const recipientAddress = treasury.address;
  const { serializedTransaction } = await requireExtra(family, 'deposits').depositInstructions({
    chain,
    token,
    amountMinor,
    payerAddress,
    recipientAddress,
    memo,
  });
  const settings = await readOrderSettings(ctx, order.projectId);
  return {
    preparation: {
      chain,
      payerAddress,
      recipientAddress,
      serializedTransaction,
      transactionParameters: { amount: amountMinor.toString(), memo },
    },
    depositRules: depositRulesOf(terms, settings, order.facts.amountUsd ?? '0'),
  };
}
