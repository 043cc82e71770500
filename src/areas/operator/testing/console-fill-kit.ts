import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestCtx } from '../../../context.ts';
import { postEntries, registerAsset } from '../../../ledger/index.ts';
import { legs } from '../../../ledger/test-kit.ts';
import { startTestRun, type TestRun } from '../../agent-checkouts/live/test-kit.ts';
import { issueKey } from '../../api-keys/index.ts';
import { insertAnOrder } from '../../orders/testing/an-order-kit.ts';
import { addTrustedIssuer } from '../../projects/index.ts';
import { putUser } from '../../users/index.ts';
import { insertWallets } from '../../wallets/index.ts';
import { queueDeliveries } from '../../webhooks/deliveries/queue-store.ts';
import { createEndpoint } from '../../webhooks/endpoints/endpoints.ts';
import { insertEvents } from '../../webhooks/events/event-store.ts';
import { formatPayload } from '../../webhooks/events/event-types.ts';
import type { ConsoleWorld } from './console-kit.ts';

export interface Filled {
  readonly walletId: string;
  readonly transactionId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly payoutOrderId: string;
  readonly userId: string;
  readonly email: string;
}

let position = 1n;

/**
 * One of everything that a project has, as the service itself writes it.
 * @param text what somebody else wrote, wherever they can
 */
export async function fillProject(
  world: ConsoleWorld,
  input: { readonly projectId: string; readonly text: string },
): Promise<Filled> {
  const { ctx, clock } = world;
  const { projectId, text } = input;
  const [walletId, transactionId] = [ctx.ids.uuid(), ctx.ids.uuid()];
  const address = `0x${randomBytes(20).toString('hex')}`;
  const adminSigner = {
    type: 'external-wallet',
    locator: `external-wallet:${address}`,
    address,
    name: text,
  } as const;
  const kind = { chainType: 'evm', type: 'smart' } as const;
  const wallet = {
    id: walletId,
    projectId,
    ...kind,
    address,
    addressKey: address,
    owner: `userId:${text}`,
    ownerKey: `userId:${text}`,
  };
  await insertWallets(ctx.store, [
    {
      ...wallet,
      alias: 'savings',
      adminSigner,
      setup: {},
      delegates: [limitedSigner(ctx.ids.uuid())],
      createdAt: clock.now(),
    },
  ]);
  await world.sql(
    `insert into transactions (id, project_id, wallet_id, chain_type, wallet_type, chain, subject, status, params, operation, on_chain,
        approvals, send_params, token_locator, fees, error, created_at, completed_at, valid_until)
      values ($1, $2, $3, 'evm', 'smart', 'base-sepolia', 'transaction', 'failed', '{}', '{}',
        '{"txId":"0xabc","explorerLink":"javascript:alert(1)"}', '{"pending":[],"submitted":[]}', $4, 'base-sepolia:usdc', '{}', $5, $6, $6, $6)`,
    transactionId,
    projectId,
    walletId,
    JSON.stringify({
      token: 'base-sepolia:usdc',
      params: { amount: '12.5', recipient: text, recipientAddress: '0xreceiver' },
    }),
    JSON.stringify({ message: text, reason: 'execution_reverted' }),
    clock.now(),
  );
  await world.sql(
    `insert into treasury_transfers (id, project_id, wallet_id, subject, chain, token_locator, token_symbol, token_decimals, amount_minor,
        recipient, status, error, created_at)
      values ($1, $2, $3, 'withdrawal', 'base-sepolia', 'base-sepolia:eth', 'eth', 18, '250000000000000000', '0xours', 'failed', $4, $5)`,
    ctx.ids.uuid(),
    projectId,
    walletId,
    JSON.stringify({ message: text, reason: 'execution_reverted' }),
    clock.now(),
  );
  const payoutOrderId = await fillPayouts(world, input);
  return {
    walletId,
    transactionId,
    payoutOrderId,
    ...(await fillPeople(world, input)),
    ...(await fillWebhooks(world, input)),
  };
}

