/** @module-tag slow */

import { recoverMessageAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBuyer,
  onrampChain,
  payByCard,
  startOnrampStack,
} from '../../src/areas/orders/testing/onramp-kit.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';
import type { Stack } from '../../test/harness/stack.ts';
import {
  type AgentCheckoutUpdate,
  BadRequestError,
  type Body,
  createPurser,
  externalWalletSigner,
  NotFoundError,
  OperationFailedError,
  type Purser,
  type PurserError,
  type PurserEvent,
  type PurserOptions,
  type VaultBody,
} from '../src/index.ts';
import { driveCheckout } from './checkout-driver.ts';

const chain = 'base-sepolia';
const token = `${chain}:usdxm`;
const recipient = '0x000000000000000000000000000000000000bEEF';

let stack: Stack;
let purser: Purser;
beforeAll(async () => {
  stack = await startOnrampStack({ vault: true });
  purser = aClient({});
});
afterAll(() => stack?.close());

function aClient(options: Partial<PurserOptions>): Purser {
  return createPurser({
    baseUrl: stack.api.baseUrl,
    vaultUrl: `${stack.vault!.origin}/api`,
    apiKey: stack.api.serverKey,
    ...options,
  });
}
const clientOf = (sub: string) =>
  aClient({ apiKey: stack.api.clientKey, userJwt: () => stack.api.userJwt(sub) });

/** What a call throws. */
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as PurserError,
  );

async function itemsOf<T>(list: AsyncIterable<T>, max = 100): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) if (items.push(item) >= max) break;
  return items;
}

describe('a wallet', () => {
  const owner = externalWalletSigner(privateKeyToAccount(generatePrivateKey()));
  let address: string;
  beforeAll(async () => {
    const wallet = await purser.createWallet({
      chainType: 'evm',
      config: { adminSigner: { type: 'external-wallet', address: owner.address } },
    });
    address = wallet.address;
    await purser.fundWallet(address, { amount: 20, token: 'usdxm', chain });
  });

  it('sends nothing that a review refuses, and then what it accepts', async () => {
    const body = { recipient, amount: '2' };
    const refused = await failureOf(
      purser.transfer(address, token, body, {
        signers: [owner],
        review: () => {
          throw new Error('not to them');
        },
      }),
    );
    expect(refused?.message).toBe('not to them');
    expect(
      (await purser.listTransactions(address)).transactions.map(({ status }) => status),
    ).toEqual(['awaiting-approval']);
    const seen: unknown[] = [];
    const sent = await purser.transfer(address, token, body, {
      signers: [owner],
      review: (object) => void seen.push(object),
    });
    expect(sent.status).toBe('success');
    expect(seen).toMatchObject([
      { id: sent.id, status: 'awaiting-approval', onChain: { typedData: expect.anything() } },
    ]);
  });

  it('has a list of transactions, read page by page as they are asked for', async () => {
    await purser.createTransfer(address, token, { recipient, amount: '1' });
    const all = (await purser.listTransactions(address)).transactions.map(({ id }) => id);
    expect(all).toHaveLength(3);
    expect(
      (await itemsOf(purser.listTransactions(address, { perPage: 1 }))).map(({ id }) => id),
    ).toEqual(all);
    expect(await itemsOf(purser.listTransactions(address, { perPage: 2 }), 2)).toHaveLength(2);
  });

  it('refuses with an error that says what to do next', async () => {
    const poor = await failureOf(
      purser.createTransfer(address, token, { recipient, amount: '1000000' }),
    );
    expect([poor?.name, poor?.code, poor?.nextStep]).toEqual([
      'BadRequestError',
      'insufficient-balance',
      'add-funds',
    ]);
    expect(poor?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    const unknown = await failureOf(purser.getWallet('userId:nobody:evm'));
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown?.nextStep).toBe('change-request');
    expect(
      (await failureOf(aClient({ apiKey: 'sk_development_wrong' }).getWallet(address)))?.nextStep,
    ).toBe('check-key');
    const stranger = aClient({ apiKey: stack.api.clientKey, userJwt: () => 'no.jwt' });
    expect((await failureOf(stranger.getUser('me')))?.nextStep).toBe('sign-in');
  });

  it('is read with the typed client of all paths, too', async () => {
    const { data } = await purser.http.GET('/2025-06-09/wallets/{walletLocator}', {
      params: { path: { walletLocator: address } },
    });
    expect(data?.address).toBe(address);
  });
});

