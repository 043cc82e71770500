import { createHmac } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import {
  askPayout,
  pullPayoutEvents,
  readPayout,
  readPayoutRails,
} from '../../areas/payment-methods/payout-client.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { PayoutEvent } from '../../providers/vault/payout-wire.ts';
import { aCardBody, aSepaBody, aUsBody } from '../testing/methods-kit.ts';
import { createPayouts } from './service.ts';

const clock = createMovableClock();
const logged: string[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
let vault: TestVault;
let projectId: string;

beforeAll(async () => {
  vault = await startTestVault({ clock, log });
  projectId = (await aMethod(aUsBody())).projectId;
});
afterAll(() => vault.close());

/**
 * Days pass; the vault hears from the main side that its copy of the keys is complete, as it does
 * every few seconds.
 */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await vault.directory.run();
}

async function aMethod(body: object): Promise<{ id: string; projectId: string }> {
  const answer = await vault.call('POST', '/unstable/payment-methods', { body });
  expect([200, 201]).toContain(answer.status);
  const id = (answer.body as { paymentMethodId: string }).paymentMethodId;
  const { rows } = await vault.database.store.query<{ projectId: string }>({
    text: 'select project_id as "projectId" from payment_methods where id = $1',
    values: [id],
  });
  return { id, projectId: rows[0]!.projectId };
}

const account = (digits: string) =>
  aUsBody({}, { accountNumber: `4455${digits === '' ? '66778899' : `1111${digits}`}` });
const as = (peer: 'api' | 'worker') => ({
  ...vault.api.ctx,
  providers: { ...vault.api.ctx.providers, vault: vault.clients[peer] },
});

async function ask(
  paymentMethodId: string,
  overrides: { rail?: string; amountMinor?: bigint; currency?: string; payoutId?: string } = {},
) {
  const {
    rail = 'rtp',
    amountMinor = 500_00n,
    currency = 'usd',
    payoutId = systemIds.randomUuid(),
  } = overrides;
  return askPayout(as('worker'), {
    projectId,
    paymentMethodId,
    payoutId,
    object: `order:${payoutId}`,
    rail,
    amountMinor,
    currency,
  });
}

const standing = (payoutId: string, ...statuses: string[]) =>
  eventually(`payout ${payoutId} is ${statuses.join(' or ')}`, async () => {
    const payout = await readPayout(as('api'), { projectId, payoutId });
    return payout !== undefined && statuses.includes(payout.status) && payout;
  });

