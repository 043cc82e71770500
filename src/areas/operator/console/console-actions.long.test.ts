import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestRun } from '../../agent-checkouts/live/test-kit.ts';
import { insertRefundRequest } from '../../orders/legs/refund/requests-store.ts';
import { insertAnOrder } from '../../orders/testing/an-order-kit.ts';
import { operatorRules } from '../actions/registry.ts';
import { type OpenConsole, openConsole } from '../testing/console-browser-kit.ts';
import { type Filled, fillDeposit, fillProject } from '../testing/console-fill-kit.ts';
import type { ConsoleWorld } from '../testing/console-kit.ts';

/** Every decision that an operator may make, made in a browser: pressed, signed and told. */

let opened: OpenConsole;
let world: ConsoleWorld;
let page: Page;
let filled: Filled;
beforeAll(async () => {
  opened = await openConsole({
    config: {
      secondPersonAbove: new Map(Object.entries({ usd: '100000', eth: '100', usdc: '100000' })),
    },
  });
  ({ world, page } = opened);
  page.setDefaultTimeout(15_000);
  await opened.join('Ada Lovelace');
  filled = await fillProject(world, { projectId: world.projectId, text: 'ours' });
}, 120_000);
afterAll(() => opened?.close());

/** What became of it: `Done`, or the sentence with which it was refused. */
async function decide(
  where: Locator,
  label: string,
  asks: Readonly<Record<string, string>> = {},
): Promise<string> {
  await where.getByRole('button', { name: label, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  for (const [name, value] of Object.entries(asks)) await dialog.getByLabel(name).fill(value);
  await dialog.getByLabel('Why').fill('looked at it');
  await dialog.getByRole('button', { name: label, exact: true }).click();
  const done = dialog.getByRole('heading', { name: 'Done' });
  const refused = dialog.getByRole('alert');
  await done
    .or(refused)
    .first()
    .waitFor({ timeout: 15_000 })
    .catch(async () => expect(await dialog.innerText(), label).toBe('Done'));
  const said = (await done.isVisible()) ? 'Done' : await refused.innerText();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  return said;
}

async function go(path: string): Promise<Locator> {
  await page.goto(`${world.origin}/console/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page.locator('main');
}

/** The item of the inbox with this text. */
async function waiting(kind: string, text: string): Promise<Locator> {
  await go(`inbox?kind=${kind}`);
  const item = page.locator('.item', { hasText: text }).first();
  await item.waitFor();
  return item;
}

const anOrder = (over: object) =>
  insertAnOrder(world.ctx.store, { projectId: world.projectId, at: world.clock.now(), ...over });

async function anOrderThat(state: string, attention: string): Promise<Locator> {
  await anOrder({ state, attention });
  return waiting('order', attention);
}

async function aRefundRequest(reason: string): Promise<Locator> {
  const order = await anOrder({ state: reason === 'agreed' ? 'closed' : 'completed' });
  await world.ctx.store.transaction((tx) =>
    insertRefundRequest(tx, {
      id: randomUUID(),
      orderId: order.id,
      projectId: world.projectId,
      lineItem: 0,
      reason,
      status: reason === 'agreed' ? 'accepted' : 'initiated',
      createdAt: world.clock.now(),
    }),
  );
  return waiting('refund-request', reason);
}

const aDeposit = () =>
  fillDeposit(world, { projectId: world.projectId, walletId: filled.walletId });

/** Asked for by somebody else, above what one person decides. */
async function aLargeClosing(reason: string): Promise<Locator> {
  const { terms } = await anOrder({ state: 'closed' });
  const usd = { ...terms!.value, amountMinor: 50_000_000n };
  const { id } = await anOrder({ terms: { ...terms!, value: usd, pay: usd } });
  const bob = await world.anOperator('finance', world.projectId);
  const action = { action: 'orders.resolve.close', params: { orderId: id }, reason };
  expect((await world.act(bob, action)).outcome).toMatchObject({ status: 'waiting' });
  return waiting('second-person', reason);
}

async function anUnknownCheckout(): Promise<Locator> {
  const run = await startTestRun(world.api, { user: randomUUID() });
  await run.step('confirm');
  await run.end('failed');
  await world.sql(
    `update agent_checkouts set outcome = 'unknown', ended_at = coalesce(ended_at, now()) where id = $1`,
    run.id,
  );
  return waiting('checkout', run.id);
}

it('every rule is pressed in the console, signed by a passkey, and ends with a word', async () => {
  const said: Record<string, string> = {};
  const press = async (
    rule: string,
    where: Locator,
    ...how: [label: string, asks?: Readonly<Record<string, string>>]
  ) => {
    said[rule] = await decide(where, ...how);
  };
  await press('orders.acknowledge', await anOrderThat('delivered', 'a dispute'), 'Acknowledge');
  await press('orders.hold.refuse', await anOrderThat('on_hold', 'held one'), 'Refuse');
  await press('orders.hold.release', await anOrderThat('on_hold', 'held two'), 'Release');
  await press('orders.resolve.refund', await anOrderThat('needs_operator', 'one'), 'Pay back');
  await press('orders.resolve.continue', await anOrderThat('needs_operator', 'two'), 'Go on');
  const closing = await anOrderThat('needs_operator', 'three');
  await press('orders.resolve.close', closing, 'Close by hand');
  await press('orders.look', await go(`orders/${filled.payoutOrderId}`), 'Look now');
  await press('orders.refunds.accept', await aRefundRequest('too small'), 'Accept');
  await press('orders.refunds.reject', await aRefundRequest('too large'), 'Reject');
  await press('orders.refunds.complete', await aRefundRequest('agreed'), 'Sent by hand');
  const first = await aDeposit();
  const deposit = () => waiting('deposit', '0.5');
  await press('deposits.assign', await deposit(), 'Assign to an order', { Order: first.likely });
  await aDeposit();
  await press('deposits.keep', await deposit(), 'Keep as our own');
  await aDeposit();
  await press('deposits.return', await deposit(), 'Return');
  await press('checkouts.decide', await anUnknownCheckout(), 'The shop has no order');
  await press('actions.approve', await aLargeClosing('settled by hand'), 'Approve');
  await press('actions.reject', await aLargeClosing('settled twice'), 'Reject');

  const liquidity = await go(`liquidity?project=${world.projectId}`);
  await press('treasury.fund', liquidity, 'Mint test money', {
    Chain: 'base-sepolia',
    Token: 'usdxm',
    Amount: '5',
  });
  await press('treasury.withdraw', liquidity, 'Withdraw', {
    Amount: '1',
    Address: '0x00000000000000000000000000000000000000fe',
  });
  await press('webhooks.resend', await go(`deliveries/${filled.deliveryId}`), 'Send again');
  await press('webhooks.switch', await go(`webhooks/${filled.endpointId}`), 'Turn off');
  const project = await go(`projects/${world.projectId}`);
  await press('approval-page.set', project, 'Change the page', { Name: 'Shop' });
  await press('identity.switch', project, 'Turn off');
  await press('reconciliation.ask', project, 'Compare now');
  await press('keys.revoke', await go(`keys?project=${world.projectId}`), 'Revoke');
  await press('issuers.remove', await go(`issuers?project=${world.projectId}`), 'Trust no more');
  await press('users.sign-out', await go(`users/${filled.userId}`), 'Sign out');
  await press('users.erase', await go(`users/${filled.userId}`), 'Erase');
  await press('clock.advance', await go('clock'), 'Move it on', { 'How far': '90s' });
  const bob = await world.anOperator('viewer', world.projectId);
  const { name } = (await world.sql('select name from operators where id = $1', bob.id)).rows[0]!;
  await go(`operators?project=${world.projectId}`);
  const row = page.locator('tr', { hasText: String(name) });
  await press('operators.sign-out', row, 'Sign out');

  expect(Object.keys(said).toSorted()).toEqual([...operatorRules.keys()].toSorted());
  // Nobody has paid at the acquirer, and no chain is served here: these are refused with a sentence.
  expect(Object.keys(said).filter((rule) => said[rule] !== 'Done')).toEqual([
    'orders.resolve.refund',
    'orders.resolve.continue',
    'orders.refunds.accept',
    'deposits.assign',
    'deposits.keep',
    'deposits.return',
    'treasury.fund',
    'treasury.withdraw',
  ]);
  const { rows } = await world.sql(
    `select distinct entry::jsonb ->> 'action' as action from audit_entries`,
  );
  const inLog = new Set(rows.map(({ action }) => String(action)));
  expect(Object.keys(said).filter((rule) => !inLog.has(rule))).toEqual([]);
}, 600_000);
