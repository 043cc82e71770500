import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stack } from '../../../../../test/harness/stack.ts';
import { listFlows, startFlow } from '../../../../jobs/index.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { sandboxCards } from '../../../../providers/card/index.ts';
import { type DisputeEvent, followDispute } from '../../legs/card/disputes.ts';
import { cardDisputeFlow } from '../../legs/card/events.ts';
import { resolveByContinuing } from '../../operator/operator.ts';
import { lockOrder } from '../../state/store.ts';
import {
  aBuyer,
  accountBalance,
  cardPaymentOf,
  clearingBalances,
  createOnramp,
  orderEvents,
  orderRecord,
  payByCard,
  readOrder,
  startOnrampStack,
  untilState,
} from '../../testing/onramp-kit.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const eventsOf = (id: string) => orderEvents(stack, id);
const paymentOf = (id: string) => cardPaymentOf(stack, id);
async function flowOf(id: string): Promise<string | undefined> {
  const { rows } = await stack.ctx.store.query<{ status: string }>({
    text: `select status from flows where kind = 'order-onramp' and key = $1`,
    values: [id],
  });
  return rows[0]?.status;
}
/** As it is half a year later, when a payer's bank takes nothing back any more. */
async function endFlow(id: string): Promise<void> {
  await eventually('the flow sleeps', async () => {
    const { rowCount } = await stack.ctx.store.query({
      text: `update flows set status = 'done', finished_at = updated_at, fence = fence + 1
        where kind = 'order-onramp' and key = $1 and status = 'active' and lease_until is null`,
      values: [id],
    });
    return rowCount === 1;
  });
}

describe('a dispute', () => {
  test('is booked and shown to the operator, and the order stays delivered; won, the money is owed again', {
    tags: 'slow',
  }, async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await payByCard(stack, id, sandboxCards.chargeback.number);
    await untilState(stack, id, 'delivered');
    const disputes = () => accountBalance(stack, 'card:sandbox:disputes', 'usd');
    const before = await disputes();
    await stack.advance(11 * 86_400_000);
    await eventually('the dispute is known', async () =>
      (await orderRecord(stack, id)).attention?.startsWith('Dispute'),
    );
    expect(await disputes()).toBe(before + 2_000n);
    expect((await readOrder(stack, id)).lineItems[0].delivery.status).toBe('completed');
    const { sandbox } = stack.ctx.providers.card!;
    await sandbox!.decideDispute({ reference: (await paymentOf(id)).reference, decision: 'won' });
    await eventually('it is decided', async () => (await eventsOf(id)).includes('dispute-won'));
    expect(await disputes()).toBe(before);
    expect(await clearingBalances(stack, id)).toEqual({});
  });

  test.each(['won', 'lost'] as const)(
    'that comes when nobody waits for one any more is booked all the same, and so is its end: %s',
    { tags: 'slow' },
    async (decision) => {
      const { address } = await aBuyer(stack);
      const { id } = await createOnramp(stack, { address });
      await payByCard(stack, id, sandboxCards.chargeback.number);
      await untilState(stack, id, 'delivered');
      const accounts = [
        'card:sandbox:disputes',
        'card:sandbox:receivable',
        'equity:dispute-losses',
      ];
      const balances = () =>
        Promise.all(accounts.map((account) => accountBalance(stack, account, 'usd')));
      const [disputes, receivable, losses] = (await balances()) as [bigint, bigint, bigint];
      await endFlow(id);
      await stack.advance(11 * 86_400_000);
      await eventually('the dispute is known', async () =>
        (await orderRecord(stack, id)).attention?.startsWith('Dispute'),
      );
      expect(await balances()).toEqual([disputes + 2_000n, receivable - 2_000n, losses]);
      await eventually('the order looks again', async () => (await flowOf(id)) === 'active');
      await endFlow(id);
      await stack.ctx.providers.card!.sandbox!.decideDispute({
        reference: (await paymentOf(id)).reference,
        decision,
      });
      await eventually('it is decided', async () =>
        (await eventsOf(id)).includes(`dispute-${decision}`),
      );
      const end =
        decision === 'won'
          ? [disputes, receivable, losses]
          : [disputes, receivable - 2_000n, losses + 2_000n];
      expect(await balances()).toEqual(end);
      const { state, attention } = await orderRecord(stack, id);
      expect([state, attention]).toEqual(['delivered', expect.stringContaining(`was ${decision}`)]);
      expect(await clearingBalances(stack, id)).toEqual({});
    },
  );

  test.each(['disputed', 'dispute-won', 'dispute-lost'] as const)(
    'that the acquirer does not know of (%s) is not booked, whoever writes that it was told',
    async (type) => {
      const { address } = await aBuyer(stack);
      const { id } = await createOnramp(stack, { address });
      await payByCard(stack, id, sandboxCards.approved.number);
      await untilState(stack, id, 'delivered');
      const balances = () =>
        Promise.all(
          ['card:sandbox:disputes', 'equity:dispute-losses'].map((name) =>
            accountBalance(stack, name, 'usd'),
          ),
        );
      const before = await balances();
      const about = {
        eventId: 'e',
        reference: `cdsp_${id}`,
        paymentReference: id,
        amountMinor: '2000',
        currency: 'usd',
        reason: 'fraudulent',
      };
      const state = { orderId: id, provider: 'sandbox', event: { ...about, type } };
      await stack.ctx.store.transaction((tx) =>
        startFlow(stack.ctx, tx, cardDisputeFlow, {
          projectId: stack.api.projectId,
          key: id,
          state,
        }),
      );
      const flow = async () =>
        (await listFlows(stack.ctx.store, { kind: 'card-dispute' })).find(({ key }) => key === id)!;
      await eventually('the acquirer was asked', async () => (await flow()).lastError !== null);
      expect((await flow()).lastError).toContain('the acquirer knows of no');
      expect(await balances()).toEqual(before);
    },
  );

  test('that comes before the tokens are sent stops them, and nothing is given back beside it; won, the operator has them sent', {
    tags: 'slow',
  }, async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    const told = async (type: DisputeEvent['type']) => {
      const about = {
        eventId: `${type}-${id}`,
        reference: `cdsp_${id}`,
        paymentReference: id,
        amountMinor: 2_000n,
        currency: 'usd',
      };
      const event: DisputeEvent = { ...about, type, reason: 'fraudulent' };
      await stack.ctx.store.transaction(async (tx) => {
        const order = (await lockOrder(tx, { by: 'id', id }))!;
        await followDispute(stack.ctx, tx, order, { provider: 'sandbox', event });
      });
    };
    const { card: acquirer } = stack.ctx.providers;
    const providers = stack.ctx.providers as { card?: typeof acquirer };
    providers.card = {
      ...acquirer!,
      capture: async (input) => (await told('disputed'), acquirer!.capture(input)),
    };
    await payByCard(stack, id, sandboxCards.approved.number);
    await untilState(stack, id, 'needs_operator').finally(() => (providers.card = acquirer!));
    expect((await orderRecord(stack, id)).attention).toContain('a dispute');
    expect(await eventsOf(id)).not.toContain('delivery-failed');
    await told('dispute-won');
    await resolveByContinuing(stack.ctx, {
      projectId: stack.api.projectId,
      orderId: id,
      note: 'won',
    });
    await untilState(stack, id, 'delivered');
    expect(await clearingBalances(stack, id)).toEqual({});
  });
});