describe('from the worker to the bank and back', () => {
  test('a payout to a token is paid, and the worker hears of each step once', async () => {
    const method = await aMethod(account(''));
    const { payoutId, status } = await ask(method.id);
    expect(status).toBe('accepted');
    await standing(payoutId, 'pending', 'final');
    await pass(60_000);
    await standing(payoutId, 'final');
    const heard: PayoutEvent[] = [];
    const pull = () =>
      pullPayoutEvents(as('worker'), {
        limit: 2,
        handle: async (_, events) => void heard.push(...events),
      });
    await pull();
    await pull();
    const own = heard.filter(({ data }) => data.payoutId === payoutId);
    expect(own.map(({ type }) => type)).toEqual([
      'payouts.submitted',
      'payouts.settled',
      'payouts.final',
    ]);
    expect(own[1]!.data).toMatchObject({
      object: `order:${payoutId}`,
      paymentMethodId: method.id,
      rail: 'rtp',
      amountMinor: '50000',
      currency: 'usd',
    });
    const read = await vault.call('GET', `/unstable/payment-methods/${method.id}`);
    expect((read.body as { lastPayoutAt?: string }).lastPayoutAt).toBe(own[1]!.data.at);
  });

  test('events whose handling fails are handed on again, and workers that pull at once share them', {
    tags: 'slow',
  }, async () => {
    const { payoutId } = await ask((await aMethod(account(''))).id);
    await pass(60_000);
    await standing(payoutId, 'final', 'pending');
    await pass(60_000);
    await standing(payoutId, 'final');
    await expect(
      pullPayoutEvents(as('worker'), {
        handle: async () => {
          throw new Error('no');
        },
      }),
    ).rejects.toThrow('no');
    const heard: string[] = [];
    await Promise.all(
      Array.from({ length: 5 }, () =>
        pullPayoutEvents(as('worker'), {
          limit: 1,
          handle: async (_, events) => void heard.push(...events.map(({ id }) => id)),
        }),
      ),
    );
    expect(heard.length).toBeGreaterThanOrEqual(3);
    expect(new Set(heard).size).toBe(heard.length);
  });

  test('a notice of change corrects the sealed account and what is shown of it', async () => {
    const method = await aMethod(account('8001'));
    const { payoutId } = await ask(method.id, { rail: 'ach' });
    await standing(payoutId, 'pending');
    await pass(8 * 86_400_000);
    await eventually('the account is corrected', async () => {
      const { body } = await vault.call('GET', `/unstable/payment-methods/${method.id}`);
      return (
        (body as { bankAccount: { accountSuffix: string } }).bankAccount.accountSuffix === '6789'
      );
    });
    await eventually('the notice is noted', async () => {
      const { rows } = await vault.database.store.query<{ outcome: string }>({
        text: 'select outcome from payout_notices where payout_id = $1',
        values: [payoutId],
      });
      return rows.length === 1 && rows[0]!.outcome === 'corrected';
    });
  });

  test('the vault being down makes payouts wait, not fail', { tags: 'slow' }, async () => {
    const { id } = await aMethod(account(''));
    const payoutId = systemIds.randomUuid();
    await vault.stopVault();
    await expect(ask(id, { payoutId })).rejects.toMatchObject({ code: 'provider-unavailable' });
    expect(await pullPayoutEvents(as('worker'), { handle: async () => undefined })).toBe(0);
    await vault.startVault();
    await ask(id, { payoutId });
    await vault.stopVault();
    clock.advance(60_000);
    await vault.startVault();
    await standing(payoutId, 'final', 'pending');
    await pass(60_000);
    await standing(payoutId, 'final');
  });
});

