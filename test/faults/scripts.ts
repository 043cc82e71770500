import { setTimeout as delay } from 'node:timers/promises';
import { aUsBody } from '../../src/areas/payment-methods/test-kit.ts';
import { parseDecimalAmount } from '../../src/lib/amount.ts';
import { type AskedDeposit, actAs, depositData, giver, readPreparation, sendFrom, tokenTransfer } from './chain.ts';
import { type Client, createClient } from './client.ts';
import type { CheckoutPlan, OfframpPlan, OnrampPlan, Plan } from './plan.ts';
import { chain, type FaultWorld } from './world.ts';

/** An order as its payer made it. */
export interface MadeOrder {
  readonly plan: Plan;
  readonly orderId: string;
  /** The payer's, and that of who receives tokens. */
  readonly wallet: string;
  /** The acquirer's id. */
  readonly intentId?: string;
  /** Smallest units that the payer sent. */
  sentMinor: bigint;
  /** What the payer does once the quote is over. */
  later?: () => Promise<void>;
}

const lookMs = 300;
const patienceMs = 400_000;

/** Plays the payer of a plan, until there is nothing more to do for now. */
export async function playPlan(world: FaultWorld, plan: Plan): Promise<MadeOrder> {
  await delay(plan.startsAfterMs);
  const client = createClient(world);
  const wallet = await makeWallet(client, plan);
  switch (plan.kind) {
    case 'offramp':
      return playOfframp(world, client, { plan, wallet });
    case 'checkout':
      return playCheckout(world, client, { plan, wallet });
    case 'onramp':
      return playOnramp(world, client, { plan, wallet });
  }
}

const userOf = (plan: Plan) => `userId:seed-${plan.seed}`;
/** The same whenever the call is repeated. */
const keyOf = (plan: Plan, what: string) => `fault-seed-${plan.seed}-${what}`;

