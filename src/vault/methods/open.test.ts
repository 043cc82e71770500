import { inspect } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import { vaultCommand } from '../commands/vault.ts';
import {
  aCardBody,
  aClabeBody,
  aColombianBody,
  aSepaBody,
  aUsBody,
} from '../testing/methods-kit.ts';
import { correctAccount, openPaymentMethod, recordPayout } from './open.ts';

const path = '/unstable/payment-methods';
let vault: TestVault;
beforeAll(async () => {
  vault = await startTestVault();
});
afterAll(() => vault?.close());

let users = 0;
const aUser = () => `userId:open-${++users}`;
const create = async (body: object) => (await vault.call('POST', path, { body })).body;
const open = (id: string, tenant = vault.api.projectId) =>
  openPaymentMethod(vault.ctx, { id, tenant, reason: 'test' });

describe('openPaymentMethod', () => {
  it.each([
    [
      'bank-account-us',
      aUsBody,
      { routingNumber: '021000021', accountNumber: '000123456259', accountType: 'checking' },
    ],
    ['bank-account-mx-clabe', aClabeBody, { clabe: '032180000118359719' }],
    [
      'bank-account-co',
      aColombianBody,
      {
        bankCode: '007',
        accountNumber: '12345678901',
        accountType: 'savings',
        nationalDocument: '1018456789',
      },
    ],
    ['bank-account-sepa-iban', aSepaBody, { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
    ['card', aCardBody, { number: '4242424242424242' }],
  ])('gives what a payout with %s needs, and no cvc', async (type, bodyOf, account) => {
    const userLocator = aUser();
    const { paymentMethodId } = await create(bodyOf({ userLocator }));
    const opened = await open(paymentMethodId);
    expect(opened).toMatchObject({
      id: paymentMethodId,
      tenant: vault.api.projectId,
      type,
      userLocator,
    });
    expect(opened.account.reveal()).toEqual({ type, ...account });
  });

  it('gives a number that no log and no JSON shows by accident', async () => {
    const opened = await open((await create(aUsBody({ userLocator: aUser() }))).paymentMethodId);
    const lines: string[] = [];
    pino({}, { write: (line: string) => void lines.push(line) }).info(
      { opened },
      String(opened.account),
    );
    expect(
      `${JSON.stringify(opened)}${inspect(opened, { depth: 9 })}${lines.join('')}`,
    ).not.toContain('000123456259');
  });

  it('refuses another project, and unknown, deleted and erased methods, all alike', async () => {
    const [deleted, erased] = [
      await create(aUsBody({ userLocator: aUser() })),
      await create(aUsBody({ userLocator: 'userId:to-erase' })),
    ];
    await expect(
      open(deleted.paymentMethodId, '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a001'),
    ).rejects.toMatchObject({
      code: 'payment-method-not-found',
    });
    await vault.call('DELETE', `${path}/${deleted.paymentMethodId}`);
    await vault.clients.worker.eraseUser({
      projectId: vault.api.projectId,
      owners: ['userId:to-erase'],
      actor: 'operator:test',
    });
    for (const id of [
      deleted.paymentMethodId,
      erased.paymentMethodId,
      '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a001',
      'x',
    ])
      await expect(open(id)).rejects.toMatchObject({ code: 'payment-method-not-found' });
  });
});

describe('a notice of change', () => {
  it('corrects account and routing number: suffix, name and fingerprint follow', async () => {
    const userLocator = aUser();
    const { paymentMethodId: id } = await create(aUsBody({ userLocator }));
    const correction = {
      accountNumber: '555000111222',
      routingNumber: '121000248',
      accountType: 'savings',
    } as const;
    expect(
      await correctAccount(vault.ctx, {
        id,
        tenant: vault.api.projectId,
        reason: 'notice C03',
        correction,
      }),
    ).toBe(true);
    expect((await open(id)).account.reveal()).toMatchObject(correction);
    const { body } = await vault.call('GET', `${path}/${id}`);
    expect([
      body.displayName,
      body.bankAccount.accountSuffix,
      body.bankAccount.routingNumber,
      body.bankAccount.accountType,
    ]).toEqual(['Example Bank ••1222', '1222', '121000248', 'savings']);
    const again = await create(
      aUsBody({ userLocator }, { accountNumber: '555000111222', routingNumber: '121000248' }),
    );
    expect(again.paymentMethodId).toBe(id);
    expect((await create(aUsBody({ userLocator }))).paymentMethodId).not.toBe(id);
  });

  it('changes nothing when the user has the corrected account already', async () => {
    const userLocator = aUser();
    const [first] = [
      await create(aUsBody({ userLocator })),
      await create(aUsBody({ userLocator }, { accountNumber: '777888999' })),
    ];
    const correction = { accountNumber: '777888999' };
    const input = {
      id: first.paymentMethodId,
      tenant: vault.api.projectId,
      reason: 'notice C01',
      correction,
    };
    expect(await correctAccount(vault.ctx, input)).toBe(false);
    expect((await open(first.paymentMethodId)).account.reveal()).toMatchObject({
      accountNumber: '000123456259',
    });
  });

  it.each([
    ['a number that cannot be one', aUsBody, { routingNumber: '021000022' }, 'validation-error'],
    ['another type', aSepaBody, { accountNumber: '12345' }, 'payment-method-not-supported'],
  ])('with %s is refused', async (_what, bodyOf, correction, code) => {
    const { paymentMethodId: id } = await create(bodyOf({ userLocator: aUser() }));
    await expect(
      correctAccount(vault.ctx, { id, tenant: vault.api.projectId, reason: 'x', correction }),
    ).rejects.toMatchObject({ code });
  });
});

describe('the latest payout', () => {
  it('shows, and never goes back', async () => {
    const { paymentMethodId: id } = await create(aUsBody({ userLocator: aUser() }));
    const note = (at: string) =>
      recordPayout(vault.ctx, { id, tenant: vault.api.projectId, at: new Date(at) });
    await note('2026-03-01T00:00:00.000Z');
    await note('2026-02-01T00:00:00.000Z');
    expect((await vault.call('GET', `${path}/${id}`)).body.lastPayoutAt).toBe(
      '2026-03-01T00:00:00.000Z',
    );
  });
});

describe('erasing a user', () => {
  it('destroys the key and leaves nothing readable, deleted methods included; others keep theirs', async () => {
    const mark = 'Zerafina Quillfeather';
    const body = (userLocator: string, accountNumber: string) =>
      aUsBody(
        { userLocator },
        {
          accountNumber,
          billing: {
            name: mark,
            address: { line1: '9 Marked Lane', city: 'X', postalCode: '1', country: 'US' },
          },
        },
      );
    const owners = ['userId:zera', 'email:Z.Era@Example.com', 'email:ZERA@example.com'];
    await create(body('userId:zera', '300000001'));
    await create(body('email:Zera@example.com', '300000002'));
    await vault.call(
      'DELETE',
      `${path}/${(await create(body('userId:zera', '300000003'))).paymentMethodId}`,
    );
    const bystander = await create(body('userId:bystander', '300000001'));
    const before = await sealedRows();
    expect(
      await vault.clients.worker.eraseUser({
        projectId: vault.api.projectId,
        owners,
        actor: 'purser users erase',
      }),
    ).toEqual({
      erased: 3,
    });
    expect(
      await vault.clients.worker.eraseUser({
        projectId: vault.api.projectId,
        owners,
        actor: 'operator:test',
      }),
    ).toEqual({ erased: 0 });
    for (const owner of owners)
      expect((await vault.call('GET', `${path}?userLocator=${owner}`)).body.data).toEqual([]);
    expect((await vault.call('GET', `${path}/${bystander.paymentMethodId}`)).body).toEqual(
      bystander,
    );

    const { rows } = await vault.operator.store.query<{ row: string }>({
      text: `select t::text as row from payment_methods t where user_key_id in (select id from user_keys where destroyed_at is not null and created_at > now() - interval '1 day')`,
    });
    expect(rows.length).toBeGreaterThanOrEqual(3);
    // Neither the sealed bytes nor the key that opened them are there any more.
    const after = await sealedRows();
    expect(before.filter((sealed) => after.includes(sealed)).length).toBe(before.length - 3);
    const { rows: keys } = await vault.operator.store.query<{
      wrapped: Buffer | null;
      owner_ref: Buffer | null;
    }>({
      text: 'select wrapped, owner_ref from user_keys where destroyed_at is not null',
    });
    for (const key of keys) expect(key).toEqual({ wrapped: null, owner_ref: null });
  });

  async function sealedRows(): Promise<string[]> {
    const { rows } = await vault.operator.store.query<{ hex: string }>({
      text: `select encode(sealed_details, 'hex') as hex from payment_methods where sealed_details <> ''`,
    });
    return rows.map(({ hex }) => hex);
  }

  it('lets them come back as somebody new', async () => {
    const again = await vault.call('POST', path, {
      body: aUsBody({ userLocator: 'userId:zera' }, { accountNumber: '300000001' }),
    });
    expect([again.status, again.body.default]).toEqual([201, true]);
  });

  it('while they save an account ends with the account erased or never saved', async () => {
    for (let round = 0; round < 5; round++) {
      const userLocator = aUser();
      await create(aUsBody({ userLocator }));
      const [created] = await Promise.all([
        vault.call('POST', path, {
          body: aUsBody({ userLocator }, { accountNumber: '400000001' }),
        }),
        vault.clients.worker.eraseUser({
          projectId: vault.api.projectId,
          owners: [userLocator],
          actor: 'operator:test',
        }),
      ]);
      expect([201, 409]).toContain(created.status);
      const { body } = await vault.call('GET', `${path}?userLocator=${userLocator}`);
      expect(body.data.length).toBeLessThanOrEqual(1);
      for (const method of body.data)
        await expect(open(method.paymentMethodId)).resolves.toBeDefined();
    }
  });
});

describe('purser vault fingerprints', () => {
  it('tells the operator of accounts that several users of a project have, by their ids', async () => {
    const run = async (...argv: string[]) => {
      const printed: string[] = [];
      await vaultCommand(async () => vault.operator, {
        argv: ['fingerprints', ...argv],
        print: (line) => void printed.push(line),
      });
      return printed.join('\n');
    };
    const shared = { iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' };
    const methods = [
      await create(aSepaBody({ userLocator: aUser() }, shared)),
      await create(aSepaBody({ userLocator: aUser() }, shared)),
    ];
    const [newest] = JSON.parse(await run('--json'));
    expect(newest).toMatchObject({
      type: 'bank-account-sepa-iban',
      paymentMethodIds: methods.map(({ paymentMethodId }) => paymentMethodId),
    });
    expect(await run()).not.toContain('NL91');
    const { rows } = await vault.operator.store.query<{ entry: string }>({
      text: `select entry from audit_entries order by seq desc limit 2`,
    });
    expect(rows.map(({ entry }) => JSON.parse(entry).detail.shared)).toEqual([true, false]);
  });

  it('says that there are none', async () => {
    for (const { id } of (
      await vault.operator.store.query<{ id: string }>({
        text: 'select id from payment_methods where deleted_at is null',
      })
    ).rows)
      await vault.call('DELETE', `${path}/${id}`);
    const printed: string[] = [];
    await vaultCommand(async () => vault.operator, {
      argv: ['fingerprints'],
      print: (line) => void printed.push(line),
    });
    expect(printed).toEqual(['No account is saved by several users of a project.']);
    await expect(
      vaultCommand(async () => vault.operator, { argv: ['frobnicate'], print: () => undefined }),
    ).rejects.toThrow('Unknown command "vault frobnicate"');
  });
});
