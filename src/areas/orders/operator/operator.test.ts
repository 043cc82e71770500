import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectLedgerBalanced } from '../../../../test/harness/ledger.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import { sandboxAddresses } from '../../../providers/screening/sandbox.ts';
import { chainEntrances } from '../../chain-entrances.ts';
import { selectTreasuryTransfer, type TreasuryChange } from '../../treasury/index.ts';
import { followTreasury } from '../legs/chain-changes.ts';
import { selectHeldDeposits } from '../legs/deposit/store.ts';
import { selectRefundsOfOrder } from '../legs/refund/store.ts';
import { noteOrder } from '../state/change-order.ts';
import { lockOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';
import { depositChain, type OfframpWorld, startOfframpWorld } from '../testing/offramp-kit.ts';
import { writeOrder, writeRefunds } from '../testing/write-order-kit.ts';
import { attentionOfOrder } from './attention.ts';
import { orderOperatorCommand } from './command.ts';
import { assignHeldDeposit } from './deposits.ts';
import { depositsCommand } from './deposits-command.ts';
import { refuseHold, resolveByClosing } from './operator.ts';

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

const note = 'looked at';
const wanted = 100_000_000n;
/** A real-time rail has settled by then. */
const minuteMs = 60_000;

/** What the command printed. */
async function run(command: typeof orderOperatorCommand, ...argv: string[]): Promise<string> {
  const lines: string[] = [];
  await command(world.stack.ctx, {
    argv,
    print: (line) => lines.push(line),
    projectOf: async () => world.projectId,
  });
  return lines.join('\n');
}
const orders = (...argv: string[]) => run(orderOperatorCommand, ...argv);
const deposits = (...argv: string[]) => run(depositsCommand, ...argv);
const decided = (order: OrderRecord) => ({ projectId: world.projectId, orderId: order.id, note });

async function paid(): Promise<OrderRecord> {
  const order = await world.order({ rail: 'rtp' });
  await (await world.deposit({ memo: order.memo, amountMinor: wanted })).finalize();
  await world.submitted(order.id);
  await world.stack.advance(minuteMs);
  return world.until(order.id, 'payout_final');
}

describe('what waits for the operator', () => {
  it('has orders that have ended and ask for attention, until that is acknowledged', async () => {
    const order = await paid();
    expect(await orders('list', '--waiting')).not.toContain(order.id);
    await expect(orders('acknowledge', order.id, '--note', note)).rejects.toThrow(
      'asks for no attention',
    );
    const waiting = (projectId = world.projectId) =>
      attentionOfOrder(world.stack.ctx, { projectId, orderId: order.id });
    expect(await waiting()).toBeUndefined();
    await world.stack.ctx.store.transaction(async (tx) => {
      const locked = (await lockOrder(tx, { by: 'id', id: order.id }))!;
      await noteOrder(world.stack.ctx, tx, locked, {
        event: 'disputed',
        set: { attention: 'Dispute 1: answer it.' },
      });
    });
    expect(await orders('list', '--waiting')).toContain(order.id);
    expect([await waiting(), await waiting('01900000-0000-7000-8000-000000000000')]).toEqual([
      expect.objectContaining({ id: order.id }),
      undefined,
    ]);
    await expect(orders('acknowledge', order.id)).rejects.toThrow('Say why');
    await orders('acknowledge', order.id, '--note', note);
    expect(await orders('list', '--waiting')).not.toContain(order.id);
    expect(await orders('show', order.id)).toContain(`operator: ${note}`);
  }, 60_000);

  it('has orders that were closed by hand before something more became known', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const order = await paid();
    const { store } = world.stack.ctx;
    await writeOrder(store, `update orders set state = 'closed' where id = $1`, order.id);
    expect(await orders('list', '--waiting')).not.toContain(order.id);
    await store.transaction(async (tx) => {
      const closed = (await lockOrder(tx, { by: 'id', id: order.id }))!;
      await noteOrder(world.stack.ctx, tx, closed, {
        event: 'disputed',
        set: { attention: 'Dispute 1: answer it.' },
      });
    });
    expect(await orders('list', '--waiting')).toContain(order.id);
    await orders('acknowledge', order.id, '--note', note);
    expect(await orders('list', '--waiting')).not.toContain(order.id);
  });

  it.each([
    [['show', 'x'], 'There is no such deposit in this project.'],
    [['return', 'x', '--note', note], 'Write purser deposits return'],
    [['keep', 'x', '--note', note], 'Write purser deposits keep'],
    [['assign', 'x', 'y', '--note', note], 'Write purser deposits assign'],
  ])('is named by its id: %j is answered in words', async (argv, sentence) => {
    await expect(deposits(...argv)).rejects.toThrow(sentence);
  });

  it('has deposits whose return could not be sent', async () => {
    const sender = sandboxAddresses.blocked;
    await (await world.deposit({ amountMinor: 7_000_001n, sender })).finalize();
    const listed = (await deposits('list')).split('\n').find((line) => line.includes('7.000001'))!;
    const id = listed.split(' ')[0]!;
    await deposits('return', id, '--note', note);
    await eventually('the return has failed', async () =>
      (await deposits('show', id)).includes('"status": "failed"'),
    );
    expect((await deposits('list')).split('\n').find((line) => line.startsWith(id))).toContain(
      'return-failed',
    );
  }, 60_000);

  it('has orders of which a second deposit cannot go back', async () => {
    const order = await paid();
    await writeOrder(
      world.stack.ctx.store,
      'update orders set payer_key = $2 where id = $1',
      order.id,
      sandboxAddresses.blocked,
    );
    await (
      await world.deposit({
        memo: order.memo,
        amountMinor: wanted,
        sender: sandboxAddresses.blocked,
      })
    ).finalize();
    await eventually('it waits', async () =>
      (await orders('list', '--waiting')).includes(order.id),
    );
    expect(await world.refunds(order.id)).toEqual([`second failed ${wanted}`]);
  }, 60_000);

  it('is asked for by states that there are', async () => {
    await expect(orders('list', '--state', 'bogus')).rejects.toThrow('There is no state "bogus"');
    expect(await orders('list', '--state', 'needs_operator')).toContain('ORDER');
  });
});