describe('an mpc wallet', () => {
  it('acts and signs with nobody to approve, and is not taken for the smart wallet of its user', async () => {
    const user = clientOf('mona');
    const mpc = await user.createMyWallet({ chainType: 'evm', type: 'mpc' });
    expect(mpc).toMatchObject({ type: 'mpc', owner: 'userId:mona', config: {} });
    await user.fundWallet(mpc.address, { amount: 20, token: 'usdxm', chain });
    expect((await user.transfer('me:evm:mpc', token, { recipient, amount: '2' })).status).toBe(
      'success',
    );
    const acted = await user.transact(mpc.address, { call: { to: recipient, data: '0x' }, chain });
    expect(acted.onChain).toMatchObject({
      call: { to: recipient, data: '0x' },
      txId: expect.any(String),
    });
    const signed = await user.sign('me:evm:mpc', {
      type: 'message',
      params: { message: 'hello', chain },
    });
    expect(
      await recoverMessageAddress({
        message: 'hello',
        signature: signed.outputSignature as `0x${string}`,
      }),
    ).toBe(mpc.address);
    const owner = externalWalletSigner(privateKeyToAccount(generatePrivateKey()));
    const config = { adminSigner: { type: 'external-wallet', address: owner.address } } as const;
    const smart = await user.createMyWallet({ chainType: 'evm', config });
    await user.fundWallet(smart.address, { amount: 20, token: 'usdxm', chain });
    expect(
      (await user.transfer('me:evm', token, { recipient, amount: '2' }, { signers: [owner] }))
        .status,
    ).toBe('success');
  });
});

describe('an order', () => {
  it('is made by an app with a client key, paid, and followed to its end by the server and by the app', async () => {
    const buyer = await aBuyer(stack);
    const app = clientOf(buyer.locator.replace('userId:', ''));
    const events: PurserEvent[] = [];
    const stop = new AbortController();
    const { nextCursor } = await purser.listEvents({ limit: '1' });
    const types =
      'orders.quote.created,orders.payment.succeeded,orders.delivery.initiated,orders.delivery.completed';
    const streaming = (async () => {
      for await (const event of purser.streamEvents(
        { types, ...(nextCursor === undefined ? {} : { after: nextCursor }) },
        { signal: stop.signal },
      )) {
        events.push(event);
        if (event.type === 'orders.delivery.completed') stop.abort();
      }
    })();

    const { order, clientSecret } = await app.createOrder(onrampOf(buyer.address));
    const { orderId } = order;
    expect((await failureOf(app.getOrder(orderId)))?.status).toBe(401);
    const payable = await app.waitForOrder(orderId, {
      clientSecret: clientSecret!,
      until: ({ payment }) => payment.status === 'awaiting-payment',
    });
    expect(payable.payment.preparation).toMatchObject({ card: { url: expect.any(String) } });
    const done = purser.waitForOrder(orderId, { timeoutMs: 60_000 });
    await payByCard(stack, orderId, sandboxCards.approved.number);
    expect((await done).lineItems[0]!.delivery.status).toBe('completed');
    expect((await app.waitForOrder(orderId, { clientSecret: clientSecret! })).phase).toBe(
      'completed',
    );

    await streaming;
    expect(
      events.filter(({ object }) => object === `order:${orderId}`).map(({ type }) => type),
    ).toEqual(types.split(','));
    expect(
      (await itemsOf(purser.listOrderLedgerEntries(orderId, { limit: '1' }))).length,
    ).toBeGreaterThan(1);
  });

  it('whose quote ends unpaid is an OperationFailedError, with the order', async () => {
    const { address } = await aBuyer(stack);
    const { order } = await purser.createOrder(onrampOf(address));
    const waiting = failureOf(purser.waitForOrder(order.orderId, { timeoutMs: 60_000 }));
    await stack.advance(30 * 60_000);
    const error = await waiting;
    expect(error).toBeInstanceOf(OperationFailedError);
    expect([error?.nextStep, (error?.body as { orderId: string }).orderId]).toEqual([
      'start-anew',
      order.orderId,
    ]);
  });
});

describe('what a person has', () => {
  it('goes to the vault and is listed by the service, page by page', async () => {
    const { locator } = await aBuyer(stack);
    const card = (number: string) => purser.createPaymentMethod(cardOf(locator, number));
    const made = [await card('4242424242424242'), await card('5555555555554444')].map(
      ({ paymentMethodId }) => paymentMethodId,
    );
    expect(
      (await itemsOf(purser.listPaymentMethods({ userLocator: locator, limit: '1' })))
        .map((one) => one.paymentMethodId)
        .toSorted(),
    ).toEqual(made.toSorted());
    expect(await purser.deletePaymentMethod(made[0]!)).toBeUndefined();
    const without = createPurser({ baseUrl: stack.api.baseUrl, apiKey: stack.api.serverKey });
    await expect(without.createPaymentMethod(cardOf(locator, '4242424242424242'))).rejects.toThrow(
      'give `vaultUrl`',
    );
  });

  it('is verified: the wait ends when it is decided', async () => {
    const { locator } = await aBuyer(stack);
    expect((await purser.waitForIdentityVerification(locator, 'onramp-light')).status).toBe(
      'verified',
    );
  });
});

