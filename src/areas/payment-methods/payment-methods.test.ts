import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import { aBilling, aCardBody, aClabeBody, aColombianBody, aSepaBody, aUsBody } from './test-kit.ts';

const path = '/unstable/payment-methods';
let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.close());

let users = 0;
const aUser = () => `userId:user-${++users}`;
const create = (body: object) => vault.call('POST', path, { body });

describe('create payment method', () => {
  it('answers 201 with the masked account, never with its number', async () => {
    const answer = await create(aUsBody({ userLocator: aUser() }));
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    const { accountNumber: _, ...rest } = aUsBody().bankAccount as Record<string, unknown>;
    expect(answer.body).toEqual({
      paymentMethodId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'bank-account-us',
      default: true,
      displayName: 'Example Bank ••6259',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: answer.body.createdAt,
      bankAccount: { ...rest, accountSuffix: '6259', rails: { supported: ['ach', 'wire', 'rtp'], status: 'active' } },
    });
    expect(answer.text).not.toContain('000123456259');
  });
});

describe('every type', () => {
  it.each([
    [
      'bank-account-mx-clabe',
      aClabeBody,
      { accountSuffix: '9719', currency: 'mxn', country: 'MX', rails: { supported: ['spei'], status: 'active' } },
    ],
    [
      'bank-account-co',
      aColombianBody,
      { accountSuffix: '8901', currency: 'cop', country: 'CO', bankCode: '007', rails: { supported: ['ach'], status: 'active' } },
    ],
    [
      'bank-account-sepa-iban',
      aSepaBody,
      {
        accountSuffix: '3000',
        currency: 'eur',
        country: 'DE',
        bic: 'COBADEFFXXX',
        rails: { supported: ['sepa', 'sepa-instant', 'swift'], status: 'active' },
      },
    ],
  ])('%s shows its suffix, currency, country and rails', async (type, bodyOf, shown) => {
    const answer = await create(bodyOf({ userLocator: aUser() }));
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    expect(answer.body).toMatchObject({ type, bankAccount: shown, displayName: expect.stringMatching(/••\d{4}$/) });
    for (const hidden of ['accountNumber', 'clabe', 'iban', 'nationalDocument']) expect(answer.body.bankAccount).not.toHaveProperty(hidden);
  });

  it('card shows brand, last 4 and expiry as text, and neither number nor cvc', async () => {
    const answer = await create(aCardBody({ userLocator: aUser() }));
    expect(answer.status).toBe(201);
    expect(answer.body.card).toEqual({
      brand: 'visa',
      last4: '4242',
      expiration: { month: '12', year: '2090' },
      billing: aBilling(),
      fundingType: 'unknown',
      bin: '424242',
      country: 'US',
    });
    expect(answer.body.displayName).toBe('Visa ••4242');
  });
});
