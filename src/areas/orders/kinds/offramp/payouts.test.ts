import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectLedgerBalanced } from '../../../../../test/harness/ledger.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { sandboxAddresses } from '../../../../providers/screening/sandbox.ts';
import { payoutsCommand } from '../../../../vault/commands/payouts.ts';
import { createPayouts } from '../../../../vault/payouts/service.ts';
import { findDeposit } from '../../../deposits/index.ts';
import type { PayoutEvent } from '../../../payment-methods/index.ts';
import { selectHeldDeposits } from '../../legs/deposit/store.ts';
import { followPayouts } from '../../legs/payout/events.ts';
import { isWorthAnother, payoutOf } from '../../legs/payout/fact.ts';
import { orderOperatorCommand } from '../../operator/command.ts';
import { assignHeldDeposit, keepHeldDeposit, returnHeldDeposit } from '../../operator/deposits.ts';
import { depositsCommand } from '../../operator/deposits-command.ts';
import {
  refuseHold,
  releaseHold,
  resolveByClosing,
  resolveByContinuing,
  resolveByRefund,
} from '../../operator/operator.ts';
import { selectMoves } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type OfframpWorld, startOfframpWorld } from '../../testing/offramp-kit.ts';
import { writeOrder } from '../../testing/write-order-kit.ts';

let world: OfframpWorld;
beforeAll(async () => {
  world = await startOfframpWorld();
}, 180_000);
afterAll(async () => {
  if (!world) return;
  await expectLedgerBalanced(world.stack.ctx.store);
  await world.close();
});
beforeEach(() => world.settings({}));

const day = 24 * 3_600_000;
const note = 'looked at';

async function paid(input: { accountNumber?: string; rail?: string } = {}): Promise<OrderRecord> {
  const order = await world.order(input);
  await pay(order);
  return order;
}
async function pay(order: OrderRecord, more: { sender?: string } = {}) {
  const told = await world.deposit({ memo: order.memo, amountMinor: 100_000_000n, ...more });
  await told.finalize();
  return told;
}
const decided = (order: OrderRecord) => ({ projectId: world.projectId, orderId: order.id, note });
const events = async (order: OrderRecord) =>
  (await selectMoves(world.stack.ctx.store, order.id)).map(({ event }) => event);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : error),
  );