function must(answer: { readonly status: number; readonly text: string; readonly body: any }, status: number): any {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`);
  return answer.body;
}

async function makeWallet(client: Client, plan: Plan): Promise<string> {
  const body = { chainType: 'evm', type: 'smart', owner: userOf(plan), config: { adminSigner: { type: 'api-key' } } };
  const answer = await client.call('POST', '/2025-06-09/wallets', { key: keyOf(plan, 'wallet'), body });
  return must(answer, answer.status === 200 ? 200 : 201).address;
}

async function createOrder(client: Client, plan: Plan, body: object): Promise<any> {
  return must(await client.call('POST', '/2022-06-09/orders', { key: keyOf(plan, 'order'), body }), 201).order;
}

/** The order, once its payer may pay, or never will. */
async function untilPayable(client: Client, orderId: string): Promise<any> {
  for (const endAt = Date.now() + patienceMs; ; await delay(lookMs)) {
    const order = must(await client.call('GET', `/2022-06-09/orders/${orderId}`), 200);
    if (order.payment.status === 'awaiting-payment' && order.payment.preparation) return order;
    if (order.quote.status === 'expired' || Date.now() > endAt)
      throw new Error(`nobody may pay the order: ${JSON.stringify(order.payment)}`);
  }
}

async function playOfframp(
  world: FaultWorld,
  client: Client,
  { plan, wallet }: { readonly plan: OfframpPlan; readonly wallet: string },
): Promise<MadeOrder> {
  const accountNumber = plan.bank === 'settles' ? '000123456789' : `0000${plan.bank}`;
  const methodBody = aUsBody({ userLocator: userOf(plan) }, { accountNumber });
  const method = must(
    await client.call('POST', '/unstable/payment-methods', { to: 'vault', key: keyOf(plan, 'method'), body: methodBody }),
    201,
  );
  const { orderId } = await createOrder(client, plan, {
    recipient: { paymentMethodId: method.paymentMethodId, rail: plan.rail },
    payment: { method: chain, currency: 'usdxm', payerAddress: wallet, receiptEmail: `seed${plan.seed}@example.com` },
    lineItems: { currencyLocator: 'fiat:usd', executionParameters: { mode: 'exact-in', amount: plan.amount } },
  });
  return deposit(world, client, { plan, wallet, orderId, sentMinor: 0n });
}

async function playCheckout(
  world: FaultWorld,
  client: Client,
  { plan, wallet }: { readonly plan: CheckoutPlan; readonly wallet: string },
): Promise<MadeOrder> {
  await giveTokens(world, wallet, 3n * parseDecimalAmount(plan.amount, 6));
  const { orderId } = await createOrder(client, plan, {
    recipient: { walletAddress: wallet },
    payment: { method: chain, currency: 'usdxm', payerAddress: wallet, receiptEmail: `seed${plan.seed}@example.com` },
    lineItems: [{ tokenLocator: `${chain}:usdc`, executionParameters: { mode: 'exact-in', amount: plan.amount } }],
  });
  return deposit(world, client, { plan, wallet, orderId, sentMinor: 0n });
}

async function giveTokens(world: FaultWorld, wallet: string, amountMinor: bigint): Promise<void> {
  await actAs(world, wallet);
  await sendFrom(world, giver, { to: world.tokens.usdxm, data: tokenTransfer(wallet, amountMinor) });
}

async function deposit(
  world: FaultWorld,
  client: Client,
  made: MadeOrder & { readonly plan: OfframpPlan | CheckoutPlan },
): Promise<MadeOrder> {
  const { plan, wallet, orderId } = made;
  if (plan.deposit === 'none') return made;
  const asked = readPreparation((await untilPayable(client, orderId)).payment.preparation);
  await giveTokens(world, wallet, 2n * asked.amountMinor);
  const send = (amountMinor: bigint) => sendDeposit(world, client, { made, asked, amountMinor });
  const half = asked.amountMinor / 2n;
  switch (plan.deposit) {
    case 'exact':
      await send(asked.amountMinor);
      return made;
    case 'over':
      await send(asked.amountMinor + half);
      return made;
    case 'short':
      await send(half);
      return made;
    case 'short, then the rest':
      await send(half);
      await delay(1_500);
      await send(asked.amountMinor - half);
      return made;
    case 'twice':
      await send(asked.amountMinor);
      await send(asked.amountMinor);
      return made;
    case 'late':
      return Object.assign(made, { later: () => send(asked.amountMinor) });
  }
}

async function sendDeposit(
  world: FaultWorld,
  client: Client,
  input: {
    readonly made: MadeOrder & { readonly plan: OfframpPlan | CheckoutPlan };
    readonly asked: AskedDeposit;
    readonly amountMinor: bigint;
  },
): Promise<void> {
  const { made, asked, amountMinor } = input;
  const txId = await sendFrom(world, made.wallet, { to: asked.to, data: depositData(asked, amountMinor) });
  made.sentMinor += amountMinor;
  // The order may have gone on already: then nobody needs to be told.
  if (made.plan.tellsTx) await client.call('POST', `/2022-06-09/orders/${made.orderId}/payment`, { body: { type: 'crypto-tx-id', txId } });
}

async function playOnramp(
  world: FaultWorld,
  client: Client,
  { plan, wallet }: { readonly plan: OnrampPlan; readonly wallet: string },
): Promise<MadeOrder> {
  const { orderId } = await createOrder(client, plan, {
    recipient: plan.patches ? {} : { walletAddress: wallet },
    payment: { method: 'card', receiptEmail: `seed${plan.seed}@example.com` },
    lineItems: [{ tokenLocator: `${chain}:usdc`, executionParameters: { mode: 'exact-in', amount: plan.amount } }],
  });
  if (plan.patches)
    must(await client.call('PATCH', `/2022-06-09/orders/${orderId}`, { body: { recipient: { walletAddress: wallet } } }), 200);
  const { preparation } = (await untilPayable(client, orderId)).payment;
  const intentId = (preparation.card.clientSecret as string).split('_secret_')[0]!;
  const made: MadeOrder = { plan, orderId, wallet, intentId, sentMinor: 0n };
  const { stripe } = world;
  switch (plan.card) {
    case 'approved':
      stripe.confirm(intentId, {});
      return made;
    case 'declined, then approved':
      stripe.confirm(intentId, { decline: { code: 'card_declined', decline_code: 'insufficient_funds' } });
      await delay(1_000);
      stripe.confirm(intentId, {});
      return made;
    case 'challenged':
      stripe.confirm(intentId, { challenge: true });
      await delay(1_500);
      stripe.passChallenge(intentId);
      return made;
    case 'challenge left':
      stripe.confirm(intentId, { challenge: true });
      return made;
    case 'late':
      return Object.assign(made, {
        later: async () => {
          const { status } = stripe.intents.get(intentId)!;
          if (status === 'requires_payment_method') stripe.confirm(intentId, {});
        },
      });
    case 'none':
      return made;
  }
}
