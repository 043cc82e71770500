import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stack } from '../../../../../test/harness/stack.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { createSealer } from '../../../../lib/sealing/seal.ts';
import { sandboxCards } from '../../../../providers/card/index.ts';
import { listSandboxMessages } from '../../../../providers/messaging/sandbox.ts';
import { followCard } from '../../index.ts';
import { resolveByClosing, resolveByContinuing, resolveByRefund } from '../../operator/operator.ts';
import { changeOrder } from '../../state/change-order.ts';
import { lockOrder } from '../../state/store.ts';
import {
  aBuyer,
  accountBalance,
  answerChallenge,
  cardPaymentOf,
  clearingBalances,
  createOnramp,
  onrampBody,
  onrampChain,
  orderEvents,
  orderRecord,
  payByCard,
  readOrder,
  startOnrampStack,
  untilFlowRests,
  untilState,
} from '../../testing/onramp-kit.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const eventsOf = (id: string) => orderEvents(stack, id);
/** Types of the public events of an order, in the order in which they were told. */
async function toldOf(id: string): Promise<string[]> {
  const { rows } = await stack.ctx.store.query<{ type: string }>({
    text: `select type from outbox where object = $1 and type like 'orders.%' and type not like 'orders.ledger.%' order by written`,
    values: [`order:${id}`],
  });
  return rows.map(({ type }) => type);
}
const paymentOf = (id: string) => cardPaymentOf(stack, id);
const refundOf = async (id: string) =>
  (
    await stack.ctx.store.query<{ status: string }>({
      text: 'select status from order_refunds where order_id = $1',
      values: [id],
    })
  ).rows[0]?.status;
const force = (
  id: string,
  event:
    | 'expired'
    | 'released'
    | 'refused'
    | 'operator-refunds'
    | 'operator-continues'
    | 'attention-needed',
) =>
  stack.ctx.store.transaction(async (tx) =>
    changeOrder(stack.ctx, tx, (await lockOrder(tx, { by: 'id', id }))!, { event }),
  );