describe('a payout', () => {
  it('on a rail that is final at once ends the order within seconds', async () => {
    const order = await paid({ rail: 'rtp' });
    await world.submitted(order.id);
    await world.stack.advance(60_000);
    const final = await world.until(order.id, 'payout_final');
    expect(final.facts.rail).toBe('rtp');
    expect(await world.view(order.id)).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', received: { amount: '100', currency: 'usdxm' } },
      lineItems: [
        { delivery: { status: 'completed', rail: 'rtp', completedAt: expect.any(String) } },
      ],
    });
    await world.expectCleared(order.id);
  }, 60_000);

  it('by ach is settled, and final when nobody can return it any more', async () => {
    const order = await paid();
    await world.submitted(order.id);
    await world.stack.advance(7 * day);
    await world.until(order.id, 'payout_settled');
    await world.stack.advance(75 * day);
    await world.until(order.id, 'payout_final');
    await world.expectCleared(order.id);
  }, 60_000);

  it('that the bank rejects is asked for once more on the same rail, with another id; then all goes back', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await paid({ accountNumber: '000011115002' });
    const ended = await world.until(order.id, 'refunded');
    expect(
      (await events(order)).filter(
        (event) => event === 'payout-held' || event === 'payout-retried',
      ),
    ).toEqual(['payout-held', 'payout-retried', 'payout-held']);
    expect(await world.refunds(order.id)).toEqual(['order final 100000000']);
    expect((await world.view(order.id)).payment.failureReason).toMatchObject({
      code: 'payout-rejected',
      retryPolicy: 'new-order',
    });
    expect(ended.facts.refunded).toMatchObject({ amountMinor: '100000000' });
    await world.expectCleared(order.id);
  });

  it('to an account that is no good is not tried again', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await paid({ accountNumber: '000011115001' });
    await world.until(order.id, 'refunded');
    expect(await events(order)).not.toContain('payout-retried');
    expect(await world.refunds(order.id)).toEqual(['order final 100000000']);
    await world.expectCleared(order.id);
  });

  it('that the bank refused after a review, or that was cancelled at its desk, is not asked for again', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await paid({ accountNumber: '000011115003' });
    await world.submitted(order.id);
    await world.stack.advance(2 * 3_600_000);
    await world.until(order.id, 'refunded');
    expect(await events(order)).not.toContain('payout-retried');
    await world.expectCleared(order.id);
    const rejected = payoutOf(await world.read(order.id))!;
    expect(rejected).toMatchObject({
      status: 'rejected',
      code: 'compliance',
      reason: 'compliance',
    });
    expect(isWorthAnother({ ...rejected, code: 'canceled', reason: 'other' })).toBe(false);
    expect(isWorthAnother({ ...rejected, code: 'AM02', reason: 'amount-not-allowed' })).toBe(true);
  });

  it('that is returned after it settled goes back to the payer, less the fees', async () => {
    const order = await paid({ accountNumber: '000011119003' });
    await world.submitted(order.id);
    await world.stack.advance(7 * day);
    await world.until(order.id, 'refunded');
    expect(await events(order)).toEqual(
      expect.arrayContaining(['payout-settled', 'payout-returned']),
    );
    expect(await world.refunds(order.id)).toEqual(['order final 99000000']);
    expect(await world.view(order.id)).toMatchObject({
      payment: {
        status: 'refunded',
        refunded: { amount: '99', currency: 'usdxm' },
        failureReason: { code: 'payout-returned' },
      },
      lineItems: [{ delivery: { status: 'failed' } }],
    });
    await world.expectCleared(order.id);
  }, 60_000);

  it('that is returned waits for the operator where the project wants that; he may pay it again, or send it back', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    await world.settings({ onPayoutReturned: 'operator' });
    const order = await paid({ accountNumber: '000011119004' });
    await world.submitted(order.id);
    await world.stack.advance(7 * day);
    await world.until(order.id, 'needs_operator');
    expect(await world.refunds(order.id)).toEqual([]);
    expect((await resolveByRefund(world.stack.ctx, decided(order))).state).toBe('refunding');
    await world.until(order.id, 'refunded');
    expect(await world.refunds(order.id)).toEqual(['order final 99000000']);
    await world.expectCleared(order.id);
  });

  it('to an account that was deleted meanwhile goes back, and says so', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await world.order({ accountNumber: '000765432101' });
    const methodId = order.request.recipient.paymentMethodId!;
    const removed = await world.stack.vault!.call(
      'DELETE',
      `/unstable/payment-methods/${methodId}`,
      { key: world.stack.api.serverKey },
    );
    expect(removed.status).toBeLessThan(300);
    const told = await world.deposit({
      memo: order.memo,
      amountMinor: order.terms!.pay.amountMinor,
    });
    await told.finalize();
    await world.until(order.id, 'refunded');
    const { payment } = await world.view(order.id);
    expect(payment.failureReason.message).toMatch(/^The bank account of the order was deleted/);
    await world.expectCleared(order.id);
  });

  it('to an account that was saved a moment ago waits where the vault is told so: the order says what for, and goes on by itself', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const { operator, config } = world.stack.vault!;
    const vaultCtx = createPayouts(operator, config.payouts).ctx;
    const wait = (hours: string) =>
      payoutsCommand(async () => vaultCtx, {
        argv: ['limits', '--new-destination-wait', hours, '--as', 'ada'],
        print: () => undefined,
      });
    await wait('24');
    const order = await paid({ rail: 'rtp', accountNumber: '000456123789' });
    await eventually('it waits', async () => (await events(order)).includes('payout-waits'));
    const lines: string[] = [];
    await orderOperatorCommand(world.stack.ctx, {
      argv: ['show', order.id],
      print: (line) => lines.push(line),
      projectOf: async () => world.projectId,
    });
    expect(lines.join('\n')).toMatch(
      /payout +\S+ held by rtp waits for its new account, until 20\d\d-/,
    );
    expect(await world.view(order.id)).toMatchObject({
      phase: 'delivery',
      lineItems: [{ delivery: { status: 'in-progress', rail: 'rtp' } }],
    });
    await world.stack.advance(day + 60_000);
    await world.submitted(order.id);
    expect(payoutOf(await world.read(order.id))!.waitsFor).toBeUndefined();
    await wait('0');
    await world.stack.advance(60_000);
    await world.until(order.id, 'payout_final');
    await world.expectCleared(order.id);
  });

  it('that was final and is returned all the same goes back too', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await paid({ accountNumber: '000011119906', rail: 'rtp' });
    await world.submitted(order.id);
    await world.stack.advance(60_000);
    await world.until(order.id, 'payout_final');
    await world.stack.advance(40 * day);
    await world.until(order.id, 'refunded');
    await world.expectCleared(order.id);
  });

  it('that the bank never ends is for the operator, who cannot send the money back as long as the bank may pay', async () => {
    const order = await paid({ accountNumber: '000011117999' });
    await world.submitted(order.id);
    await world.stack.advance(11 * day);
    const waiting = await world.until(order.id, 'needs_operator');
    // The vault noticed it first, or the order's own time limit.
    expect(waiting.attention).toMatch(/^payout/);
    for (const resolve of [resolveByRefund, resolveByContinuing, resolveByClosing])
      expect(await codeOf(resolve(world.stack.ctx, decided(order)))).toBe('conflict');
    expect(await world.refunds(order.id)).toEqual([]);
  }, 60_000);

  it('is not asked for again when a reorganisation has taken what was paid', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await world.order({ accountNumber: '000011115003' });
    const told = await pay(order);
    await world.submitted(order.id);
    await told.retract();
    await world.until(order.id, 'needs_operator');
    await world.stack.advance(2 * 3_600_000);
    await expect.poll(() => events(order), { timeout: 30_000 }).toContain('payout-rejected');
    const waiting = await world.until(order.id, 'needs_operator');
    expect(await events(order)).not.toContain('payout-retried');
    expect(await world.refunds(order.id)).toEqual([]);
    const closed = await resolveByClosing(world.stack.ctx, decided(waiting));
    expect([closed.state, closed.publicStatus.phase]).toEqual(['closed', 'completed']);
    await world.expectCleared(order.id);
  });

  const tell = (
    order: OrderRecord,
    payoutId: string,
    ...events: Pick<PayoutEvent['data'], 'status' | 'attention'>[]
  ) => {
    const data = {
      payoutId,
      object: `order:${order.id}`,
      paymentMethodId: '',
      provider: 'sandbox',
      rail: 'ach',
      amountMinor: '9900',
      currency: 'usd',
    };
    const { ctx } = world.stack;
    const told = events.map((one): PayoutEvent => {
      const type =
        one.attention === undefined
          ? (`payouts.${one.status}` as PayoutEvent['type'])
          : 'payouts.attention-needed';
      const at = new Date().toISOString();
      return {
        id: `test-${type}`,
        position: '1',
        type,
        at,
        projectId: world.projectId,
        data: { ...data, ...one, at },
      };
    });
    return ctx.store.transaction((tx) => followPayouts(ctx, tx, told));
  };

  it('that is paid although a reorganisation took its deposit still says so to the operator', async () => {
    const order = await world.order({ rail: 'rtp' });
    const told = await pay(order);
    await world.submitted(order.id);
    await told.retract();
    expect((await world.until(order.id, 'needs_operator')).attention).toMatch(
      /^deposit .* took it back$/,
    );
    await world.stack.advance(60_000);
    expect((await world.until(order.id, 'payout_final')).attention).toMatch(
      /^deposit .* took it back$/,
    );
  }, 60_000);

  it('that the bank contradicts is for the operator, and keeps no other news waiting', async () => {
    const order = await paid({ accountNumber: '000011115001' });
    const refunded = await world.until(order.id, 'refunded');
    const { id: payoutId } = payoutOf(refunded)!;
    await tell(order, payoutId, { status: 'settled' }, { status: 'returned' });
    expect(await world.read(order.id)).toMatchObject({
      state: 'refunded',
      attention: expect.stringContaining(payoutId),
    });
  }, 60_000);

  it('that the bank pays after all, when its money has gone back, is for the operator; so is the first of two', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await paid({ accountNumber: '000011115002' });
    const refunded = await world.until(order.id, 'refunded');
    const paidTwice = {
      status: 'rejected',
      attention: 'the bank says settled, after the payout was rejected',
    } as const;
    await tell(order, payoutOf(refunded)!.id, paidTwice);
    expect((await world.read(order.id)).attention).toContain(paidTwice.attention);
    const first = randomUUID();
    await tell(order, first, paidTwice);
    expect((await world.read(order.id)).attention).toContain(
      `earlier payout ${first}: ${paidTwice.attention}`,
    );
  });

  it('waits while the vault is away, and is paid once when it is back', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    await world.account();
    const order = await world.order({ rail: 'rtp' });
    await world.stack.vault!.stop();
    await pay(order);
    await world.until(order.id, 'payout_submitted');
    await expect.poll(async () => payoutOf(await world.read(order.id))?.status).toBe('asked');
    await world.stack.vault!.start();
    await world.stack.advance(60_000);
    await world.submitted(order.id);
    await world.stack.advance(60_000);
    await world.until(order.id, 'payout_final');
    expect((await events(order)).filter((event) => event === 'payout-held')).toHaveLength(1);
    await world.expectCleared(order.id);
  });
});

