import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUsBody } from '../../src/vault/testing/methods-kit.ts';
import { type Stack, startStack } from '../harness/stack.ts';

const path = '/unstable/payment-methods';
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ vault: true });
});
afterAll(() => stack?.close());

async function save(userLocator: string, accountNumber: string) {
  const { status, body } = await stack.vault!.call('POST', path, {
    key: stack.api.serverKey,
    body: aUsBody({ userLocator }, { accountNumber }),
  });
  expect([200, 201]).toContain(status);
  return body.paymentMethodId as string;
}

async function listOfBoth(userLocator: string): Promise<[onVault: string[], onApi: string[]]> {
  const at = `${path}?userLocator=${encodeURIComponent(userLocator)}`;
  const answers = [
    await stack.vault!.call('GET', at, { key: stack.api.serverKey }),
    await stack.call('GET', at),
  ];
  return answers.map(({ body }) =>
    body.data.map((one: { paymentMethodId: string }) => one.paymentMethodId),
  ) as [string[], string[]];
}

/** On both hosts, which must agree. */
async function list(userLocator: string): Promise<string[]> {
  const [onVault, onApi] = await listOfBoth(userLocator);
  expect(onApi).toEqual(onVault);
  return onVault;
}

/** Of two hosts that are asked one after the other, the second may hear of a link first. */
async function waitForList(userLocator: string, length: number): Promise<string[]> {
  await expect
    .poll(async () => (await listOfBoth(userLocator)).map((found) => found.length), {
      timeout: 30_000,
    })
    .toEqual([length, length]);
  return list(userLocator);
}

describe('the payment methods of one person', () => {
  it('are one list once a server call says that the locators are one person', {
    tags: 'slow',
  }, async () => {
    const [first, second] = [
      await save('userId:nora', '11112222'),
      await save('email:nora@example.com', '33334444'),
    ];
    await save('email:nora@example.com', '11112222');
    const { status } = await stack.call('PUT', '/2025-06-09/users/userId:nora', {
      body: { locators: ['email:nora@example.com'] },
    });
    expect(status).toBe(200);
    expect(await waitForList('userId:nora', 2)).toEqual([second, first]);
    expect(await list('email:nora@example.com')).toEqual([second, first]);
  });

  it('are one list once a JWT with a verified e-mail vouches for them', async () => {
    const saved = await save('email:omar@example.com', '55556666');
    const jwt = await stack.api.userJwt('omar', {
      email: 'omar@example.com',
      email_verified: true,
    });
    const { status } = await stack.call('PUT', '/2025-06-09/users/userId:omar', {
      key: stack.api.clientKey,
      jwt,
      body: {},
    });
    expect(status).toBe(200);
    expect(await waitForList('userId:omar', 1)).toEqual([saved]);
  });

  it('are found under the id that the service gave a user who has none', {
    tags: 'slow',
  }, async () => {
    const saved = await save('email:pia@example.com', '77778888');
    const { body } = await stack.call('PUT', '/2025-06-09/users/email:pia@example.com', {
      body: {},
    });
    expect(await waitForList(`userId:${body.userId}`, 1)).toEqual([saved]);
  });

  it('are told of again after the vault was away', { tags: 'slow' }, async () => {
    await save('userId:quin', '12121212');
    await save('email:quin@example.com', '34343434');
    await stack.vault!.stop();
    await stack.call('PUT', '/2025-06-09/users/userId:quin', {
      body: { locators: ['email:quin@example.com'] },
    });
    await delay(1_500);
    await stack.vault!.start();
    await waitForList('userId:quin', 2);
    const { rows } = await stack.ctx.store.query<{ left: number }>({
      text: 'select count(*)::int as left from vault_persons_due',
    });
    expect(rows[0]!.left).toBe(0);
  });
});
