import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerAsset } from '../../../ledger/index.ts';
import { startTestRun } from '../../agent-checkouts/live/test-kit.ts';
import { insertAnOrder } from '../../orders/testing/an-order-kit.ts';
import { createProject } from '../../projects/index.ts';
import { type OpenConsole, openConsole } from '../testing/console-browser-kit.ts';
import { fillDeposit, fillProject } from '../testing/console-fill-kit.ts';
import type { ConsoleWorld } from '../testing/console-kit.ts';

/** What payers, shops, tokens and receivers of webhooks may write. */
const script = `<img src=x onerror="document.title='owned'"><script>document.title="owned"</script>`;
const link = `<a href="javascript:document.title='owned'">pay</a>`;
const evil = `${script}${link} \u202e00.1`;
/** As it has to be read: what would turn the line is spelled out. */
const read = `${script}${link} \\u{202e}00.1`;
const address = 'javascript:document.title="owned"';

let opened: OpenConsole;
let world: ConsoleWorld;
let page: Page;
beforeAll(async () => {
  opened = await openConsole();
  ({ world, page } = opened);
}, 120_000);
afterAll(() => opened?.close());

/** An order whose every free text is evil, with its deposit. */
async function fillOrder(projectId: string, walletId: string): Promise<string> {
  const at = world.clock.now();
  const asset = 'base-sepolia:0x00000000000000000000000000000000000000ee';
  await world.ctx.store.transaction((tx) =>
    registerAsset(tx, { asset, decimals: 6, symbol: evil }),
  );
  const amount = { currency: evil, asset, decimals: 6, amountMinor: 7n };
  const order = await insertAnOrder(world.ctx.store, {
    projectId,
    at,
    attention: evil,
    userLocator: `userId:${evil}`,
    memo: evil,
    terms: {
      mode: 'exact-in',
      pay: amount,
      receive: amount,
      fees: [{ ...amount, type: evil }],
      value: amount,
      unit: amount,
      rate: '1',
      maxSlippageBps: 1,
    },
    request: {
      locale: 'en-US',
      payment: { method: 'card', currency: 'usd', receiptEmail: evil },
      recipient: { email: evil },
      lineItem: { mode: 'exact-in', amount: '1' },
    },
  });
  const { depositId } = await fillDeposit(world, { projectId, walletId });
  await world.sql(
    `update deposits set order_id = $2, token_symbol = $3, memo = $3, sender = $3, explorer_link = $4 where id = $1`,
    depositId,
    order.id,
    evil,
    address,
  );
  await world.sql(
    'update order_deposits set order_id = $2 where deposit_id = $1',
    depositId,
    order.id,
  );
  return order.id;
}

it('whatever stands in names, memos, tokens, shops and answers is text on every screen', async () => {
  const { ctx, projectId } = world;
  await createProject(ctx, { name: script });
  const filled = await fillProject(world, { projectId, text: evil });
  const orderId = await fillOrder(projectId, filled.walletId);
  await fillDeposit(world, { projectId, walletId: filled.walletId });
  await world.sql(
    `update deposits set sender = $1, memo = $1, token_symbol = $1 where order_id is null`,
    evil,
  );
  const run = await startTestRun(world.api, { user: randomUUID() });
  await run.progress(evil);
  await run.end('failed');
  await opened.join('Ada Lovelace');
  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  const screens = await links.evaluateAll((all) =>
    all.map((one) => (one as unknown as { pathname: string }).pathname),
  );
  const shown: string[] = [];
  for (const path of [
    ...screens,
    `/console/orders/${orderId}`,
    `/console/wallets/${filled.walletId}`,
    `/console/users/${filled.userId}`,
    `/console/webhooks/${filled.endpointId}`,
    `/console/deliveries/${filled.deliveryId}`,
    `/console/checkouts/${run.id}`,
  ]) {
    await page.goto(`${world.origin}${path}`, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    const found = await page.evaluate(`({
      title: document.title,
      foreign: document.querySelectorAll('img[src="x"], [onerror], a[href^="javascript" i], iframe').length,
      text: document.body.innerText,
    })`);
    const { title, foreign, text } = found as { title: string; foreign: number; text: string };
    expect([title === 'owned', foreign, text.includes('\u202e')], path).toEqual([false, 0, false]);
    if (text.includes(link)) shown.push(path.split('/')[2]!);
    if (path.includes(orderId)) expect(text).toContain(read);
  }
  // Each screen on which somebody else's words stand, so that none was looked at while it was empty.
  expect([...new Set(shown)].toSorted().join(' ')).toBe(
    'checkouts deliveries holds inbox issuers liquidity orders payouts unmatched wallets webhooks',
  );
}, 240_000);
