/** A US account that passes every check. */
export function aUsAccount(overrides: object = {}): Record<string, unknown> {
  return {
    accountNumber: '000123456259',
    routingNumber: '021000021',
    accountType: 'checking',
    bankName: 'Example Bank',
    bankAddress: {
      line1: '1 Bank Street',
      city: 'New York',
      stateOrRegion: 'NY',
      postalCode: '10001',
      country: 'US',
    },
    currency: 'usd',
    country: 'US',
    entityType: 'individual',
    billing: aBilling(),
    ...overrides,
  };
}

export function aBilling(overrides: object = {}): Record<string, unknown> {
  return {
    name: 'Alice Example',
    phone: '+14155550123',
    address: {
      line1: '500 Main Street',
      city: 'San Francisco',
      stateOrRegion: 'CA',
      postalCode: '94105',
      country: 'US',
    },
    ...overrides,
  };
}

export function aUsBody(overrides: object = {}, account: object = {}): Record<string, unknown> {
  return {
    type: 'bank-account-us',
    userLocator: 'userId:alice',
    bankAccount: aUsAccount(account),
    ...overrides,
  };
}

export function aCardBody(overrides: object = {}, card: object = {}): Record<string, unknown> {
  return {
    type: 'card',
    userLocator: 'userId:alice',
    card: {
      number: '4242424242424242',
      expirationMonth: 12,
      expirationYear: 2090,
      cvc: '737',
      billing: aBilling(),
      ...card,
    },
    ...overrides,
  };
}

const bank = { entityType: 'individual', billing: aBilling() };

export function aClabeBody(overrides: object = {}, account: object = {}): Record<string, unknown> {
  return {
    type: 'bank-account-mx-clabe',
    userLocator: 'userId:alice',
    bankAccount: { ...bank, clabe: '032180000118359719', bankName: 'Banco Ejemplo', ...account },
    ...overrides,
  };
}

export function aColombianBody(
  overrides: object = {},
  account: object = {},
): Record<string, unknown> {
  return {
    type: 'bank-account-co',
    userLocator: 'userId:alice',
    bankAccount: {
      ...bank,
      bankCode: '007',
      accountNumber: '12345678901',
      accountType: 'savings',
      nationalDocument: '1018456789',
      bankName: 'Banco Andino',
      ...account,
    },
    ...overrides,
  };
}

export function aSepaBody(overrides: object = {}, account: object = {}): Record<string, unknown> {
  return {
    type: 'bank-account-sepa-iban',
    userLocator: 'userId:alice',
    bankAccount: {
      ...bank,
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      bankName: 'Beispielbank',
      ...account,
    },
    ...overrides,
  };
}