describe('what is refused', () => {
  test('a stolen API host cannot pay, read events or act as an operator', async () => {
    const { id } = await aMethod(account(''));
    const { vault: client } = as('api').providers;
    for (const [operation, input] of [
      [
        'payouts.disburse',
        {
          projectId,
          paymentMethodId: id,
          payout: {
            id: systemIds.randomUuid(),
            object: 'x',
            rail: 'rtp',
            amountMinor: '1',
            currency: 'usd',
          },
        },
      ],
      ['payouts.events', { afterPosition: '0', limit: 1 }],
      ['payouts.list', {}],
      ['payouts.mark', { payoutId: systemIds.randomUuid(), actor: 'operator', as: 'rejected' }],
      ['payouts.retry', { payoutId: systemIds.randomUuid(), actor: 'operator' }],
      ['payouts.cancel', { payoutId: systemIds.randomUuid(), actor: 'operator' }],
    ] as const)
      await expect(client.ask(operation, input, z.unknown()), operation).rejects.toMatchObject({
        code: 'forbidden',
      });
  });

  test('methods of other projects, deleted ones and cards, and rails that do not fit, with the rails that do', async () => {
    const us = await aMethod(account(''));
    const sepa = await aMethod(aSepaBody());
    const card = await aMethod(aCardBody());
    await expect(
      askPayout(as('worker'), {
        projectId: systemIds.randomUuid(),
        paymentMethodId: us.id,
        payoutId: systemIds.randomUuid(),
        object: 'order:7',
        rail: 'rtp',
        amountMinor: 1n,
        currency: 'usd',
      }),
    ).rejects.toMatchObject({ code: 'payment-method-not-found' });
    await expect(ask(card.id)).rejects.toMatchObject({
      code: 'rail-not-supported',
      details: { parameters: { status: 'unavailable' } },
    });
    await expect(ask(sepa.id, { rail: 'wire', currency: 'eur' })).rejects.toMatchObject({
      code: 'rail-not-supported',
      details: { parameters: { status: 'active', supported: ['sepa', 'sepa-instant', 'swift'] } },
    });
    await vault.call('DELETE', `/unstable/payment-methods/${us.id}`);
    await expect(ask(us.id)).rejects.toMatchObject({ code: 'payment-method-not-found' });
    expect(await readPayoutRails(as('api'), 'bank-account-us')).toEqual([
      'ach',
      'same-day-ach',
      'wire',
      'rtp',
      'fednow',
    ]);
    expect(
      await readPayout(as('api'), {
        projectId: systemIds.randomUuid(),
        payoutId: systemIds.randomUuid(),
      }),
    ).toBeUndefined();
  });

  test.each([
    ['sandbox', {}, 401],
    ['sandbox', { 'sandbox-signature': 't=1,v1='.padEnd(71, '0') }, 401],
    ['column', {}, 404],
    ['..%2Fadmin', {}, 404],
  ])('a callback for %s with %j: %i', async (provider, headers, status) => {
    const answer = await fetch(`${vault.origin}/api/callbacks/payouts/${provider}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
      body: '{}',
    });
    expect(answer.status).toBe(status);
  });
});

test('Column’s webhooks are taken at the vault’s own address', async () => {
  const webhookSecrets = [new Secret('whsec')];
  const payouts = createPayouts(vault.ctx, [
    {
      kind: 'column',
      url: 'https://bank.invalid',
      apiKey: new Secret('key'),
      bankAccountId: 'bacc',
      webhookSecrets,
    },
  ]);
  expect(payouts.ctx.payouts.providers.map(({ name }) => name)).toEqual(['column']);
  const body = Buffer.from(
    JSON.stringify({
      id: 'evnt_1',
      created_at: clock.now().toISOString(),
      type: 'book.transfer.completed',
      data: {},
    }),
  );
  const headers = { 'column-signature': createHmac('sha256', 'whsec').update(body).digest('hex') };
  const request = {
    params: { provider: 'column' },
    query: new URLSearchParams(),
    headers,
    body,
    requestId: 'r',
    address: '127.0.0.1',
  };
  expect(await payouts.publicRoutes[0]!.handler(vault.ctx, request)).toMatchObject({
    status: 200,
    body: '{"outcome":"ignored"}',
  });
  expect(
    await payouts.publicRoutes[0]!.handler(vault.ctx, { ...request, body: Buffer.from('{}') }),
  ).toMatchObject({ status: 401 });
});

test('the number is in no log line of the vault or the API, in no event, and readable in no table of either', async () => {
  const method = await aMethod(account('6001'));
  const { payoutId } = await ask(method.id);
  await standing(payoutId, 'pending', 'final');
  await pass(60_000);
  await standing(payoutId, 'final');
  let text = logged.join('');
  for (const { store } of [vault.database, vault.api.ctx]) {
    const { rows } = await store.query<{ name: string }>({
      text: `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    });
    for (const { name } of rows) {
      const table = await store.query<{ text: string | null }>({
        text: `select string_agg(t::text, ' ') as text from "${name}" t`,
      });
      text += table.rows[0]!.text ?? '';
    }
  }
  expect(text).toContain(payoutId);
  for (const number of [
    '445566778899',
    '445511118001',
    '445511116001',
    '000123456789',
    '370400440532013000',
  ])
    expect(text).not.toContain(number);
  const { rows } = await vault.database.store.query<{ entry: string }>({
    text: `select entry from audit_entries where entry like '%payment-method.opened%' and entry like $1`,
    values: [`%payout ${payoutId}%`],
  });
  expect(rows).toHaveLength(1);
});