describe('an operator', () => {
  async function onHold() {
    const order = await world.order();
    await writeOrder(
      world.stack.ctx.store,
      'update orders set payer_key = $2 where id = $1',
      order.id,
      sandboxAddresses.blocked,
    );
    await pay(order, { sender: sandboxAddresses.blocked });
    await world.until(order.id, 'on_hold');
    return order;
  }

  it('releases an order whose payer was listed, and it is paid', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await onHold();
    await releaseHold(world.stack.ctx, decided(order));
    await world.submitted(order.id);
    await world.stack.advance(7 * day);
    await world.until(order.id, 'payout_settled');
    await world.expectCleared(order.id);
  });

  it('refuses it: nothing is sent to a listed payer, and closing sets the money aside', async () => {
    const order = await onHold();
    await refuseHold(world.stack.ctx, decided(order));
    await world.until(order.id, 'needs_operator');
    expect(await world.refunds(order.id)).toEqual(['order failed 100000000']);
    expect((await world.view(order.id)).payment.failureReason.code).toBe('screening-rejected');
    expect(await codeOf(resolveByContinuing(world.stack.ctx, decided(order)))).toBe('conflict');
    expect((await resolveByClosing(world.stack.ctx, decided(order))).state).toBe('closed');
    await world.expectCleared(order.id);
  }, 60_000);

  it('sends back what was paid when a reorganisation took the deposit before the bank was asked, and only if it is there again', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await world.order();
    await world.stack.vault!.stop();
    const told = await pay(order);
    await world.until(order.id, 'payout_submitted');
    await told.retract();
    await world.until(order.id, 'needs_operator');
    await world.stack.vault!.start();
    expect(await codeOf(resolveByRefund(world.stack.ctx, decided(order)))).toBe('conflict');
    await world.stack.advance(5 * 60_000);
    expect(await codeOf(resolveByContinuing(world.stack.ctx, decided(order)))).toBe('conflict');
    expect(await codeOf(releaseHold(world.stack.ctx, decided(order)))).toBe('conflict');
    await told.again();
    await told.finalize();
    await resolveByContinuing(world.stack.ctx, decided(order));
    await world.submitted(order.id);
    await world.stack.advance(7 * day);
    await world.until(order.id, 'payout_settled');
    await world.expectCleared(order.id);
  });

  it('who refuses an order whose deposit is gone does not keep it when it is there again', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await world.order();
    await writeOrder(
      world.stack.ctx.store,
      'update orders set payer_key = $2 where id = $1',
      order.id,
      sandboxAddresses.blocked,
    );
    const told = await pay(order, { sender: sandboxAddresses.blocked });
    await world.until(order.id, 'on_hold');
    await told.retract();
    await refuseHold(world.stack.ctx, decided(order));
    await world.until(order.id, 'refunded');
    await told.again();
    await told.finalize();
    // Nothing is sent to somebody on a list, and the operator is told.
    expect(await world.refunds(order.id)).toEqual(['order-closed failed 100000000']);
    expect((await world.read(order.id)).attention).toContain('sanctioned-address');
    await world.expectCleared(order.id);
  });

  it('gives a deposit that waits to an order of its token, and to no other', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await world.order();
    const told = await world.deposit({
      memo: order.memo,
      amountMinor: 100_000_000n,
      sender: '0x00000000000000000000000000000000000000b7',
    });
    await told.finalize();
    const [held] = (
      await selectHeldDeposits(world.stack.ctx.store, { projectId: world.projectId, limit: 500 })
    ).toReversed();
    const input = { projectId: world.projectId, depositId: held!.depositId, note };
    expect(
      await codeOf(assignHeldDeposit(world.stack.ctx, { ...input, orderId: order.id, note: ' ' })),
    ).toBe('validation-error');
    await assignHeldDeposit(world.stack.ctx, { ...input, orderId: order.id });
    await world.submitted(order.id);
    expect(await codeOf(assignHeldDeposit(world.stack.ctx, { ...input, orderId: order.id }))).toBe(
      'conflict',
    );
    expect(await codeOf(returnHeldDeposit(world.stack.ctx, input))).toBe('conflict');
    expect(
      (await selectMoves(world.stack.ctx.store, order.id)).map((move) => move.note),
    ).toContainEqual(expect.stringContaining(note));
  });

  it('returns a deposit that waits to whoever made it, once', async () => {
    const order = await world.order();
    const sender = '0x00000000000000000000000000000000000000c7';
    await (await world.deposit({ memo: order.memo, amountMinor: 55_000_000n, sender })).finalize();
    const [held] = (
      await selectHeldDeposits(world.stack.ctx.store, { projectId: world.projectId, limit: 500 })
    ).toReversed();
    const lines: string[] = [];
    const command = (...argv: string[]) =>
      depositsCommand(world.stack.ctx, {
        argv,
        print: (line) => lines.push(line),
        projectOf: async () => world.projectId,
      });
    await command('list');
    expect(lines.join('\n')).toContain('wrong-payer');
    await command('return', held!.depositId, '--note', note);
    await command('return', held!.depositId, '--note', note);
    await expect.poll(async () => balanceOf(sender), { timeout: 20_000 }).toBe(55_000_000n);
    expect(await findDeposit(world.stack.ctx.store, held!.depositId)).toMatchObject({
      resolution: 'returned',
      note,
    });
    await command('show', held!.depositId);
    expect(lines.at(-1)).toContain('returned-by-operator');
  }, 60_000);

  it('keeps what a treasury was filled with', async () => {
    await (
      await world.deposit({
        amountMinor: 5_000_000n,
        sender: '0x00000000000000000000000000000000000000d7',
      })
    ).finalize();
    const [held] = (
      await selectHeldDeposits(world.stack.ctx.store, { projectId: world.projectId, limit: 500 })
    ).toReversed();
    const input = { projectId: world.projectId, depositId: held!.depositId, note };
    await keepHeldDeposit(world.stack.ctx, input);
    expect(await findDeposit(world.stack.ctx.store, held!.depositId)).toMatchObject({
      resolution: 'operator-funds',
      note,
    });
    expect(await codeOf(keepHeldDeposit(world.stack.ctx, input))).toBe('conflict');
    expect(await codeOf(returnHeldDeposit(world.stack.ctx, input))).toBe('conflict');
  }, 60_000);

  it('sees orders with their history, deposits, refunds and ledger', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await paid();
    await world.submitted(order.id);
    const lines: string[] = [];
    const command = (...argv: string[]) =>
      orderOperatorCommand(world.stack.ctx, {
        argv,
        print: (line) => lines.push(line),
        projectOf: async () => world.projectId,
      });
    await command('show', order.id);
    for (const text of ['payout_submitted', 'HISTORY', 'deposit-exact', 'DEPOSITS', 'OWED'])
      expect(lines[0]).toContain(text);
    await command('list', '--waiting');
    expect(lines[1]).toContain('needs_operator');
    await command('list', '--state', 'payout_submitted', '--json');
    expect(lines[2]).toContain(order.id);
    await expect(command('resolve', order.id, 'refund', '--note', note)).rejects.toThrow(
      'a bank may pay it',
    );
    await expect(command('hold', 'release', order.id, '--note', note)).rejects.toThrow(
      'cannot be released',
    );
  });
});

async function balanceOf(address: string): Promise<bigint> {
  const [balance] = await world.stack.ctx.chains
    .familyOfChain(world.token.chain)
    .readBalances(address, [world.token]);
  return balance!.amountMinor;
}