describe('an onramp order', () => {
  test('that is complete waits for the payment with the acquirer’s page, is paid, delivered, and its books are even', async () => {
    const { address } = await aBuyer(stack);
    const receivable = await accountBalance(stack, 'card:sandbox:receivable', 'usd');
    const { id, order } = await createOnramp(stack, { address });
    expect(order).toMatchObject({
      phase: 'payment',
      quote: { status: 'valid' },
      payment: {
        status: 'awaiting-payment',
        preparation: { card: { provider: 'sandbox', publicKey: expect.any(String) } },
      },
    });
    expect(order.lineItems[0].delivery.status).toBe('awaiting-payment');
    await payByCard(stack, id, sandboxCards.approved.number);
    const delivered = await untilState(stack, id, 'delivered');
    expect(delivered).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', totalPaid: { amount: '20', currency: 'usd' } },
      lineItems: [
        {
          delivery: {
            status: 'completed',
            txId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
            completedAt: expect.any(String),
          },
        },
      ],
    });
    expect(await clearingBalances(stack, id)).toEqual({});
    expect(await accountBalance(stack, 'card:sandbox:receivable', 'usd')).toBe(receivable + 2_000n);
    const balances = await stack.call(
      'GET',
      `/2025-06-09/wallets/${address}/balances?tokens=usdc&chains=base-sepolia`,
    );
    expect(balances.text).toContain(delivered.lineItems[0].executionParams.effectiveAmount);
  });

  test('sends one receipt, with amounts, fees, order and transaction, in plain text and without anything that tracks', {
    tags: 'slow',
  }, async () => {
    const { address } = await aBuyer(stack);
    const receiptEmail = `receipt${Date.now()}@example.com`;
    const { id } = await createOnramp(stack, { address, receiptEmail });
    await payByCard(stack, id, sandboxCards.approved.number);
    const { lineItems } = await untilState(stack, id, 'delivered');
    const list = () =>
      listSandboxMessages(
        { store: stack.ctx.store, sealer: createSealer(stack.ctx.config.keyEncryptionKeys) },
        { to: receiptEmail, limit: 10 },
      );
    const [message, ...more] = await eventually(
      'a receipt',
      async () => (await list()).length > 0 && (await list()),
    );
    expect(more).toEqual([]);
    for (const part of [
      id,
      '20.00 USD',
      lineItems[0].delivery.txId,
      lineItems[0].executionParams.effectiveAmount,
    ]) {
      expect(message!.text).toContain(part);
      expect(message!.html).toContain(part);
    }
    expect(message!.html).not.toMatch(/<img|<a |https?:|<script/);
  });

  test('without a recipient has phase quote and requires-recipient, and goes on once it has one', async () => {
    const { id, order } = await createOnramp(stack, {});
    expect(order).toMatchObject({
      phase: 'quote',
      quote: { status: 'requires-recipient' },
      payment: { status: 'requires-quote' },
    });
    const { address } = await aBuyer(stack);
    const patched = await stack.call('PATCH', `/2022-06-09/orders/${id}`, {
      body: { recipient: { walletAddress: address } },
    });
    expect([patched.status, patched.text]).toEqual([200, expect.any(String)]);
    expect(patched.body.payment.status).toBe('awaiting-payment');
  });

  test('without a receipt address has requires-email, and goes on once it has one', async () => {
    const { address } = await aBuyer(stack);
    const { id, order } = await createOnramp(stack, { address, receiptEmail: null });
    expect(order).toMatchObject({ phase: 'payment', payment: { status: 'requires-email' } });
    const patched = await stack.call('PATCH', `/2022-06-09/orders/${id}`, {
      body: { payment: { method: 'card', receiptEmail: 'late@example.com' } },
    });
    expect(patched.body.payment).toMatchObject({
      status: 'awaiting-payment',
      receiptEmail: 'late@example.com',
    });
  });

  test('to a wallet that nobody linked is refused with ExternalWalletNotLinkedToUserError', async () => {
    const body = onrampBody({ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' });
    const answer = await stack.call('POST', '/2022-06-09/orders', { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'ExternalWalletNotLinkedToUserError']);
  });

  test('to a listed wallet is refused with sanctioned-address', async () => {
    const { screening } = stack.ctx.providers;
    const { address } = await aBuyer(stack);
    const providers = stack.ctx.providers as { screening: typeof screening };
    providers.screening = { ...screening, screen: async ({ addresses }) => blocked(addresses[0]!) };
    const answer = await stack.call('POST', '/2022-06-09/orders', {
      body: onrampBody({ address }),
    });
    providers.screening = screening;
    expect([answer.status, answer.body.code]).toEqual([400, 'sanctioned-address']);
  });
});

function blocked(address: string) {
  const list = { list: 'test', version: '1', digest: '0' };
  return {
    status: 'blocked' as const,
    lists: [list],
    hit: { address, list: 'test', listVersion: '1', digest: '0', entry: 'test' },
  };
}

