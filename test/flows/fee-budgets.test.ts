/** @module-tag slow */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gasCommand } from '../../src/chains/cli/gas.ts';
import type { CallAnswer } from '../harness/http.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import { mpcChains } from '../interface/mpc-chains.ts';

/**
 * End users who have the service pay for as much as they can: they have a client key and their own
 * token, and send all at once. Supplement, section 6: the service pays, within what its operator
 * allows.
 */

type Body = CallAnswer['body'];
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: mpcChains.map(({ chainType }) => chainType) });
});
afterAll(() => stack?.close());

const gas = async (...argv: string[]) => {
  const lines: string[] = [];
  await gasCommand(stack.ctx, {
    argv,
    print: (line) => lines.push(line),
    projectOf: async () => stack.api.projectId,
  });
  return lines.join('\n');
};

describe.each(mpcChains)('on $chainType', ({ chainType, freshAddress }) => {
  async function aUser(name: string) {
    const jwt = await stack.api.userJwt(`${chainType}-${name}`);
    const call = (method: string, path: string, body?: object) =>
      stack.call(method, `/2025-06-09/wallets${path}`, {
        key: stack.api.clientKey,
        jwt,
        ...(body && { body }),
      });
    const { status, body, text } = await call('POST', '/me', { chainType, type: 'mpc' });
    expect([status, text]).toEqual([201, expect.any(String)]);
    const { address } = body as { address: string };
    const funded = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
      body: { amount: 50, token: 'usdxm', chain: chainType },
    });
    expect([funded.status, funded.text]).toEqual([201, expect.any(String)]);
    return {
      owner: `userId:${chainType}-${name}`,
      async ask(): Promise<string> {
        const made = await call('POST', `/${address}/tokens/${chainType}:usdxm/transfers`, {
          recipient: freshAddress(),
          amount: '1',
        });
        expect([made.status, made.text]).toEqual([201, expect.any(String)]);
        return made.body.id;
      },
      endOf: (id: string): Promise<Body> => stack.waitForTransaction(address, id),
    };
  }
  async function spentBy(owner: string): Promise<bigint> {
    const { rows } = await stack.ctx.store.query<{ minor: string }>({
      text: 'select minor from fee_spent where chain = $1 and owner = $2',
      values: [chainType, owner],
    });
    return BigInt(rows[0]?.minor ?? 0);
  }

  it('the budget of an owner is passed by one operation at most, however many two workers find at once, and is nobody else’s', async () => {
    const [spender, other] = [await aUser('spendthrift'), await aUser('frugal')];
    expect((await spender.endOf(await spender.ask())).status).toBe('success');
    const before = await spentBy(spender.owner);
    expect(before).toBeGreaterThan(0n);
    // A little is left: one more may take it, and go beyond it.
    await gas('set', '--chain', chainType, '--owner-per-day', String(before + 1n));
    const ids = await stack.withoutWorker(
      () => Promise.all(Array.from({ length: 6 }, spender.ask)),
      2,
    );
    const all = await Promise.all(ids.map(spender.endOf));
    const failed = all.filter(({ status }) => status === 'failed');
    expect([all.length - failed.length, failed.length]).toEqual([1, 5]);
    for (const { error } of failed)
      expect(error.message).toMatch(
        /^The fee budget of the owner of the wallet on \w+ is used up for today/,
      );
    expect((await other.endOf(await other.ask())).status).toBe('success');
    await gas('set', '--chain', chainType, '--owner-per-day', 'default');
    expect((await spender.endOf(await spender.ask())).status).toBe('success');
  });

  it('the budget of a project ends all of it, whoever asks, until its operator raises it', async () => {
    const user = await aUser('grace');
    await gas('set', '--chain', chainType, '--per-day', '1');
    expect((await user.endOf(await user.ask())).error.message).toMatch(
      /^The fee budget of the project/,
    );
    await gas('set', '--chain', chainType, '--per-day', 'default');
    expect((await user.endOf(await user.ask())).status).toBe('success');
  });
});
