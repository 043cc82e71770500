import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';
import { createOrder, type MadeOrder, must, playBeside, untilPayable } from './payer.ts';
import type { OnrampPlan } from './plan.ts';
import { chain, type FaultWorld } from './world.ts';

/** Payers who pay by card. */

export async function playOnramp(
  world: FaultWorld,
  client: Client,
  { plan, wallet }: { readonly plan: OnrampPlan; readonly wallet: string },
): Promise<MadeOrder> {
  const { orderId } = await createOrder(client, plan, {
    recipient: plan.patches ? {} : { walletAddress: wallet },
    payment: { method: 'card', receiptEmail: `seed${plan.seed}@example.com` },
    lineItems: [
      {
        tokenLocator: `${chain}:usdc`,
        executionParameters: { mode: 'exact-in', amount: plan.amount },
      },
    ],
  });
  if (plan.patches)
    must(
      await client.call('PATCH', `/2022-06-09/orders/${orderId}`, {
        body: { recipient: { walletAddress: wallet } },
      }),
      200,
    );
  const { preparation } = (await untilPayable(client, orderId)).payment;
  const intentId = (preparation.card.clientSecret as string).split('_secret_')[0]!;
  const made: MadeOrder = { plan, orderId, wallet, intentId, sentMinor: 0n };
  world.cards.expect(intentId, plan.dispute);
  return playBeside(world, client, { made, pay: () => pay(world, { plan, intentId, made }) });
}

async function pay(
  { stripe }: FaultWorld,
  {
    plan,
    intentId,
    made,
  }: { readonly plan: OnrampPlan; readonly intentId: string; readonly made: MadeOrder },
): Promise<void> {
  switch (plan.card) {
    case 'none':
      return;
    case 'approved':
      return stripe.confirm(intentId, {});
    case 'declined, then approved':
      stripe.confirm(intentId, {
        decline: { code: 'card_declined', decline_code: 'insufficient_funds' },
      });
      await delay(1_000);
      return stripe.confirm(intentId, {});
    case 'challenged':
      stripe.confirm(intentId, { challenge: true });
      await delay(1_500);
      return stripe.passChallenge(intentId);
    case 'challenge left':
      return stripe.confirm(intentId, { challenge: true });
    case 'late':
      made.later = async () => {
        const { status } = stripe.intents.get(intentId)!;
        if (status === 'requires_payment_method') stripe.confirm(intentId, {});
      };
  }
}