describe('the card of an order', () => {
  test('that is declined says why; another try may succeed', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await payByCard(stack, id, sandboxCards.insufficientFunds.number);
    const declined = await eventually('the decline is shown', async () => {
      const order = await readOrder(stack, id);
      return order.payment.failureReason && order;
    });
    expect(declined).toMatchObject({
      phase: 'payment',
      payment: {
        status: 'awaiting-payment',
        failureReason: { code: 'payment-declined', message: expect.any(String) },
      },
    });
    await payByCard(stack, id, sandboxCards.approved.number);
    expect((await untilState(stack, id, 'delivered')).payment.failureReason).toBeUndefined();
  });

  test('that is declined for good ends the order as failed', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await payByCard(stack, id, sandboxCards.stolen.number);
    const failed = await untilState(stack, id, 'payment_failed');
    expect(failed).toMatchObject({
      phase: 'completed',
      payment: { status: 'failed', failureReason: { code: 'payment-declined' } },
    });
    expect(await clearingBalances(stack, id)).toEqual({});
    expect(await toldOf(id)).toEqual(['orders.quote.created', 'orders.payment.failed']);
  });

  test('with 3-D Secure waits for the payer, who approves', { tags: 'slow' }, async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await payByCard(stack, id, sandboxCards.challenge.number);
    expect((await readOrder(stack, id)).payment.status).toBe('awaiting-payment');
    await answerChallenge(stack, id, 'approve');
    await untilState(stack, id, 'delivered');
  });

  test.each(['captureLost', 'captureUnreachable'] as const)(
    'whose capture is %s is looked up and captured once',
    async (card) => {
      const { address } = await aBuyer(stack);
      const { id } = await createOnramp(stack, { address });
      await payByCard(stack, id, sandboxCards[card].number);
      await untilState(stack, id, 'delivered');
      expect((await paymentOf(id)).capturedMinor).toBe(2_000n);
      expect(await clearingBalances(stack, id)).toEqual({});
    },
  );

  test('whose capture is declined ends the order as failed, and nothing was delivered', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await payByCard(stack, id, sandboxCards.captureDeclined.number);
    const failed = await untilState(stack, id, 'payment_failed');
    expect(failed.payment.failureReason.code).toBe('payment-declined');
    expect((await orderRecord(stack, id)).facts.deliveryTransferId).toBeUndefined();
  });

  test('is captured and delivered once although the payer, the flow and callbacks, repeated and reversed, come together', {
    tags: 'slow',
  }, async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    const { cardReference } = await orderRecord(stack, id);
    const reference = cardReference!.split('/')[1]!;
    const tell = (eventId: string) =>
      followCard(stack.ctx, [{ type: 'payment-changed', eventId, reference, paymentId: id }]);
    await Promise.all([
      payByCard(stack, id, sandboxCards.approved.number),
      ...['c', 'b', 'a', 'b', 'c'].map(tell),
    ]);
    await Promise.all([...['a', 'b', 'c', 'a'].map(tell), untilState(stack, id, 'delivered')]);
    await Promise.all(['c', 'a'].map(tell));
    const events = await eventsOf(id);
    for (const once of ['payment-authorised', 'captured', 'delivered'])
      expect(events.filter((event) => event === once)).toHaveLength(1);
    expect((await paymentOf(id)).capturedMinor).toBe(2_000n);
  });
});

describe('an authorised payment', () => {
  test('is released when the treasury does not have the tokens', async () => {
    const { address } = await aBuyer(stack);
    const body = onrampBody({ address });
    body.lineItems[0]!.tokenLocator = `${onrampChain}:usdxm`;
    const { body: created } = await stack.call('POST', '/2022-06-09/orders', { body });
    const id = created.order.orderId;
    await payByCard(stack, id, sandboxCards.approved.number);
    const failed = await untilState(stack, id, 'payment_failed');
    expect(failed.payment).toMatchObject({
      status: 'failed',
      failureReason: { message: expect.stringContaining('Nothing was charged') },
    });
    expect(await paymentOf(id)).toMatchObject({ status: 'canceled', capturedMinor: 0n });
  });

  test('is released when the price moved by more than the slippage', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address, slippageBps: '50' });
    const { pricing } = stack.ctx.providers;
    const providers = stack.ctx.providers as { pricing: typeof pricing };
    providers.pricing = {
      pricesUsd: async (symbols) =>
        new Map(
          [...(await pricing.pricesUsd(symbols))].map(([symbol, price]) => [
            symbol,
            symbol === 'usdc' ? '1.02' : price,
          ]),
        ),
    };
    await payByCard(stack, id, sandboxCards.approved.number);
    const failed = await untilState(stack, id, 'payment_failed').finally(() => {
      providers.pricing = pricing;
    });
    expect(failed.payment.failureReason.message).toContain('price');
  });

  test('is held when the recipient is listed meanwhile, and goes on once an operator releases it', {
    tags: 'slow',
  }, async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    const { screening } = stack.ctx.providers;
    const providers = stack.ctx.providers as { screening: typeof screening };
    providers.screening = { ...screening, screen: async ({ addresses }) => blocked(addresses[0]!) };
    await payByCard(stack, id, sandboxCards.approved.number);
    const held = await untilState(stack, id, 'on_hold').finally(() => {
      providers.screening = screening;
    });
    expect(held.payment.status).toBe('in-progress');
    await force(id, 'released');
    await untilState(stack, id, 'delivered');
  });

  test('that comes after the order has expired is released', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await payByCard(stack, id, sandboxCards.slow.number);
    await force(id, 'expired');
    await stack.advance(31_000);
    const failed = await untilState(stack, id, 'payment_failed');
    expect(failed.payment.status).toBe('failed');
    expect(await paymentOf(id)).toMatchObject({ status: 'canceled', capturedMinor: 0n });
  });
});