/** A signer that may send 25 USDC a day. */
function limitedSigner(id: string) {
  const address = `0x${randomBytes(20).toString('hex')}`;
  const locator = `external-wallet:${address}`;
  const spendingLimit = { amountMinor: 25_000_000n, intervalSeconds: 86_400 };
  const token = {
    chain: 'base-sepolia',
    locator: 'base-sepolia:usdc',
    symbol: 'usdc',
    decimals: 6,
  };
  const asked = {
    type: 'transfer',
    tokenLocator: token.locator,
    spendingLimit: { amount: '25', interval: 86_400 },
  };
  return {
    id,
    signerKey: locator,
    keyId: address,
    signer: { type: 'external-wallet', locator, address },
    scopes: [{ type: 'transfer', token, spendingLimit }],
    asked: { scopes: [asked] },
  } as const;
}

/** A key, an issuer and a user, of whom a lot is known. */
async function fillPeople(
  { ctx }: ConsoleWorld,
  { projectId, text }: { readonly projectId: string; readonly text: string },
) {
  // What names of keys and issuers may hold.
  const printable = text.replaceAll(/\p{C}/gu, '');
  await issueKey(ctx, {
    projectId,
    kind: 'client',
    name: printable.slice(0, 120),
    allowedOrigins: ['https://shop.example'],
  });
  await addTrustedIssuer(ctx, {
    projectId,
    issuer: `${printable} ${randomUUID()}`,
    algorithm: 'ES256',
    jwksUrl: 'https://shop.example/jwks',
    rules: { namespace: randomBytes(8).toString('hex') },
  });
  const email = `${randomUUID()}@mail.example`;
  const userDetails = {
    firstName: 'Alice',
    lastName: 'Secretname',
    dateOfBirth: '1990-01-01',
    countryOfResidence: 'US',
  };
  const userId = await putAUser(ctx, {
    projectId,
    body: { locators: [`email:${email}`], userDetails },
  });
  return { userId, email };
}

/** A user as a server key of the project puts one. @returns its id */
export async function putAUser(
  ctx: ConsoleWorld['ctx'],
  { projectId, body = {} }: { readonly projectId: string; readonly body?: object },
): Promise<string> {
  const caller = {
    projectId,
    environment: ctx.config.environment,
    keyKind: 'server',
    keyId: 'test',
    scopes: new Set<string>(),
  } as const;
  const { id } = await putUser({ ...ctx, caller, requestId: 'test' } as RequestCtx, {
    locator: `userId:${randomUUID()}`,
    body: body as never,
    onSaved: async () => undefined,
  });
  return id;
}

/** A payout that is late, and money in a treasury that is less than open orders are promised. */
async function fillPayouts(
  { ctx, clock }: ConsoleWorld,
  { projectId, text }: { readonly projectId: string; readonly text: string },
) {
  const at = clock.now();
  const asset = 'base-sepolia:0x036cbd53842c5426634e7929541ec2318f3dcf7e';
  const payout = {
    id: randomUUID(),
    rail: 'ach',
    currency: 'usd',
    amountMinor: '98500',
    status: 'held',
    reason: text,
  };
  const order = await insertAnOrder(ctx.store, {
    projectId,
    kind: 'offramp',
    state: 'payout_submitted',
    at,
    payoutId: payout.id,
    deadlineAt: new Date(at.getTime() + 86_400_000),
    facts: {
      payout: { ...payout, askedAt: new Date(at.getTime() - 5 * 86_400_000).toISOString() },
    },
  } as never);
  await ctx.store.transaction(async (tx) => {
    await registerAsset(tx, { asset, decimals: 6, symbol: 'usdc' });
    const post = (account: string, amountMinor: bigint, of: string) => ({
      projectId,
      reference: randomUUID(),
      kind: 'operator-funds',
      effectiveAt: at,
      postings: legs('equity:owner', account, amountMinor, of),
    });
    await postEntries(ctx, tx, [
      post('chain:base-sepolia:treasury', 61_250_000n, asset),
      post('bank:sandbox:account', 1_250_000n, 'usd'),
      post('card:sandbox:receivable', 10_000n, 'usd'),
    ]);
  });
  return order.id;
}

