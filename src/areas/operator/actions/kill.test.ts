import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programArgs } from '../../../../test/harness/programs.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import { createStore } from '../../../store/pool.ts';
import { commandLineActor } from '../../operations/index.ts';
import { insertAnOrder } from '../../orders/testing/an-order-kit.ts';
import { revokeOperator } from '../operators/operators.ts';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-kit.ts';
import { childName, type WorkerArguments } from '../testing/worker-child.ts';
import { performActions } from './perform.ts';
import { challengeOf } from './signed.ts';

let world: ConsoleWorld;
let child: ChildProcess | undefined;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await world?.close();
});

const orderOf = async (id: string) =>
  (await world.sql('select state, attention, version from orders where id = $1', id)).rows[0]!;
const entriesOf = async (actionId: string) =>
  (await world.sql('select entry from audit_entries where action_id = $1', actionId)).rows.map(
    ({ entry }) => JSON.parse(String(entry)).outcome,
  );
const actionOf = async (id: string) =>
  (await world.sql('select status, result from operator_actions where id = $1', id)).rows[0]!;

/** An order that waits, and what an operator has signed to be done with it. */
async function asked() {
  const at = world.clock.now();
  const { id } = await insertAnOrder(world.ctx.store, {
    projectId: world.projectId,
    at,
    state: 'delivered',
    attention: 'Dispute 1: answer it.',
  });
  const who = await world.anOperator('support');
  const action = world.anAction(who, { params: { orderId: id } });
  const signed = JSON.stringify(action);
  const body = { signed, assertion: who.passkey.assert(challengeOf(signed)) };
  expect((await world.call('POST', '/api/actions', { cookie: who.cookie, body })).status).toBe(202);
  return { orderId: id, actionId: action.id, operatorId: who.id };
}

/** Starts a worker and kills it as soon as it waits for what `hold` holds; then that is let go. */
async function killWhileWaitingFor(hold: string): Promise<void> {
  const holder = createStore({ url: world.url, poolSize: 1 });
  await holder.transaction(async (tx) => {
    await tx.query({ text: hold });
    const args: WorkerArguments = {
      url: world.url,
      consoleUrl: `${world.origin}/console`,
      now: world.clock.now().getTime(),
    };
    const program = programArgs('src/areas/operator/testing/worker-child.ts');
    child = spawn(process.execPath, [...program, 'run', JSON.stringify(args)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout!, 'data');
    await eventually('the worker waits', async () => {
      const waiting = await world.sql(
        `select 1 from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`,
        childName,
      );
      return waiting.rowCount > 0;
    });
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
  await holder.close();
  await eventually('its connections are gone', async () => {
    const left = await world.sql(
      'select 1 from pg_stat_activity where application_name = $1',
      childName,
    );
    return left.rowCount === 0;
  });
}

it('a worker that is killed between a decision and its entry in the log has done nothing, and another one does it once', {
  tags: 'slow',
}, async () => {
  const { orderId, actionId } = await asked();
  const before = await orderOf(orderId);
  await killWhileWaitingFor('select 1 from audit_head for update');
  expect([await orderOf(orderId), await entriesOf(actionId), await actionOf(actionId)]).toEqual([
    before,
    [],
    { status: 'asked', result: null },
  ]);
  await performActions(world.workerCtx);
  await performActions(world.workerCtx);
  expect(await orderOf(orderId)).toMatchObject({ state: 'delivered', attention: null });
  expect([await entriesOf(actionId), (await actionOf(actionId)).status]).toEqual([
    ['done'],
    'done',
  ]);
});

it('a worker that is killed once it is done, before it has said so, leaves nothing to be done again', {
  tags: 'slow',
}, async () => {
  const { orderId, actionId } = await asked();
  await world.sql(`create function wait_for_test() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`);
  await world.sql(`create trigger wait_for_test before update on operator_actions for each row when (old.status = 'done')
    execute function wait_for_test()`);
  await killWhileWaitingFor('select pg_advisory_xact_lock(4711)');
  const after = await orderOf(orderId);
  expect([after.attention, await entriesOf(actionId)]).toEqual([null, ['done']]);
  await performActions(world.workerCtx);
  expect([
    await orderOf(orderId),
    await entriesOf(actionId),
    (await actionOf(actionId)).status,
  ]).toEqual([after, ['done'], 'done']);
});

it('an operator who is revoked while his decision waits for its turn has decided nothing', async () => {
  const { orderId, actionId, operatorId } = await asked();
  const before = await orderOf(orderId);
  const [operator] = (await world.sql('select name from operators where id = $1', operatorId)).rows;
  const holder = createStore({ url: world.url, poolSize: 1 });
  let performed: Promise<number> | undefined;
  await holder.transaction(async (tx) => {
    await tx.query({ text: 'select 1 from orders where id = $1 for update', values: [orderId] });
    performed = performActions(world.workerCtx);
    await eventually('the decision waits', async () => {
      const waiting = await world.sql(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.rowCount > 0;
    });
    await revokeOperator(world.ctx, {
      name: String(operator!.name),
      reason: 'left',
      actor: commandLineActor(),
    });
  });
  await holder.close();
  await performed;
  expect(await orderOf(orderId)).toEqual(before);
  expect(await actionOf(actionId)).toMatchObject({
    status: 'refused',
    result: { message: expect.stringContaining('taken away meanwhile') },
  });
});
