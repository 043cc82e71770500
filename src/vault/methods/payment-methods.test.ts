import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import {
  aBilling,
  aCardBody,
  aClabeBody,
  aColombianBody,
  aSepaBody,
  aUsBody,
} from '../testing/methods-kit.ts';

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
      bankAccount: {
        ...rest,
        accountSuffix: '6259',
        rails: { supported: ['ach', 'wire', 'rtp'], status: 'active' },
      },
    });
    expect(answer.text).not.toContain('000123456259');
  });
});

describe('every type', () => {
  it.each([
    [
      'bank-account-mx-clabe',
      aClabeBody,
      {
        accountSuffix: '9719',
        currency: 'mxn',
        country: 'MX',
        rails: { supported: ['spei'], status: 'active' },
      },
    ],
    [
      'bank-account-co',
      aColombianBody,
      {
        accountSuffix: '8901',
        currency: 'cop',
        country: 'CO',
        bankCode: '007',
        rails: { supported: ['ach'], status: 'active' },
      },
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
    expect(answer.body).toMatchObject({
      type,
      bankAccount: shown,
      displayName: expect.stringMatching(/••\d{4}$/),
    });
    for (const hidden of ['accountNumber', 'clabe', 'iban', 'nationalDocument'])
      expect(answer.body.bankAccount).not.toHaveProperty(hidden);
  });

  it('bank-account-sepa-iban needs no bic, and shows none then', async () => {
    const answer = await create(aSepaBody({ userLocator: aUser() }, { bic: undefined }));
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    expect(answer.body.bankAccount).toMatchObject({ accountSuffix: '3000', country: 'DE' });
    expect(answer.body.bankAccount).not.toHaveProperty('bic');
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

describe('the body', () => {
  const refusal = async (body: unknown) => {
    const { status, body: answer } = await vault.call('POST', path, { body });
    return [status, answer.code, answer.message];
  };

  it.each([
    ['routingNumber', '021000022'],
    ['routingNumber', '02100002'],
    ['accountNumber', '123'],
    ['accountNumber', '123456789012345678'],
    ['accountNumber', '12345abc'],
    ['accountType', 'current'],
    ['currency', 'eur'],
    ['currency', 'usdollar'],
    ['currency', 'zzz'],
    ['country', 'MX'],
    ['country', 'ZZ'],
    ['entityType', 'robot'],
    ['bankName', ''],
    ['bankName', undefined],
    ['billing', undefined],
    ['billing', aBilling({ phone: '415-555' })],
    ['billing', aBilling({ name: ' ' })],
    ['billing', aBilling({ address: { line1: '1 Main' } })],
    ['bankAddress', { line1: 'x', city: 'y', postalCode: 'z', country: 'Germany' }],
  ])(
    'with a wrong %s is refused with 400, and the message names the field but not the value',
    async (field, value) => {
      const [status, code, message] = await refusal(aUsBody({}, { [field]: value }));
      expect([status, code, message]).toEqual([
        400,
        'validation-error',
        expect.stringContaining(`bankAccount.${field}`),
      ]);
      expect(message).not.toContain('000123456259');
      if (typeof value === 'string' && value !== '' && value !== ' ')
        expect(message).not.toContain(value === 'eur' ? '"eur"' : value);
    },
  );

  it.each([
    ['a clabe', aClabeBody({}, { clabe: '032180000118359710' }), 'bankAccount.clabe'],
    ['an iban', aSepaBody({}, { iban: 'DE89370400440532013001' }), 'bankAccount.iban'],
    [
      'a bic of another country',
      aSepaBody({}, { bic: 'BARCGB22' }),
      'bankAccount.bic is of another country',
    ],
    ['a bic that is none', aSepaBody({}, { bic: 'COBADE' }), 'bankAccount.bic is no BIC'],
    [
      'a document',
      aColombianBody({}, { nationalDocument: '860002964-5' }),
      'bankAccount.nationalDocument',
    ],
    ['a bank code', aColombianBody({}, { bankCode: '7' }), 'bankAccount.bankCode'],
    ['a card number', aCardBody({}, { number: '4242424242424241' }), 'card.number'],
    ['a cvc of the wrong length', aCardBody({}, { cvc: '1234' }), 'card.cvc'],
    [
      'an expired card',
      aCardBody({}, { expirationYear: 2024, expirationMonth: 1 }),
      'card.expirationYear',
    ],
    ['a month that is none', aCardBody({}, { expirationMonth: 13 }), 'card.expirationMonth'],
    ['an expiry as text', aCardBody({}, { expirationYear: '2090' }), 'card.expirationYear'],
    ['no user', aUsBody({ userLocator: undefined }), 'userLocator'],
  ])('with %s that cannot be is refused with 400', async (_what, body, field) => {
    expect(await refusal(body)).toEqual([400, 'validation-error', expect.stringContaining(field)]);
  });

  it('refuses unknown fields, types and locators with their codes', async () => {
    expect(await refusal(aUsBody({}, { acountNumber: '1' }))).toEqual([
      400,
      'validation-error',
      expect.stringContaining('`acountNumber`'),
    ]);
    expect(await refusal({ ...aUsBody(), extra: 1 })).toEqual([
      400,
      'validation-error',
      expect.stringContaining('`extra`'),
    ]);
    expect(await refusal({ ...aUsBody(), type: 'bank-account-fr' })).toEqual([
      400,
      'payment-method-not-supported',
      expect.any(String),
    ]);
    expect(await refusal(aUsBody({ userLocator: 'alice' }))).toEqual([
      400,
      'invalid-locator',
      expect.any(String),
    ]);
    expect(await refusal({})).toEqual([400, 'validation-error', expect.any(String)]);
    expect(await refusal('{')).toEqual([400, 'invalid-json', expect.any(String)]);
  });

  it('does not repeat a number that was sent as the name of a field', async () => {
    const [, , message] = await refusal(aCardBody({}, { '4242424242424242': 1 }));
    expect(message).toContain('unknown field');
    expect(message).not.toContain('4242');
  });

  it('takes numbers in groups, as they are printed', async () => {
    const card = await create(
      aCardBody({ userLocator: aUser() }, { number: '4242 4242-4242 4242' }),
    );
    const iban = await create(
      aSepaBody({ userLocator: aUser() }, { iban: 'de89 3704 0044 0532 0130 00' }),
    );
    expect([card.body.card?.last4, iban.body.bankAccount?.accountSuffix]).toEqual(['4242', '3000']);
  });

  it('shows no more than half of a short account number', async () => {
    const answer = await create(aUsBody({ userLocator: aUser() }, { accountNumber: '4711' }));
    expect([answer.body.bankAccount.accountSuffix, answer.body.displayName]).toEqual([
      '11',
      'Example Bank ••11',
    ]);
  });
});

describe('the default', () => {
  it('is the first method of a user; making another one the default clears it', async () => {
    const userLocator = aUser();
    const first = await create(aUsBody({ userLocator }));
    const second = await create(aCardBody({ userLocator }));
    expect([first.body.default, second.body.default]).toEqual([true, false]);
    const changed = await vault.call('PATCH', `${path}/${second.body.paymentMethodId}`, {
      body: { default: true },
    });
    expect([changed.status, changed.body.default]).toEqual([200, true]);
    expect((await vault.call('GET', `${path}/${first.body.paymentMethodId}`)).body.default).toBe(
      false,
    );
  });

  it('is one, however many methods are created or made the default at once', async () => {
    const userLocator = aUser();
    const numbers = ['4242424242424242', '5555555555554444', '378282246310005', '6011111111111117'];
    const cvcOf = (number: string) => (number.startsWith('3') ? '1234' : '123');
    const created = await Promise.all(
      numbers.map((number) => create(aCardBody({ userLocator }, { number, cvc: cvcOf(number) }))),
    );
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(created.filter(({ body }) => body.default)).toHaveLength(1);
    await Promise.all(
      created.map(({ body }) =>
        vault.call('PATCH', `${path}/${body.paymentMethodId}`, { body: { default: true } }),
      ),
    );
    const { body } = await vault.call('GET', `${path}?userLocator=${userLocator}`);
    expect(body.data.filter((method: { default: boolean }) => method.default)).toHaveLength(1);
  });

  it('passes on to the oldest method when it is deleted, and is not taken away otherwise', async () => {
    const userLocator = aUser();
    const [oldest, middle, newest] = [
      await create(aUsBody({ userLocator })),
      await create(aSepaBody({ userLocator })),
      await create(aCardBody({ userLocator })),
    ];
    const patch = (id: string, body: object) => vault.call('PATCH', `${path}/${id}`, { body });
    expect((await patch(oldest.body.paymentMethodId, { default: false })).status).toBe(400);
    expect((await patch(middle.body.paymentMethodId, { default: false })).status).toBe(200);
    await patch(newest.body.paymentMethodId, { default: true });
    expect((await vault.call('DELETE', `${path}/${newest.body.paymentMethodId}`)).status).toBe(204);
    const { body } = await vault.call('GET', `${path}?userLocator=${userLocator}`);
    expect(
      body.data.map((method: { default: boolean; paymentMethodId: string }) => [
        method.paymentMethodId,
        method.default,
      ]),
    ).toEqual([
      [middle.body.paymentMethodId, false],
      [oldest.body.paymentMethodId, true],
    ]);
  });
});

describe('the same account again', () => {
  it('of the same user is the same method with 200, whatever the spelling of the user or number', async () => {
    const first = await create(aUsBody({ userLocator: 'email:Alice.B@gmail.com' }));
    const again = await create(
      aUsBody(
        { userLocator: 'email:aliceb@googlemail.com' },
        { accountNumber: '0001-2345 6259', bankName: 'Other name' },
      ),
    );
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
  });

  it('at once is created once', async () => {
    const userLocator = aUser();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => create(aUsBody({ userLocator }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.paymentMethodId)).size).toBe(1);
  });

  it('of another user is another method', async () => {
    const [mine, theirs] = [
      await create(aUsBody({ userLocator: aUser() })),
      await create(aUsBody({ userLocator: aUser() })),
    ];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.body.paymentMethodId).not.toBe(theirs.body.paymentMethodId);
  });

  it('after it was deleted is a new method', async () => {
    const userLocator = aUser();
    const first = await create(aUsBody({ userLocator }));
    await vault.call('DELETE', `${path}/${first.body.paymentMethodId}`);
    const second = await create(aUsBody({ userLocator }));
    expect([second.status, second.body.paymentMethodId === first.body.paymentMethodId]).toEqual([
      201,
      false,
    ]);
  });

  it('a card with a new expiry date is the renewed card', async () => {
    const userLocator = aUser();
    const first = await create(aCardBody({ userLocator }));
    const renewed = await create(
      aCardBody({ userLocator }, { expirationYear: 2095, expirationMonth: 1 }),
    );
    expect([renewed.status, renewed.body.paymentMethodId]).toEqual([
      200,
      first.body.paymentMethodId,
    ]);
    const read = await vault.call('GET', `${path}/${first.body.paymentMethodId}`);
    expect(read.body.card.expiration).toEqual({ month: '01', year: '2095' });
  });
});

describe('read, list, update and delete', () => {
  it('work on both hosts alike', async () => {
    const userLocator = aUser();
    const { body: method } = await create(aUsBody({ userLocator }));
    const at = `${path}/${method.paymentMethodId}`;
    for (const host of [vault, vault.api]) {
      expect((await host.call('GET', at)).body).toEqual(method);
      expect((await host.call('GET', `${path}?userLocator=${userLocator}`)).body).toEqual({
        data: [method],
        nextCursor: null,
      });
    }
    const moved = {
      line1: '2 Side Street',
      city: 'Austin',
      stateOrRegion: 'TX',
      postalCode: '73301',
      country: 'US',
    };
    const changed = await vault.api.call('PATCH', at, {
      body: { bankAccount: { billing: { address: moved } } },
    });
    expect([changed.status, changed.body.bankAccount.billing]).toEqual([
      200,
      aBilling({ address: moved }),
    ]);
    const named = await vault.call('PATCH', at, {
      body: { billing: { name: 'Alice B. Example', phone: '+442071838750' } },
    });
    expect(named.body.bankAccount.billing).toEqual({
      name: 'Alice B. Example',
      phone: '+442071838750',
      address: moved,
    });
    expect((await vault.api.call('GET', at)).body).toEqual(named.body);
    expect([
      (await vault.api.call('DELETE', at)).status,
      (await vault.call('DELETE', at)).status,
    ]).toEqual([204, 404]);
    for (const host of [vault, vault.api]) {
      const gone = await host.call('GET', at);
      expect([gone.status, gone.body.code]).toEqual([404, 'payment-method-not-found']);
      expect((await host.call('GET', `${path}?userLocator=${userLocator}`)).body.data).toEqual([]);
    }
  });

  it.each([
    ['nothing', {}],
    ['an empty billing', { billing: {} }],
    ['a number', { accountNumber: '1234' }],
    ['billing twice', { billing: { name: 'A' }, card: { billing: { name: 'B' } } }],
    ['a type', { type: 'card' }],
  ])('a PATCH with %s is refused with 400', async (_what, body) => {
    const { body: method } = await create(aUsBody({ userLocator: aUser() }));
    const answer = await vault.call('PATCH', `${path}/${method.paymentMethodId}`, { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-error']);
  });

  it('lists in pages, newest first, by type when asked', async () => {
    const userLocator = aUser();
    for (const account of ['1111', '2222', '3333', '4444', '5555'])
      await create(aUsBody({ userLocator }, { accountNumber: `99${account}` }));
    await create(aCardBody({ userLocator }));
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const query = `userLocator=${userLocator}&type=bank-account-us&limit=2${cursor && `&cursor=${cursor}`}`;
      const { status, body } = await vault.api.call('GET', `${path}?${query}`);
      expect(status).toBe(200);
      seen.push(
        ...body.data.map(
          (method: { bankAccount: { accountSuffix: string } }) => method.bankAccount.accountSuffix,
        ),
      );
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(['555', '444', '333', '222', '111']);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=zzz', 'type=cash', 'userLocator=nobody', ''])(
    'a list with ?%s is refused with 400 on both hosts',
    async (query) => {
      const search =
        query.startsWith('userLocator') || query === ''
          ? query
          : `userLocator=userId:alice&${query}`;
      for (const host of [vault, vault.api])
        expect((await host.call('GET', `${path}?${search}`)).status).toBe(400);
    },
  );
});
