import { setTimeout as delay } from 'node:timers/promises';
import { parseDecimalAmount } from '../../src/lib/money/amount.ts';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import { type AskedDeposit, depositData, giver, readPreparation, tokenTransfer } from './chain.ts';
import type { Client } from './client.ts';
import {
  createOrder,
  keyOf,
  type MadeOrder,
  must,
  playBeside,
  untilPayable,
  userOf,
} from './payer.ts';
import type { CheckoutPlan, OfframpPlan } from './plan.ts';
import { sendStray } from './strays.ts';
import { chain, type FaultWorld } from './world.ts';

/** Payers who pay by a deposit on a chain. */

type DepositOrder = MadeOrder & { readonly plan: OfframpPlan | CheckoutPlan };

export async function playOfframp(
  world: FaultWorld,
  client: Client,
  { plan, wallet }: { readonly plan: OfframpPlan; readonly wallet: string },
): Promise<MadeOrder> {
  const accountNumber = plan.bank === 'settles' ? '000123456789' : `0000${plan.bank}`;
  const methodBody = aUsBody({ userLocator: userOf(plan) }, { accountNumber });
  const method = must(
    await client.call('POST', '/unstable/payment-methods', {
      to: 'vault',
      key: keyOf(plan, 'method'),
      body: methodBody,
    }),
    201,
  );
  const { orderId } = await createOrder(client, plan, {
    recipient: { paymentMethodId: method.paymentMethodId, rail: plan.rail },
    payment: {
      method: chain,
      currency: 'usdxm',
      payerAddress: wallet,
      receiptEmail: `seed${plan.seed}@example.com`,
    },
    lineItems: {
      currencyLocator: 'fiat:usd',
      executionParameters: { mode: 'exact-in', amount: plan.amount },
    },
  });
  return deposit(world, client, { plan, wallet, orderId, sentMinor: 0n });
}

export async function playCheckout(
  world: FaultWorld,
  client: Client,
  { plan, wallet }: { readonly plan: CheckoutPlan; readonly wallet: string },
): Promise<MadeOrder> {
  await giveTokens(world, wallet, 3n * parseDecimalAmount(plan.amount, 6));
  const { orderId } = await createOrder(client, plan, {
    recipient: { walletAddress: wallet },
    payment: {
      method: chain,
      currency: 'usdxm',
      payerAddress: wallet,
      receiptEmail: `seed${plan.seed}@example.com`,
    },
    lineItems: [
      {
        tokenLocator: `${chain}:usdc`,
        executionParameters: { mode: 'exact-in', amount: plan.amount },
      },
    ],
  });
  return deposit(world, client, { plan, wallet, orderId, sentMinor: 0n });
}

async function giveTokens(world: FaultWorld, wallet: string, amountMinor: bigint): Promise<void> {
  await world.crowd.send(giver, {
    to: world.tokens.usdxm,
    data: tokenTransfer(wallet, amountMinor),
  });
}

async function deposit(world: FaultWorld, client: Client, made: DepositOrder): Promise<MadeOrder> {
  const { plan, wallet, orderId } = made;
  if (plan.deposit === 'none') return made;
  const asked = readPreparation((await untilPayable(client, orderId)).payment.preparation);
  await giveTokens(world, wallet, 2n * asked.amountMinor);
  return playBeside(world, client, { made, pay: () => pay(world, client, { made, asked }) });
}

async function pay(
  world: FaultWorld,
  client: Client,
  { made, asked }: { readonly made: DepositOrder; readonly asked: AskedDeposit },
): Promise<void> {
  const send = (amountMinor: bigint) => sendDeposit(world, client, { made, asked, amountMinor });
  const half = asked.amountMinor / 2n;
  const { plan, orderId } = made;
  if (plan.stray !== 'none') {
    made.stray = await sendStray(world, {
      plan: plan.stray,
      seed: plan.seed,
      orderId,
      asked,
      isGivenUp: plan.givesUp,
    });
    if (plan.isStrayAll) return;
  }
  switch (plan.deposit) {
    case 'none':
      return;
    case 'exact':
      return send(asked.amountMinor);
    case 'over':
      return send(asked.amountMinor + half);
    case 'short':
      return send(half);
    case 'short, then the rest':
      await send(half);
      await delay(1_500);
      return send(asked.amountMinor - half);
    case 'twice':
      await send(asked.amountMinor);
      return send(asked.amountMinor);
    case 'late':
      made.later = () => send(asked.amountMinor);
  }
}

async function sendDeposit(
  world: FaultWorld,
  client: Client,
  input: {
    readonly made: DepositOrder;
    readonly asked: AskedDeposit;
    readonly amountMinor: bigint;
  },
): Promise<void> {
  const { made, asked, amountMinor } = input;
  const onGone = () => void (made.sentMinor -= amountMinor);
  const call = { to: asked.to, data: depositData(asked, amountMinor) };
  // Before it is known that it was sent: a reorganisation may come between.
  made.sentMinor += amountMinor;
  const txId = await world.crowd.send(made.wallet, call, { isGivenUp: made.plan.givesUp, onGone });
  // The order may have gone on already: then nobody needs to be told.
  if (made.plan.tellsTx)
    await client.call('POST', `/2022-06-09/orders/${made.orderId}/payment`, {
      body: { type: 'crypto-tx-id', txId },
    });
}
