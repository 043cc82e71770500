import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { startTestVault, type TestVault, vaultSeeds } from '../../../../test/harness/vault.ts';
import type { Ctx } from '../../../context.ts';
import { createUserCards } from '../../../providers/card-source/user.ts';
import { cardFromAnswer } from '../../../runner/card-answer.ts';
import { openCardLetter } from '../../../runner/card-letter.ts';
import type { ShopMoney } from '../../../runner/types.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { armRun, askUser, claimAnswer, endRun } from '../runs/run-ports.ts';
import { claimRun } from '../runs/runs.ts';
import type { RunHold } from '../runs/runs-store.ts';

const path = '/unstable/agent-checkouts';
const origin = 'https://shop.example';
const total: ShopMoney = { amountMinor: 49_90n, currency: 'USD' };
const question = { kind: 'payment-credential', origin, total } as const;

let vault: TestVault;
let api: TestApi;
/** As the worker has it. */
let worker: Ctx;
let products = 0;
beforeAll(async () => {
  vault = await startTestVault();
  const link = {
    origin: vault.origin,
    peer: 'worker',
    seed: vaultSeeds.worker,
    vaultPublicKey: new Uint8Array(32),
  } as const;
  const ctx = { ...vault.api.ctx, config: { ...vault.api.ctx.config, vault: link } };
  worker = {
    ...ctx,
    providers: { ...ctx.providers, vault: vault.clients.worker, cardSource: createUserCards() },
  };
  api = await serveTestApi(ctx, { routes: agentCheckoutRoutes });
  await vault.directory.run();
});
afterAll(async () => {
  await api?.close();
  await vault?.close();
});

const as = async (user: string, method: string, below = '', body?: unknown) =>
  api.call(method, `${path}${below}`, {
    key: api.clientKey,
    jwt: await api.userJwt(user),
    ...(body === undefined ? {} : { body }),
  });

const savedCard = async (user: string, card: object = {}): Promise<string> => {
  const address = {
    line1: '1 Main St',
    city: 'Springfield',
    stateOrRegion: 'CA',
    postalCode: '94105',
    country: 'US',
  };
  const { body } = await vault.call('POST', '/unstable/payment-methods', {
    key: api.serverKey,
    body: {
      type: 'card',
      userLocator: `userId:${user}`,
      card: {
        number: '4242424242424242',
        expirationMonth: 12,
        expirationYear: 2040,
        cvc: '737',
        billing: { name: 'Ann Saver', address },
        ...card,
      },
    },
  });
  return body.paymentMethodId;
};

interface Asked {
  readonly id: string;
  readonly hold: RunHold;
  readonly actionId: string;
  answer(values: object): ReturnType<typeof as>;
}

/** A checkout whose total is approved and that asks for a card. */
async function asked(user: string): Promise<Asked> {
  const target = { kind: 'direct_url', url: `${origin}/p/${++products}` };
  const { id } = (
    await as(user, 'POST', '', {
      target,
      constraints: { maxCost: { amount: '50', currency: 'USD' } },
    })
  ).body;
  const surroundings = { allowedPrivateOrigins: [], paymentFrameOrigins: [] };
  const { hold } = (await claimRun(worker, { runner: 'runner-1', leaseMs: 60_000, surroundings }))!;
  const ask = async (request: Parameters<typeof askUser>[2]) => {
    const outcome = await askUser(worker, hold, request);
    if ('stop' in outcome) throw new Error(outcome.stop);
    return outcome.done.actionId;
  };
  const approval = await ask({ kind: 'approve-purchase', origin, total, lines: [] });
  await as(user, 'POST', `/${id}/actions/${approval}`, {
    action: 'submit',
    values: { approved: true },
  });
  const actionId = await ask(question);
  return {
    id,
    hold,
    actionId,
    answer: (values) =>
      as(user, 'POST', `/${id}/actions/${actionId}`, { action: 'submit', values }),
  };
}
const finish = ({ hold }: Asked) =>
  endRun(worker, hold, {
    outcome: 'failed',
    reason: 'automation_failed',
    message: 'x',
    placed: 'no',
  });

