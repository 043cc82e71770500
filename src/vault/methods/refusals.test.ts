import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import { aBilling, aCardBody, aColombianBody, aUsBody } from '../testing/methods-kit.ts';

const path = '/unstable/payment-methods';
let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.close());

const save = async (body: object) =>
  (await vault.call('POST', path, { body })).body.paymentMethodId as string;

describe('billing details in the shape of another kind of method', () => {
  it.each([
    ['a card', () => aCardBody(), 'bankAccount', 'card'],
    ['a bank account', () => aUsBody(), 'card', 'bankAccount'],
  ] as const)(
    'are refused for %s with 400, on both hosts, and change nothing',
    async (_what, body, wrong, right) => {
      const id = await save(body());
      const before = (await vault.call('GET', `${path}/${id}`)).body;
      for (const call of [vault.call, vault.api.call]) {
        const answer = await call('PATCH', `${path}/${id}`, {
          body: { [wrong]: { billing: { name: 'Other Name' } } },
        });
        expect([answer.status, answer.body.code]).toEqual([400, 'validation-error']);
        expect(answer.body.message).toContain(`send \`${right}.billing\` or \`billing\``);
        expect((await call('GET', `${path}/${id}`)).body).toEqual(before);
        const good = await call('PATCH', `${path}/${id}`, {
          body: { [right]: { billing: { name: (aBilling() as { name: string }).name } } },
        });
        expect(good.status).toBe(200);
        Object.assign(before, { updatedAt: good.body.updatedAt });
      }
    },
  );
});

describe('an account number of zeros only', () => {
  it.each([
    ['bank-account-us', aUsBody({}, { accountNumber: '00000000' })],
    ['bank-account-co', aColombianBody({}, { accountNumber: '0000 0000' })],
  ])('is refused for %s with what is wrong about it', async (_type, body) => {
    const { status, body: refusal } = await vault.call('POST', path, { body });
    expect([status, refusal.code]).toEqual([400, 'validation-error']);
    expect(refusal.message).toContain(
      'body.bankAccount.accountNumber has zeros only: no account has that number',
    );
  });
});

describe('a user in the query', () => {
  it.each([
    ['email:me+bank@example.com', 'email:me%2Bbank@example.com'],
    ['phoneNumber:+14155550123', 'phoneNumber:%2B14155550123'],
  ])('%s is read right with a plain plus, as with an encoded one', async (locator, encoded) => {
    const id = await save(aUsBody({ userLocator: locator }));
    for (const call of [vault.call, vault.api.call])
      for (const query of [locator, encoded]) {
        const { status, body } = await call('GET', `${path}?userLocator=${query}`);
        expect([
          status,
          body.data.map((one: { paymentMethodId: string }) => one.paymentMethodId),
        ]).toEqual([200, [id]]);
      }
  });

  it('that is blank is an invalid-locator, in the query and in the body', async () => {
    for (const call of [vault.call, vault.api.call])
      for (const blank of ['userId:%20', 'userId:%E2%80%8B', 'userId:+']) {
        const { status, body } = await call('GET', `${path}?userLocator=${blank}`);
        expect([blank, status, body.code]).toEqual([blank, 400, 'invalid-locator']);
      }
    const { status, body } = await vault.call('POST', path, {
      body: aUsBody({ userLocator: 'userId: ' }),
    });
    expect([status, body.code]).toEqual([400, 'invalid-locator']);
  });
});