describe('a delivery that fails', () => {
  /**
   * Pays an order, and breaks the token before its delivery. `meanwhile` is what the acquirer does
   * by itself.
   */
  async function breakDelivery(
    card: keyof typeof sandboxCards,
    meanwhile: { deskMinor?: bigint; disputedMinor?: bigint } = {},
  ) {
    const { deskMinor = 0n, disputedMinor = 0n } = meanwhile;
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    const token = await stack.tokenAddress(onrampChain, 'usdc');
    const code = await stack.chainCall<string>(onrampChain, 'eth_getCode', [token, 'latest']);
    const { card: acquirer } = stack.ctx.providers;
    const providers = stack.ctx.providers as { card?: typeof acquirer };
    providers.card = {
      ...acquirer!,
      capture: async (input) => {
        await stack.chainCall(onrampChain, 'anvil_setCode', [token, '0xfe']);
        const captured = await acquirer!.capture(input);
        if (deskMinor > 0n)
          await acquirer!.refund({
            reference: input.reference,
            refundId: `desk_${id}`,
            amountMinor: deskMinor,
          });
        if (disputedMinor > 0n) await dispute(input.reference, disputedMinor);
        return captured;
      },
    };
    const mend = async () => {
      providers.card = acquirer!;
      await stack.chainCall(onrampChain, 'anvil_setCode', [token, code]);
    };
    await payByCard(stack, id, sandboxCards[card].number);
    return { id, mend };
  }
  const referenceOf = async (id: string) => (await paymentOf(id)).reference;
  const dispute = (reference: string, minor: bigint) =>
    stack.ctx.store.query({
      text: `update sandbox_card_payments set disputed_minor = $2::bigint, dispute_status = case when $2::bigint > 0 then 'open' else 'won' end where reference = $1`,
      values: [reference, minor.toString()],
    });

  test('is tried once more, and then the whole payment goes back', async () => {
    const { id, mend } = await breakDelivery('approved');
    const refunded = await untilState(stack, id, 'refunded').finally(mend);
    expect(refunded).toMatchObject({
      phase: 'completed',
      payment: { status: 'refunded', refunded: { amount: '20', currency: 'usd' } },
      lineItems: [{ delivery: { status: 'failed' } }],
    });
    const events = await eventsOf(id);
    expect(events.filter((event) => event === 'delivery-retried')).toHaveLength(1);
    expect(await toldOf(id)).toEqual([
      'orders.quote.created',
      'orders.payment.succeeded',
      'orders.delivery.initiated',
      'orders.delivery.failed',
      'orders.payment.refunded',
    ]);
    expect(await paymentOf(id)).toMatchObject({ capturedMinor: 2_000n, refundedMinor: 2_000n });
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('of whose payment a part went back at the acquirer’s own desk gives the rest back', {
    tags: 'slow',
  }, async () => {
    const { id, mend } = await breakDelivery('approved', { deskMinor: 500n });
    await untilState(stack, id, 'refunded').finally(mend);
    expect(await paymentOf(id)).toMatchObject({ capturedMinor: 2_000n, refundedMinor: 2_000n });
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('of a payment that is disputed gives nothing back beside the dispute; won, the operator has it refunded', {
    tags: 'slow',
  }, async () => {
    const { id, mend } = await breakDelivery('approved', { disputedMinor: 2_000n });
    await untilState(stack, id, 'needs_operator').finally(mend);
    expect((await orderRecord(stack, id)).attention).toContain('a dispute');
    expect(await paymentOf(id)).toMatchObject({ refundedMinor: 0n });
    await dispute(await referenceOf(id), 0n);
    await resolveByRefund(stack.ctx, { projectId: stack.api.projectId, orderId: id, note: 'won' });
    await untilState(stack, id, 'refunded');
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('and whose refund fails after the acquirer said that it succeeded is told to the operator, once', {
    tags: 'slow',
  }, async () => {
    const { id, mend } = await breakDelivery('approved');
    await untilState(stack, id, 'refunded').finally(mend);
    const paymentReference = await referenceOf(id);
    const fail = (status: 'failed' | 'succeeded') =>
      stack.ctx.store.query({
        text: 'update sandbox_card_refunds set status = $2 where payment_reference = $1',
        values: [paymentReference, status],
      });
    const tell = () =>
      followCard(stack.ctx, [
        { type: 'refund-changed', eventId: `evt_${id}`, reference: 'cref', paymentReference },
      ]);
    await fail('failed');
    await tell();
    await eventually('it is seen', async () =>
      (await orderRecord(stack, id)).attention?.includes('2000 of the payment is not back'),
    );
    await tell();
    await fail('succeeded');
    await tell();
    await eventually('it is back', async () => (await eventsOf(id)).includes('refund-there'));
    expect((await eventsOf(id)).filter((event) => event === 'refund-gone')).toHaveLength(1);
  });

  test('shows delivery failed while the refund is pending, which may take days', {
    tags: 'slow',
  }, async () => {
    const { id, mend } = await breakDelivery('refundPending');
    const refunding = await untilState(stack, id, 'refunding').finally(mend);
    expect(refunding).toMatchObject({
      phase: 'delivery',
      lineItems: [{ delivery: { status: 'failed' } }],
    });
    await eventually('the acquirer has the refund', async () => (await refundOf(id)) === 'sent');
    await stack.advance(4 * 86_400_000);
    await untilState(stack, id, 'refunded');
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('and whose refund takes longer than anybody waits is neither closed nor delivered beside it, and is booked when it is over', {
    tags: 'slow',
  }, async () => {
    const { id, mend } = await breakDelivery('refundPending');
    await untilState(stack, id, 'refunding').finally(mend);
    await eventually('the acquirer has the refund', async () => (await refundOf(id)) === 'sent');
    await force(id, 'attention-needed');
    const input = { projectId: stack.api.projectId, orderId: id, note: 'fault test' };
    const refusals = () =>
      Promise.all(
        [resolveByClosing, resolveByContinuing].map((by) => by(stack.ctx, input).catch(String)),
      );
    expect(await refusals()).toEqual(Array(2).fill(expect.stringContaining('on its way back')));
    await stack.advance(4 * 86_400_000);
    const refunded = await untilState(stack, id, 'refunded');
    expect([refunded.payment.status, (await orderRecord(stack, id)).attention]).toEqual([
      'refunded',
      undefined,
    ]);
    expect(await paymentOf(id)).toMatchObject({ capturedMinor: 2_000n, refundedMinor: 2_000n });
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('and whose refund is refused goes to the operator', { tags: 'slow' }, async () => {
    const { id, mend } = await breakDelivery('refundRefused');
    await untilState(stack, id, 'needs_operator').finally(mend);
    expect((await orderRecord(stack, id)).attention).toContain('could not give the payment back');
    const { card: acquirer } = stack.ctx.providers;
    const providers = stack.ctx.providers as { card?: typeof acquirer };
    for (const [gone, sentence] of [
      [{ refundedMinor: 500n }, 'gives the rest back'],
      [{ disputedMinor: 2_000n }, 'a dispute'],
    ] as const) {
      providers.card = {
        ...acquirer!,
        findPayment: async (reference) => ({
          ...(await acquirer!.findPayment(reference))!,
          ...gone,
        }),
      };
      const continued = resolveByContinuing(stack.ctx, {
        projectId: stack.api.projectId,
        orderId: id,
        note: 'not all of it is here',
      });
      await expect(continued.finally(() => (providers.card = acquirer!))).rejects.toThrow(sentence);
    }
    // What was refused for good is asked for anew, under another id; what can be delivered now
    // needs no refund.
    await force(id, 'operator-refunds');
    await eventually(
      'the second refusal',
      async () => (await eventsOf(id)).filter((event) => event === 'attention-needed').length === 2,
    );
    await force(id, 'operator-continues');
    await untilState(stack, id, 'delivered');
    expect(await clearingBalances(stack, id)).toEqual({});
  });
});

describe('an order that stopped before its card was charged', () => {
  const decided = (id: string) => ({
    projectId: stack.api.projectId,
    orderId: id,
    note: 'looked at',
  });
  const away = async () => Promise.reject(new ServiceError('provider-unavailable'));
  /** The acquirer is away while `work` runs. */
  async function without<T>(call: 'capture' | 'createPayment', work: () => Promise<T>): Promise<T> {
    const { card: acquirer } = stack.ctx.providers;
    const providers = stack.ctx.providers as { card?: typeof acquirer };
    providers.card = { ...acquirer!, [call]: away };
    return work().finally(() => {
      providers.card = acquirer!;
    });
  }

  test('is released by the operator’s refund: nobody holds the payer’s money any more', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await without('capture', async () => {
      await payByCard(stack, id, sandboxCards.approved.number);
      await untilState(stack, id, 'capturing');
      await force(id, 'attention-needed');
      // A try that had begun before would capture as soon as the acquirer is back.
      await untilFlowRests(stack, id);
    });
    expect((await resolveByRefund(stack.ctx, decided(id))).state).toBe('releasing');
    await untilState(stack, id, 'payment_failed');
    expect(await paymentOf(id)).toMatchObject({ status: 'canceled', capturedMinor: 0n });
  });

  test('has a capture that nobody saw booked as soon as the acquirer can be asked, and waits for its operator', {
    tags: 'slow',
  }, async () => {
    const { id } = await createOnramp(stack, await aBuyer(stack));
    const { card: acquirer } = stack.ctx.providers;
    const providers = stack.ctx.providers as { card?: typeof acquirer };
    let isCaptured = false;
    providers.card = {
      ...acquirer!,
      capture: (input) =>
        acquirer!
          .capture(input)
          .then(() => void (isCaptured = true))
          .then(away),
      findPayment: (reference) => (isCaptured ? away() : acquirer!.findPayment(reference)),
    };
    const stop = async () => {
      await payByCard(stack, id, sandboxCards.approved.number);
      await eventually('the card is charged', async () => isCaptured);
      await force(id, 'attention-needed');
      await untilFlowRests(stack, id);
    };
    await stop().finally(() => (providers.card = acquirer!));
    await followCard(stack.ctx, [
      { type: 'payment-changed', eventId: `evt_${id}`, reference: (await paymentOf(id)).reference },
    ]);
    await eventually('the capture is booked', async () =>
      (await eventsOf(id)).includes('capture-found'),
    );
    expect([(await orderRecord(stack, id)).state, await clearingBalances(stack, id)]).toEqual([
      'needs_operator',
      { usd: -2_000n },
    ]);
    await resolveByContinuing(stack.ctx, decided(id));
    await untilState(stack, id, 'delivered');
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test('and that has no payment at all is only closed', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await without('createPayment', () => createOnramp(stack, { address }));
    await force(id, 'attention-needed');
    for (const resolve of [resolveByRefund, resolveByContinuing])
      await expect(resolve(stack.ctx, decided(id))).rejects.toThrow('nobody has paid anything');
    expect((await resolveByClosing(stack.ctx, decided(id))).state).toBe('closed');
  });
});

describe('a quote', () => {
  test('that ends unpaid shows requires-quote and expired, and the acquirer’s payment is closed', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await stack.advance(11 * 60_000);
    const expired = await untilState(stack, id, 'quote_expired');
    expect(expired).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: { status: 'requires-quote' },
    });
    expect((await paymentOf(id)).status).toBe('canceled');
  });

  test('that has ended minutes before a payer approves 3-D Secure is not honoured: the card is released', {
    tags: 'slow',
  }, async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await payByCard(stack, id, sandboxCards.challenge.number);
    await stack.advance(12 * 60_000);
    await answerChallenge(stack, id, 'approve');
    const failed = await untilState(stack, id, 'payment_failed');
    expect(failed.payment.failureReason.message).toContain('after the quote had expired');
    expect(await paymentOf(id)).toMatchObject({ status: 'canceled', capturedMinor: 0n });
  });

  test('still counts for a card that was authorised a moment after it ended', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await stack.advance(10 * 60_000 - 5_000);
    await payByCard(stack, id, sandboxCards.slow.number);
    await stack.advance(31_000);
    await untilState(stack, id, 'delivered');
  });
});