describe('a deposit that waits, and that a reorganisation is taking at this moment,', () => {
  it('pays nobody’s order', async () => {
    const { ctx } = world.stack;
    const order = await world.order({ rail: 'rtp' });
    const told = await world.deposit({ amountMinor: wanted, sender: `0x${'e'.repeat(40)}` });
    await told.finalize();
    const [held] = (
      await selectHeldDeposits(ctx.store, { projectId: world.projectId, limit: 500 })
    ).toReversed();
    const entrances = chainEntrances(ctx, ctx.chains.familyOfChain(depositChain));
    let assigned: Promise<unknown> | undefined;
    await ctx.store.transaction(async (tx) => {
      await entrances.retractTransfers(tx, depositChain, told.height);
      assigned = assignHeldDeposit(ctx, {
        projectId: world.projectId,
        depositId: held!.depositId,
        orderId: order.id,
        note,
      }).catch(String);
      await eventually('the operator waits for it', async () => {
        const { rows } = await ctx.store.query({
          text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%deposits d%'`,
        });
        return rows.length > 0;
      });
    });
    expect(await assigned).toContain('not final (any more)');
    expect((await world.read(order.id)).state).toBe('awaiting_deposit');
  }, 60_000);
});

describe('a deposit that a reorganisation took and that had gone back', { tags: 'slow' }, () => {
  it('is told to the operator, since the money is gone', async () => {
    const order = await paid();
    const second = await world.deposit({ memo: order.memo, amountMinor: wanted });
    await second.finalize();
    expect(await world.refunds(order.id)).toEqual([`second final ${wanted}`]);
    await second.retract();
    expect((await world.read(order.id)).attention).toContain('taken back by a reorganisation');
    expect(await orders('list', '--waiting')).toContain(order.id);
    await second.again();
    await second.finalize();
    await eventually(
      'the refund is final',
      async () => (await world.refunds(order.id))[0] === `second final ${wanted}`,
    );
  }, 60_000);
});

