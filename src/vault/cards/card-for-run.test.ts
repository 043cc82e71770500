import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestVault, type TestVault, vaultSeeds } from '../../../test/harness/vault.ts';
import { openLetter } from '../../lib/sealing/sealed-letter.ts';
import { cardLetterContext } from '../../runner/card-letter.ts';
import { aCardBody, aUsBody } from '../testing/methods-kit.ts';

const total = { amountMinor: '4990', currency: 'USD' };
const answerSchema = z.strictObject({ letter: z.string() });

let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.close());

const save = async (body: object): Promise<string> =>
  (await vault.call('POST', '/unstable/payment-methods', { body })).body.paymentMethodId;
const askFor = (
  input: { paymentMethodId: string; checkoutId: string; total?: object; projectId?: string },
  peer: 'api' | 'worker' = 'worker',
) =>
  vault.clients[peer].ask(
    'cards.for-run',
    { projectId: vault.api.projectId, total, ...input },
    answerSchema,
  );
const open = async (letter: string, checkoutId: string, seed = vaultSeeds.runner) =>
  JSON.parse(
    await openLetter(seed, Buffer.from(letter, 'base64'), cardLetterContext(checkoutId)),
  ) as object;

describe('a saved card for a run', () => {
  test('is a letter to the runner, which the worker that carries it cannot read', async () => {
    const [paymentMethodId, checkoutId] = [await save(aCardBody()), randomUUID()];
    const { letter } = await askFor({ paymentMethodId, checkoutId });
    expect(await open(letter, checkoutId)).toEqual({
      number: '4242424242424242',
      expirationMonth: 12,
      expirationYear: 2090,
      holder: 'Alice Example',
      postalCode: '94105',
    });
    await expect(open(letter, checkoutId, vaultSeeds.worker)).rejects.toThrow(/another process/);
    await expect(open(letter, randomUUID())).rejects.toThrow(/another process or purpose/);
    expect(Buffer.from(letter, 'base64').toString('latin1')).not.toMatch(/4242|Alice/);
  });

  test('is in the audit log with the checkout and the total before it is out', async () => {
    const [paymentMethodId, checkoutId] = [
      await save(aCardBody({ userLocator: 'userId:audit' })),
      randomUUID(),
    ];
    await askFor({ paymentMethodId, checkoutId });
    const { rows } = await vault.operator.store.query<{ entry: string }>({
      text: 'select entry from audit_entries where entry like $1',
      values: [`%${checkoutId}%`],
    });
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0]!.entry)).toMatchObject({
      action: 'payment-method.opened',
      subject: paymentMethodId,
      detail: { reason: `card for checkout ${checkoutId}, 4990 USD (smallest units)` },
    });
  });

  test('is one card for one total of a checkout, some times and not for ever', async () => {
    const owner = { userLocator: 'userId:once' };
    const [one, other] = [
      await save(aCardBody(owner)),
      await save(aCardBody(owner, { number: '5555555555554444' })),
    ];
    const checkoutId = randomUUID();
    await askFor({ paymentMethodId: one, checkoutId });
    await expect(askFor({ paymentMethodId: other, checkoutId })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(
      askFor({ paymentMethodId: one, checkoutId, total: { ...total, amountMinor: '4991' } }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('is given out ten times for a checkout, and not an eleventh time', async () => {
    const [paymentMethodId, checkoutId] = [
      await save(aCardBody({ userLocator: 'userId:often' })),
      randomUUID(),
    ];
    for (let times = 1; times <= 10; times++) await askFor({ paymentMethodId, checkoutId });
    await expect(askFor({ paymentMethodId, checkoutId })).rejects.toThrow(/too often/);
  });

  test('is not for the API host, not of another project, no bank account and nothing that was deleted', async () => {
    const paymentMethodId = await save(aCardBody({ userLocator: 'userId:refused' }));
    const [account, checkoutId] = [
      await save(aUsBody({ userLocator: 'userId:refused' })),
      randomUUID(),
    ];
    await expect(askFor({ paymentMethodId, checkoutId }, 'api')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(
      askFor({ paymentMethodId, checkoutId, projectId: randomUUID() }),
    ).rejects.toMatchObject({
      code: 'payment-method-not-found',
    });
    await expect(askFor({ paymentMethodId: account, checkoutId })).rejects.toMatchObject({
      code: 'payment-method-not-supported',
    });
    await vault.call('DELETE', `/unstable/payment-methods/${paymentMethodId}`);
    await expect(askFor({ paymentMethodId, checkoutId: randomUUID() })).rejects.toMatchObject({
      code: 'payment-method-not-found',
    });
  });
});