describe('an agent checkout', () => {
  const wish = {
    target: { kind: 'direct_url' as const, url: 'https://shop.example/tee', request: 'size M' },
    constraints: { maxCost: { amount: '60.00', currency: 'USD' } },
  };
  const total = { amountMinor: 4_990n, currency: 'USD' };

  it('tells its progress, asks, takes the answers, and ends with a receipt', async () => {
    const app = clientOf('ada');
    const { id } = await app.createAgentCheckout(wish);
    const driver = driveCheckout(stack.ctx, id);
    await driver.start();
    await driver.ask({ kind: 'one-time-code', origin: 'https://shop.example' });
    const told: string[] = [];
    for await (const update of app.followAgentCheckout(id, { pollMs: 50 })) {
      told.push(describeUpdate(update));
      if (update.type !== 'question') continue;
      const { question } = update;
      if (question.form.fields[0]!.name === 'code') {
        const wrong = await failureOf(question.answer({ code: '' }));
        expect([wrong?.name, wrong?.code]).toEqual([
          BadRequestError.name,
          'action-schema-mismatch',
        ]);
        await question.answer({ code: '123456' });
        await driver.ask({
          kind: 'approve-purchase',
          origin: 'https://shop.example',
          total,
          lines: [{ title: 'T-shirt' }],
        });
      } else {
        await question.answer({ approved: true });
        await driver.succeed({
          total: { amount: '49.90', currency: 'USD' },
          merchantOrderId: 'A1',
        });
      }
    }
    expect(told.filter((one) => !one.startsWith('progress'))).toEqual([
      'question code',
      'question approved',
      'ended succeeded',
    ]);
    expect(told.filter((one) => one.startsWith('progress'))).toEqual(
      (await app.getAgentCheckout(id)).progressItems.map(
        ({ title, message }) => `progress ${title ?? message}`,
      ),
    );
  });

  it('is bought in one call; what nobody answers is declined, and then it has failed', async () => {
    const app = clientOf('bob');
    const asked: string[] = [];
    let ended: Promise<unknown> | undefined;
    const bought = failureOf(
      app.buy(wish, {
        pollMs: 50,
        onProgress: async (item, { id }) => {
          if (item.title !== 'Waiting for a browser') return;
          await driveCheckout(stack.ctx, id).start();
          await driveCheckout(stack.ctx, id).ask({ kind: 'free-question', question: 'Engraving?' });
        },
        onQuestion: async (question, { id }) => {
          asked.push(question.message);
          const driver = driveCheckout(stack.ctx, id);
          ended = driver
            .answered()
            .then(() =>
              driver.fail({ reason: 'user_cancelled', message: 'The question was declined.' }),
            );
          return undefined;
        },
      }),
    );
    const error = await bought;
    await ended;
    expect(asked).toEqual(['Engraving?']);
    expect(error).toBeInstanceOf(OperationFailedError);
    expect(error?.message).toBe('user_cancelled: The question was declined.');
  });

  function describeUpdate(update: AgentCheckoutUpdate): string {
    if (update.type === 'progress') return `progress ${update.item.title ?? update.item.message}`;
    return update.type === 'question'
      ? `question ${update.question.form.fields[0]!.name}`
      : `ended ${update.checkout.status}`;
  }
});

function onrampOf(address: string): Body<'createOrder'> {
  return {
    recipient: { walletAddress: address },
    payment: { method: 'card', receiptEmail: 'buyer@example.com' },
    lineItems: [
      {
        tokenLocator: `${onrampChain}:usdc`,
        executionParameters: { mode: 'exact-in', amount: '20' },
      },
    ],
  };
}

function cardOf(userLocator: string, number: string): VaultBody<'createPaymentMethod'> {
  const address = {
    line1: '12 Main Street',
    city: 'San Francisco',
    stateOrRegion: 'US-CA',
    postalCode: '94105',
    country: 'US',
  };
  const billing = { name: 'Ada Lovelace', address };
  return {
    type: 'card',
    userLocator,
    card: { number, expirationMonth: 7, expirationYear: 2031, cvc: '123', billing },
  };
}