/**
 * A deposit of nobody, three days old, and an order of its sender that asks for just that; another
 * asks for as much of another sender.
 */
export async function fillDeposit(
  world: ConsoleWorld,
  { projectId, walletId }: { readonly projectId: string; readonly walletId: string },
) {
  const { ctx, clock } = world;
  const id = ctx.ids.uuid();
  const at = new Date(clock.now().getTime() - 3 * 86_400_000);
  const pay = {
    currency: 'eth',
    asset: 'base-sepolia:native',
    decimals: 18,
    amountMinor: 5n * 10n ** 17n,
  };
  const order = (over: object) =>
    insertAnOrder(ctx.store, {
      projectId,
      kind: 'offramp',
      state: 'awaiting_deposit',
      at: new Date(at.getTime() - 3_600_000),
      request: {
        locale: 'en-US',
        payment: { method: 'base-sepolia', currency: 'eth' },
        recipient: {},
        lineItem: {},
      },
      terms: {
        mode: 'exact-in',
        pay,
        receive: pay,
        fees: [],
        value: pay,
        unit: pay,
        rate: '1',
        maxSlippageBps: 50,
      },
      payerKey: '0xsender',
      ...over,
    } as never);
  const [likely, other, dead] = [
    await order({}),
    await order({ payerKey: '0xother' }),
    await order({ state: 'closed' }),
  ];
  await order({
    terms: { ...likely.terms!, pay: { ...pay, amountMinor: 7n } },
    payerKey: '0xother',
  });
  await world.sql(
    `insert into deposits (id, project_id, wallet_id, chain, token_locator, token_symbol, token_decimals, amount_minor, sender, recipient,
        seen_id, tx_id, height, included_at, seen_at, status)
      values ($1, $2, $3, 'base-sepolia', 'base-sepolia:eth', 'eth', 18, '500000000000000000', '0xsender', '0xtreasury', $4, $4, 1, $5, $5, 'final')`,
    id,
    projectId,
    walletId,
    id,
    at,
  );
  await world.sql(
    `insert into order_deposits (deposit_id, project_id, use, reason, counts, created_at, updated_at)
      values ($1, $2, 'held', 'memo-missing', true, $3, $3)`,
    id,
    projectId,
    at,
  );
  return { depositId: id, likely: likely.id, other: other.id, dead: dead.id };
}

async function fillWebhooks(
  { ctx, clock, sql }: ConsoleWorld,
  { projectId, text }: { readonly projectId: string; readonly text: string },
) {
  const { endpoint } = await createEndpoint(ctx, {
    projectId,
    url: 'https://shop.example/hooks',
    description: text.slice(0, 200),
  });
  const [eventId, deliveryId] = [ctx.ids.uuid(), ctx.ids.uuid()];
  const event = { id: eventId, type: 'orders.delivery.completed', object: `order:${randomUUID()}` };
  const payload = formatPayload({ ...event, data: { said: text } });
  await ctx.store.transaction(async (tx) => {
    await insertEvents(tx, [
      { ...event, position: position++, projectId, payload, createdAt: clock.now() },
    ]);
    await queueDeliveries(tx, [{ ...event, id: deliveryId, endpointId: endpoint.id, eventId }], {
      kind: 'event',
      now: clock.now(),
    });
  });
  await sql(
    `update webhook_deliveries set status = 'failed', attempts = 1, finished_at = $2, attempt_log = $3 where id = $1`,
    deliveryId,
    clock.now(),
    JSON.stringify([
      { at: clock.now().toISOString(), durationMs: 31, statusCode: 500, answer: text },
    ]),
  );
  return { endpointId: endpoint.id, deliveryId };
}

/** A purchase that has stopped, with steps and a picture; its project is that of `world.api`. */
export async function fillCheckout(world: ConsoleWorld, jpeg: Buffer): Promise<TestRun> {
  const run = await startTestRun(world.api, { user: randomUUID() });
  await run.progress('Looking at the shop');
  await run.step('open');
  await run.step('open', jpeg);
  await run.step('select');
  await run.end('failed');
  return run;
}