describe('a card that the vault keeps', () => {
  test('pays when its user names it with its security code; only the runner can read it', async () => {
    const paymentMethodId = await savedCard('ann');
    const run = await asked('ann');
    const { responseSchema } = (await as('ann', 'GET', `/${run.id}`)).body.pendingUserAction;
    expect(responseSchema.anyOf).toContainEqual({
      title: 'A saved card',
      required: ['paymentMethodId', 'cvc'],
    });
    expect((await run.answer({ paymentMethodId, cvc: '123' })).status).toBe(202);

    const taken = await claimAnswer(worker, run.hold, run.actionId);
    if ('stop' in taken || taken.done?.action !== 'submit') throw new Error('no answer');
    const { values } = taken.done;
    expect(JSON.stringify(values)).not.toContain('4242');
    await expect(openCardLetter(vaultSeeds.worker, { checkoutId: run.id, values })).rejects.toThrow(
      /another process/,
    );
    await expect(
      openCardLetter(vaultSeeds.runner, { checkoutId: randomUUID(), values }),
    ).rejects.toThrow(/another process or purpose/);
    expect(
      cardFromAnswer(await openCardLetter(vaultSeeds.runner, { checkoutId: run.id, values })),
    ).toEqual({
      card: {
        number: '4242424242424242',
        expirationMonth: 12,
        expirationYear: 2040,
        cvc: '123',
        holder: 'Ann Saver',
        postalCode: '94105',
      },
    });
    await finish(run);
  });

  test('is refused at once when it is another user’s, no card, or comes without its code; another card can be entered', async () => {
    const theirs = await savedCard('bea');
    const mine = await savedCard('carl');
    const run = await asked('carl');
    for (const values of [
      { paymentMethodId: theirs, cvc: '123' },
      { paymentMethodId: randomUUID(), cvc: '123' },
      { paymentMethodId: 'x', cvc: '123' },
    ]) {
      const { status, body } = await run.answer(values);
      expect([status, body.message]).toEqual([400, 'There is no such saved card.']);
    }
    for (const values of [
      { paymentMethodId: mine },
      { paymentMethodId: mine, cvc: 'abc' },
      { cvc: '123' },
    ])
      expect((await run.answer(values)).status).toBe(400);
    const entered = {
      number: '4242424242424242',
      expirationMonth: 12,
      expirationYear: 2040,
      cvc: '123',
      holder: 'Carl Example',
    };
    expect((await run.answer(entered)).status).toBe(202);
    expect(await claimAnswer(worker, run.hold, run.actionId)).toEqual({
      done: { action: 'submit', values: entered },
    });
    await finish(run);
  });

  test('is not handed out once the paying click may have come, and not for an action of another kind', async () => {
    const paymentMethodId = await savedCard('dora');
    const run = await asked('dora');
    await run.answer({ paymentMethodId, cvc: '123' });
    await armRun(worker, run.hold, { total, origin, sources: [] });
    await expect(claimAnswer(worker, run.hold, run.actionId)).rejects.toThrow(
      /may have been placed/,
    );
    await finish(run);
    const other = await asked('dora');
    await other.answer({ paymentMethodId, cvc: '123' });
    const free = await askUser(worker, other.hold, { kind: 'free-question', question: '?' });
    if ('stop' in free) throw new Error(free.stop);
    await as('dora', 'POST', `/${other.id}/actions/${free.done.actionId}`, {
      action: 'submit',
      values: { answer: 'x', paymentMethodId },
    });
    expect(await claimAnswer(worker, other.hold, free.done.actionId)).toEqual({
      done: { action: 'submit', values: { answer: 'x', paymentMethodId } },
    });
    await finish(other);
  });

  test('that cannot be asked for now is asked for again', async () => {
    const paymentMethodId = await savedCard('emil');
    const run = await asked('emil');
    await run.answer({ paymentMethodId, cvc: '123' });
    await vault.stopVault();
    await expect(claimAnswer(worker, run.hold, run.actionId)).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
    await vault.startVault();
    expect(await claimAnswer(worker, run.hold, run.actionId)).toMatchObject({
      done: { values: { cardLetter: expect.any(String) } },
    });
    await finish(run);
  });
});