describe('what was too much, of a payer who got onto a sanctions list', { tags: 'slow' }, () => {
  /** On hold, and the excess could not be sent. */
  async function held(): Promise<OrderRecord> {
    const order = await world.order({ rail: 'rtp' });
    const sender = sandboxAddresses.blocked;
    await writeOrder(
      world.stack.ctx.store,
      'update orders set payer_key = $2 where id = $1',
      order.id,
      sender,
    );
    await (await world.deposit({ memo: order.memo, amountMinor: wanted * 2n, sender })).finalize();
    await world.until(order.id, 'on_hold');
    await eventually(
      'the excess has failed',
      async () => (await world.refunds(order.id))[0] === `excess failed ${wanted}`,
    );
    return order;
  }

  async function releasedAndPaid(order: OrderRecord): Promise<OrderRecord> {
    await orders('hold', 'release', order.id, '--note', note);
    await world.submitted(order.id);
    await world.stack.advance(minuteMs);
    return world.until(order.id, 'payout_final');
  }

  it('is sent again when the operator releases the order', async () => {
    const order = await held();
    // The payer is off the list again.
    await writeRefunds(
      world.stack.ctx.store,
      'update order_refunds set recipient = $2 where order_id = $1',
      order.id,
      world.payer,
    );
    await releasedAndPaid(order);
    await eventually(
      'the excess is back',
      async () => (await world.refunds(order.id))[0] === `excess final ${wanted}`,
    );
    expect((await world.read(order.id)).attention).toBeUndefined();
  }, 60_000);

  it('is not forgotten when it cannot be sent even then, though the order is paid', async () => {
    const order = await held();
    await releasedAndPaid(order);
    await eventually(
      'the excess has failed again',
      async () => (await world.refunds(order.id))[0] === `excess failed ${wanted}`,
    );
    expect((await world.read(order.id)).attention).toContain('sanctioned-address');
    expect(await orders('list', '--waiting')).toContain(order.id);
  }, 60_000);
});

describe('a refund that is final twice', { tags: 'slow' }, () => {
  it('stops nothing, though the gas of its second time is another', async () => {
    const order = await paid();
    await (await world.deposit({ memo: order.memo, amountMinor: wanted })).finalize();
    expect(await world.refunds(order.id)).toEqual([`second final ${wanted}`]);
    const [refund] = await selectRefundsOfOrder(world.stack.ctx.store, order.id);
    const { ctx } = world.stack;
    const transfer = (await selectTreasuryTransfer(ctx.store, refund!.transferId))!;
    const told = (change: TreasuryChange['change']): TreasuryChange => ({
      transferId: transfer.id,
      projectId: transfer.projectId,
      subject: transfer.subject,
      change,
      costMinor: (transfer.costMinor ?? 0n) + 1n,
      at: new Date(ctx.clock.now().getTime() + 1_000),
    });
    await ctx.store.transaction((tx) => followTreasury(ctx, tx, [told('reverted-to-pending')]));
    await ctx.store.transaction((tx) => followTreasury(ctx, tx, [told('final')]));
    expect(await world.refunds(order.id)).toEqual([`second final ${wanted}`]);
  }, 60_000);
});

describe('a return', () => {
  it('is not sent of an order that was settled by hand', async () => {
    const order = await world.order();
    await writeOrder(
      world.stack.ctx.store,
      'update orders set payer_key = $2 where id = $1',
      order.id,
      sandboxAddresses.blocked,
    );
    await (
      await world.deposit({
        memo: order.memo,
        amountMinor: wanted,
        sender: sandboxAddresses.blocked,
      })
    ).finalize();
    await world.until(order.id, 'on_hold');
    await refuseHold(world.stack.ctx, decided(order));
    await world.until(order.id, 'needs_operator');
    await resolveByClosing(world.stack.ctx, decided(order));
    const [refund] = await selectRefundsOfOrder(world.stack.ctx.store, order.id);
    await expect(deposits('return', refund!.depositId, '--note', note)).rejects.toThrow(
      'settled by hand',
    );
  }, 60_000);

  it('of a deposit that pays an order is refused, also when what was too much has gone back', async () => {
    const order = await world.order({ rail: 'rtp' });
    await (await world.deposit({ memo: order.memo, amountMinor: wanted * 2n })).finalize();
    await world.submitted(order.id);
    await world.stack.advance(minuteMs);
    await world.until(order.id, 'payout_final');
    expect(await world.refunds(order.id)).toEqual([`excess final ${wanted}`]);
    const [refund] = await selectRefundsOfOrder(world.stack.ctx.store, order.id);
    await expect(deposits('return', refund!.depositId, '--note', note)).rejects.toThrow(
      'does not wait for the operator',
    );
  }, 60_000);
});
