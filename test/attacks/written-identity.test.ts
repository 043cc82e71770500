import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findWalletOwner } from '../../src/areas/linked-wallets/index.ts';
import { anEvmWallet } from '../../src/areas/linked-wallets/test-kit.ts';
import {
  aBuyer,
  createOnramp,
  onrampBody,
  onrampChain,
  startOnrampStack,
  startVerification,
} from '../../src/areas/orders/testing/onramp-kit.ts';
import { aPerson } from '../../src/areas/users/test-kit.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { apiRole } from '../../src/store/grants.ts';
import { rowMacMetrics } from '../../src/store/row-mac.ts';
import type { Stack } from '../harness/stack.ts';

/** Somebody writes the main database, to be served as if he had been verified. */
let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

let alarms: number;
const counted = () => rowMacMetrics().changed;
beforeEach(() => {
  alarms = counted();
});

const asOwner = (text: string, ...values: unknown[]) =>
  stack.ctx.store.query<Record<string, any>>({ text, values });
const asApi = (text: string, ...values: unknown[]) =>
  stack.ctx.store.transaction(async (tx) => {
    await tx.query({ text: `set local role ${apiRole}` });
    return tx.query({ text, values });
  });
/** Of the newest user who is not verified. */
async function unverified(name: string) {
  const buyer = await aBuyer(stack, { verified: false });
  const { userDetails } = aPerson({ firstName: name });
  await stack.call('PUT', `/2025-06-09/users/${encodeURIComponent(buyer.locator)}`, {
    body: { userDetails },
  });
  const { rows } = await asOwner('select id from users order by created_at desc, id desc limit 1');
  return { ...buyer, userId: rows[0]!.id as string };
}
const payable = async () =>
  (await asOwner(`select 1 from orders where state = 'awaiting_payment'`)).rowCount;
/** Asks for an order. @returns its answer */
const ask = ({ address }: { address: string }) =>
  stack.call('POST', '/2022-06-09/orders', { body: onrampBody({ address }) });

describe('who writes the database is not served as somebody who was verified', () => {
  it.each(['a new entry', 'an entry of his that waits'])('by %s that says so', async (which) => {
    const thief = await unverified(`Entry ${which.length}`);
    if (which === 'a new entry')
      await asApi(
        `insert into identity_entries (user_id, type, status, updated_at) values ($1, 'onramp', 'verified', now()), ($1, 'onramp-light', 'verified', now())`,
        thief.userId,
      );
    else {
      await startVerification(stack, thief.locator, 'Page');
      await asApi(
        `update identity_entries set status = 'verified' where user_id = $1`,
        thief.userId,
      );
    }
    await ask(thief);
    expect(await payable()).toBe(0);
    expect(counted()).toBeGreaterThan(alarms);
  });

  it('by the review of another, which he makes his before the company has passed it', async () => {
    const thief = await unverified('Page');
    await startVerification(stack, thief.locator, 'Page');
    const honest = await unverified('Honest');
    await startVerification(stack, honest.locator);
    const { rows: reviews } = await asOwner(
      'update identity_reviews set user_id = $2 where user_id = $1 returning id',
      honest.userId,
      thief.userId,
    );
    await asOwner(
      `update identity_entries set status = 'pending-review', review_id = $2 where user_id = $1`,
      thief.userId,
      reviews[0]!.id,
    );
    await eventually('the service has looked', async () => {
      await stack.advance(5_000);
      const ended = await asOwner(
        `select 1 from identity_entries where user_id = $1 and status = 'verified'`,
        thief.userId,
      );
      return ended.rowCount > 0 || counted() > alarms;
    });
    const { rows } = await asOwner(
      'select distinct status from identity_entries where user_id = $1',
      thief.userId,
    );
    expect(rows).toEqual([{ status: 'pending-review' }]);
  });

  it('by having his project ask nobody: the API’s role may not, and the owner’s word has no seal', async () => {
    const projectId = stack.api.projectId;
    await expect(
      asApi(
        `insert into identity_projects (project_id, enabled, updated_at) values ($1, false, now())`,
        projectId,
      ),
    ).rejects.toThrow('permission denied');
    await asOwner(
      `insert into identity_projects (project_id, enabled, updated_at) values ($1, false, now())`,
      projectId,
    );
    const thief = await unverified('Unasked');
    await ask(thief);
    expect(await payable()).toBe(0);
    expect(counted()).toBeGreaterThan(alarms);
    await asOwner('delete from identity_projects where project_id = $1', projectId);
  });

  it('by a wallet that he says was proved to be his', async () => {
    const { locator } = await unverified('Linked');
    const { address } = anEvmWallet();
    const linked = await stack.call(
      'PUT',
      `/2025-06-09/users/${encodeURIComponent(locator)}/linked-wallets/${address}`,
      {
        body: { chain: onrampChain },
      },
    );
    expect([linked.status, linked.text]).toEqual([
      expect.any(Number),
      expect.not.stringContaining('"error":true'),
    ]);
    const owner = () =>
      findWalletOwner(stack.ctx, { projectId: stack.api.projectId, address, chain: onrampChain });
    expect(await owner()).toMatchObject({ verified: false });
    await asApi('update linked_wallets set verified_at = now()');
    await expect(owner()).rejects.toMatchObject({ code: 'internal-error' });
    expect(counted()).toBeGreaterThan(alarms);
  });

  it('and whoever was verified is served', async () => {
    const { address } = await aBuyer(stack);
    expect((await createOnramp(stack, { address })).order.payment.status).toBe('awaiting-payment');
  });
});
