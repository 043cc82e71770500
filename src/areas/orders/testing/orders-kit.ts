import { expect } from 'vitest';
import type { CallOptions } from '../../../../test/harness/http.ts';
import { type Stack, startStack } from '../../../../test/harness/stack.ts';
import { aUsBody } from '../../../vault/testing/methods-kit.ts';
import { type OrderSettingsInput, writeOwnSettings } from '../pricing/index.ts';
import type { OrderState } from '../state/machine.ts';
import { publicStatusOf } from '../state/public-status.ts';
import { lockOrder, updateOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

export const ordersPath = '/2022-06-09/orders';

/**
 * A whole service in which alice has a wallet and a bank account. Without a worker an order stays
 * where creation left it.
 */
export async function startOrdersWorld() {
  const stack = await startStack({ vault: true, worker: false });
  const wallet = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:alice',
      config: { adminSigner: { type: 'api-key' } },
    },
  });
  return createWorld(stack, wallet.body.address, await anAccount(stack, 'userId:alice'));
}

export type OrdersWorld = Awaited<ReturnType<typeof startOrdersWorld>>;

async function anAccount(stack: Stack, userLocator: string): Promise<string> {
  const { body, text } = await stack.vault!.call('POST', '/unstable/payment-methods', {
    key: stack.api.serverKey,
    body: aUsBody({ userLocator }),
  });
  expect(body.paymentMethodId, text).toEqual(expect.any(String));
  return body.paymentMethodId;
}

type Over = Record<string, unknown>;

function createWorld(stack: Stack, wallet: string, account: string) {
  const offramp = (over: Over = {}) => ({
    recipient: { paymentMethodId: account },
    payment: {
      method: 'base-sepolia',
      currency: 'usdc',
      payerAddress: wallet,
      receiptEmail: 'alice@example.com',
    },
    lineItems: {
      currencyLocator: 'fiat:usd',
      executionParameters: { mode: 'exact-in', amount: '100' },
    },
    ...over,
  });
  const onramp = (over: Over = {}) => ({
    recipient: { walletAddress: wallet },
    payment: { method: 'card', receiptEmail: 'alice@example.com' },
    lineItems: [
      {
        tokenLocator: 'base-sepolia:usdc',
        executionParameters: { mode: 'exact-in', amount: '100' },
      },
    ],
    ...over,
  });
  const checkout = (over: Over = {}) => ({
    recipient: { walletAddress: wallet },
    payment: { method: 'base-sepolia', currency: 'usdc', payerAddress: wallet },
    lineItems: [
      {
        tokenLocator: 'base-sepolia:eth',
        executionParameters: { mode: 'exact-out', amount: '0.01' },
      },
    ],
    ...over,
  });
  const create = (body: unknown, options: CallOptions = {}) =>
    stack.call('POST', ordersPath, { body, ...options });
  const asClient = (secret: string): CallOptions => ({
    key: stack.api.clientKey,
    headers: { authorization: secret },
  });
  return {
    stack,
    wallet,
    account,
    offramp,
    onramp,
    checkout,
    create,
    asClient,
    anAccount: (userLocator: string) => anAccount(stack, userLocator),
    /** An onramp's line item with other fields. */
    item: (over: Over) => ({ lineItems: [{ ...onramp().lineItems[0], ...over }] }),
    settings: (own: OrderSettingsInput) =>
      writeOwnSettings(stack.ctx, {
        projectId: stack.api.projectId,
        settings: { kycRequired: false, limits: [], ...own },
      }),
    async created(body: unknown = offramp(), options: CallOptions = {}) {
      const answer = await create(body, options);
      expect(answer.status, answer.text).toBe(201);
      const { order, clientSecret } = answer.body;
      return {
        order,
        clientSecret: clientSecret as string,
        id: order.orderId as string,
        asClient: asClient(clientSecret),
      };
    },
    /** Puts an order where only its flow could bring it. */
    async putInto(id: string, state: OrderState, facts: OrderRecord['facts'] = {}) {
      await stack.ctx.store.transaction(async (tx) => {
        const order = (await lockOrder(tx, { by: 'id', id }))!;
        const publicStatus = publicStatusOf(state, order.publicStatus);
        await updateOrder(
          tx,
          {
            ...order,
            state,
            publicStatus,
            facts: { ...order.facts, ...facts },
            version: order.version + 1,
          },
          order,
        );
      });
    },
  };
}

/** Status and code of a refusal. */
export async function refused(
  answer: Promise<{ status: number; body: { code?: string } }>,
): Promise<[number, string | undefined]> {
  const { status, body } = await answer;
  return [status, body.code];
}
