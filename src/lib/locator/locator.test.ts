import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../errors.ts';
import {
  chainTypesOfAddress,
  formatUserLocator,
  isAddressText,
  makeUserLocator,
  type Owner,
  parseFundingWalletLocator,
  parseNftWalletLocator,
  parseOwner,
  parseRecipient,
  parseSignerLocator,
  parseTokenLocator,
  parseUserLocator,
  parseWalletLocator,
  restorePlus,
  type SignerLocator,
  type TokenLocator,
  type WalletLocator,
} from './locator.ts';
import { splitTypes } from './move-type.ts';

const evm = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B';
const solana = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const stellar = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';
const issuer = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const move = `0x${'aB'.repeat(32)}`;
const generic = `0x1::lp::LP<0x1::aptos_coin::AptosCoin, vector<0x${'c0'.repeat(32)}::coin::Coin<u8,u256>>>`;
const alias = 's-0123456789abcdef0123456789abcdef01';

const parsers = {
  parseWalletLocator,
  restorePlus,
  parseFundingWalletLocator,
  parseNftWalletLocator,
  parseUserLocator,
  parseOwner,
  parseSignerLocator,
  parseTokenLocator,
  parseRecipient,
};

describe('a wallet locator', () => {
  test.each([evm, solana, stellar, move])('is a raw address, kept as sent: %s', (address) => {
    expect(parseWalletLocator(address)).toEqual({ by: 'address', address });
  });

  test.each([
    [
      'email:Alice@Example.com:evm',
      {
        by: 'user',
        user: { kind: 'email', value: 'alice@example.com' },
        chainType: 'evm',
        walletType: 'smart',
      },
    ],
    [
      'email:a.b@googlemail.com:solana:mpc',
      {
        by: 'user',
        user: { kind: 'email', value: 'ab@gmail.com' },
        chainType: 'solana',
        walletType: 'mpc',
      },
    ],
    [
      'userId:alice:evm:smart:alias:savings',
      {
        by: 'user',
        user: { kind: 'userId', value: 'alice' },
        chainType: 'evm',
        walletType: 'smart',
        alias: 'savings',
      },
    ],
    [
      'userId:alice:stellar:alias:savings',
      {
        by: 'user',
        user: { kind: 'userId', value: 'alice' },
        chainType: 'stellar',
        walletType: 'smart',
        alias: 'savings',
      },
    ],
    [
      `userId:alice:evm:alias:${alias}`,
      {
        by: 'user',
        user: { kind: 'userId', value: 'alice' },
        chainType: 'evm',
        walletType: 'smart',
        alias,
      },
    ],
    [
      'phoneNumber:+4915112345678:evm',
      {
        by: 'user',
        user: { kind: 'phoneNumber', value: '+4915112345678' },
        chainType: 'evm',
        walletType: 'smart',
      },
    ],
    [
      'twitter:Alice_1:evm',
      {
        by: 'user',
        user: { kind: 'twitter', value: 'Alice_1' },
        chainType: 'evm',
        walletType: 'smart',
      },
    ],
    [
      'x:@alice:evm',
      { by: 'user', user: { kind: 'x', value: '@alice' }, chainType: 'evm', walletType: 'smart' },
    ],
    ['me:evm', { by: 'me', chainType: 'evm', walletType: 'smart' }],
    ['me:solana:smart', { by: 'me', chainType: 'solana', walletType: 'smart' }],
    [
      'me:stellar:smart:alias:main',
      { by: 'me', chainType: 'stellar', walletType: 'smart', alias: 'main' },
    ],
    [
      'evm:alias:treasury',
      { by: 'alias', chainType: 'evm', walletType: 'smart', alias: 'treasury' },
    ],
    [
      'evm:mpc:alias:treasury',
      { by: 'alias', chainType: 'evm', walletType: 'mpc', alias: 'treasury' },
    ],
  ])('%s is read', (text, expected) => {
    expect(parseWalletLocator(text)).toEqual(expected);
  });

  test.each([
    ['aptos', 'mpc'],
    ['evm', 'smart'],
    ['solana', 'smart'],
    ['stellar', 'smart'],
    ['sui', 'mpc'],
  ])('without a wallet type means on %s: %s', (chainType, walletType) => {
    expect(parseWalletLocator(`userId:alice:${chainType}`)).toMatchObject({
      chainType,
      walletType,
    });
    expect(parseWalletLocator(`me:${chainType}`)).toMatchObject({ chainType, walletType });
    expect(parseWalletLocator(`${chainType}:alias:a`)).toMatchObject({ chainType, walletType });
  });

  test.each([
    ['userId:did:privy:abc:evm', 'did:privy:abc', 'evm', undefined],
    ['userId:evm:evm', 'evm', 'evm', undefined],
    ['userId:bob:evm:smart:solana', 'bob:evm:smart', 'solana', undefined],
    ['userId:bob:evm:solana:smart', 'bob:evm', 'solana', undefined],
    ['userId:bob:alias:x:evm:alias:y', 'bob:alias:x', 'evm', 'y'],
    ['userId:bob:evm:alias:x:solana:alias:y', 'bob:evm:alias:x', 'solana', 'y'],
    ['userId:auth0|5f7c8ec7:evm:smart', 'auth0|5f7c8ec7', 'evm', undefined],
    ['userId: spaces and ünïcode 🙂 :evm', ' spaces and ünïcode 🙂 ', 'evm', undefined],
    ['userId:../../etc:evm', '../../etc', 'evm', undefined],
    ["userId:'; drop table wallets;--:evm", "'; drop table wallets;--", 'evm', undefined],
  ])(
    'takes a user id with odd characters up to the last chain type: %s',
    (text, value, chainType, aliasText) => {
      expect(parseWalletLocator(text)).toMatchObject({
        user: { kind: 'userId', value },
        chainType,
      });
      expect((parseWalletLocator(text) as { alias?: string }).alias).toBe(aliasText);
    },
  );

  test('may have an alias that is the name of a chain type, for every kind of user', () => {
    expect(parseWalletLocator('userId:bob:evm:alias:solana')).toEqual({
      by: 'user',
      user: { kind: 'userId', value: 'bob' },
      chainType: 'evm',
      walletType: 'smart',
      alias: 'solana',
    });
    expect(parseWalletLocator('userId:bob:evm:smart:alias:evm')).toMatchObject({
      user: { value: 'bob' },
      alias: 'evm',
    });
    expect(parseWalletLocator('email:bob@example.com:evm:alias:evm')).toMatchObject({
      user: { value: 'bob@example.com' },
      alias: 'evm',
    });
    // The other reading would need this user, which therefore cannot exist.
    expectRefused(() => parseUserLocator('userId:bob:evm:alias'));
    expectRefused(() => parseUserLocator('userId:bob:evm:smart:alias'));
  });

  test.each([
    '',
    ' ',
    ':',
    '::',
    'evm',
    'evm:smart',
    'evm:smart:alias',
    'evm:alias:',
    'me',
    'me:',
    'me:evm:smart:alias',
    'me:evm:hot',
    'me:bitcoin',
    'ME:evm',
    'email:evm',
    'email::evm',
    'email:alice@example.com',
    'email:alice@example.com:EVM',
    'email:alice@example.com:evm:smart:alias:has space',
    'userId::evm',
    'userId:alice',
    'userId:alice:evm:',
    'userId:alice:evm:smart:extra',
    'phoneNumber:4915112345678:evm',
    'phoneNumber:+0123456789:evm',
    'twitter:a b:evm',
    'COMPANY:evm',
    'userId:a\nb:evm',
    'userId:a\u0000b:evm',
    'userId:\ud800:evm',
    `userId:${'a'.repeat(256)}:evm`,
    `${evm} `,
    ` ${evm}`,
    `${evm}0`,
    evm.slice(0, -1),
    `0X${evm.slice(2)}`,
    `${evm}\n`,
    `evm:alias:${'a'.repeat(65)}`,
    'a'.repeat(100_000),
    `userId:${':evm'.repeat(50_000)}`,
    'email%3Aa@b.co%3Aevm',
  ])('%j is refused', (text) => {
    expectRefused(() => parseWalletLocator(text));
  });
});

test('the refusal shows the accepted forms, and neither control characters nor a long echo', () => {
  const error = refusalOf(() => parseWalletLocator(`evil\n\u001b[31m\u202e${'x'.repeat(500)}`));
  expect(error.message).toContain('<walletAddress>');
  expect(error.message).toContain('me:<chainType>[:<walletType>][:alias:<alias>]');
  expect(error.message).toContain('"evil��[31m�xxx');
  expect(error.message).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(error.message.length).toBeLessThan(500);
});

describe('a test funding locator', () => {
  test.each([
    [evm, { by: 'address', address: evm }],
    [
      'email:alice@example.com:smart',
      {
        by: 'user-any-chain',
        user: { kind: 'email', value: 'alice@example.com' },
        walletType: 'smart',
      },
    ],
    [
      'userId:a:b:mpc',
      { by: 'user-any-chain', user: { kind: 'userId', value: 'a:b' }, walletType: 'mpc' },
    ],
    [
      'userId:a:evm:smart',
      { by: 'user', user: { kind: 'userId', value: 'a' }, chainType: 'evm', walletType: 'smart' },
    ],
  ])('%s is read', (text, expected) => {
    expect(parseFundingWalletLocator(text)).toEqual(expected);
  });

  test('without a wallet type is refused', () => {
    expectRefused(() => parseFundingWalletLocator('email:alice@example.com'));
  });
});

test('an NFT wallet locator is <chain>:<address>', () => {
  expect(parseNftWalletLocator(`base-sepolia:${evm}`)).toEqual({
    chain: 'base-sepolia',
    address: evm,
  });
  for (const text of [
    evm,
    'base-sepolia:',
    `Base:${evm}`,
    `base-sepolia:${evm}:1`,
    `:${evm}`,
    `base_sepolia:${evm}`,
  ])
    expectRefused(() => parseNftWalletLocator(text));
});

describe('users and owners', () => {
  test('are read by kind', () => {
    expect(parseUserLocator('email:A.Lice@gmail.com')).toEqual({
      kind: 'email',
      value: 'alice@gmail.com',
    });
    expect(parseUserLocator('userId:a:b')).toEqual({ kind: 'userId', value: 'a:b' });
    expect(makeUserLocator('userId', 'sub-1')).toEqual({ kind: 'userId', value: 'sub-1' });
    expectRefused(() => makeUserLocator('email', 'nobody'));
    for (const text of [
      'alice',
      'COMPANY',
      'wallet:a',
      'email:',
      'userid:a',
      'constructor:a',
      '__proto__:a',
    ])
      expectRefused(() => parseUserLocator(text));
  });

  test('COMPANY is an owner and nothing else', () => {
    expect(parseOwner('COMPANY')).toBe('COMPANY');
    expect(parseOwner('userId:COMPANY')).toEqual({ kind: 'userId', value: 'COMPANY' });
    for (const text of ['company', 'COMPANY:', 'COMPANY ']) expectRefused(() => parseOwner(text));
  });
});

describe('a signer locator', () => {
  test.each([
    [`external-wallet:${evm}`, { type: 'external-wallet', address: evm }],
    [`server:${solana}`, { type: 'server', address: solana }],
    ['api-key', { type: 'api-key' }],
    [`api-key:${evm}`, { type: 'api-key', address: evm }],
    ['email:Alice@Example.com', { type: 'email', email: 'alice@example.com' }],
    ['phone:+4915112345678', { type: 'phone', phone: '+4915112345678' }],
    ['passkey:Ab_-09==', { type: 'passkey', id: 'Ab_-09==' }],
    [`passkey:${'a'.repeat(1364)}`, { type: 'passkey', id: 'a'.repeat(1364) }],
    ['device:BAQ+/w==', { type: 'device', publicKey: 'BAQ+/w==' }],
    [
      'quorum:6f1c0d52-4c0e-4f5e-9a53-6a2c4f1c0d52',
      { type: 'quorum', id: '6f1c0d52-4c0e-4f5e-9a53-6a2c4f1c0d52' },
    ],
  ])('%s is read', (text, expected) => {
    expect(parseSignerLocator(text)).toEqual(expected);
    expect(parseSignerLocator(formatSignerLocator(parseSignerLocator(text)))).toEqual(expected);
  });

  test.each([
    '',
    'server',
    'server:',
    'server:0x12',
    'api-key:',
    'api-key:nonsense',
    'email:nobody',
    'phone:123',
    'phone:+123456',
    'phone:+1234567890123456',
    'passkey:',
    'passkey:a b',
    'passkey:a\n',
    'device:',
    'device:not base64',
    'quorum:',
    'quorum:a b',
    'wallet:1',
    'Server:' + evm,
    evm,
  ])('%j is refused', (text) => {
    expectRefused(() => parseSignerLocator(text));
  });
});

describe('a token locator', () => {
  test.each([
    ['base-sepolia:usdc', { by: 'symbol', chain: 'base-sepolia', symbol: 'usdc' }],
    ['base-sepolia:USDxm', { by: 'symbol', chain: 'base-sepolia', symbol: 'usdxm' }],
    ['polygon:usdc.e', { by: 'symbol', chain: 'polygon', symbol: 'usdc.e' }],
    [`base-sepolia:${evm}`, { by: 'address', chain: 'base-sepolia', address: evm }],
    [`base-sepolia:${evm}:0`, { by: 'address', chain: 'base-sepolia', address: evm, tokenId: '0' }],
    [
      `base-sepolia:${evm}:${2n ** 256n - 1n}`,
      { by: 'address', chain: 'base-sepolia', address: evm, tokenId: `${2n ** 256n - 1n}` },
    ],
    [`solana:${solana}`, { by: 'address', chain: 'solana', address: solana }],
    [`stellar:${stellar}`, { by: 'address', chain: 'stellar', address: stellar }],
    [`stellar:USDC:${issuer}`, { by: 'address', chain: 'stellar', address: `USDC:${issuer}` }],
    ['sui:0x2::sui::SUI', { by: 'address', chain: 'sui', address: '0x2::sui::SUI' }],
    [`aptos:${generic}`, { by: 'address', chain: 'aptos', address: generic }],
    [`aptos:${move}`, { by: 'address', chain: 'aptos', address: move }],
  ])('%s is read', (text, expected) => {
    expect(parseTokenLocator(text)).toEqual(expected);
  });

  test.each([
    '',
    'usdc',
    ':usdc',
    'base-sepolia:',
    'Base:usdc',
    'base--sepolia:usdc',
    'base-sepolia:us dc',
    'base-sepolia:usdc:1',
    'base-sepolia:0x1234',
    `base-sepolia:${evm}:`,
    `base-sepolia:${evm}:x`,
    `base-sepolia:${evm}:01`,
    `base-sepolia:${evm}:-1`,
    `base-sepolia:${evm}:${2n ** 256n}`,
    `base-sepolia:${evm}:1:2`,
    'base-sepolia:0x2::sui::SUI',
    `base-sepolia:USDC:${issuer}`,
    `stellar:USDCUSDCUSDC1:${issuer}`,
    `stellar:USDC:${issuer.replace('G', 'C')}`,
    `base-sepolia:${generic}`,
    'aptos:0x1::lp::LP<>',
    'aptos:0x1::lp::LP<0x1::a::A',
    'aptos:0x1::lp::LP<0x1::a::A,>',
    'aptos:0x1::lp::LP<0x1::a::A>>',
    'aptos:0x1::lp::LP<signer>',
    'aptos:0x1::lp',
    `aptos:${'0x1::l::L<'.repeat(9)}u8${'>'.repeat(9)}`,
    `aptos:0x1::l::L<${'0x1::a::A,'.repeat(60)}u8>`,
    'base-sepolia:usd\n',
    `${'a'.repeat(65)}:usdc`,
    `base:${'a'.repeat(32)}0`,
    'fiat:',
    'base-sepolia:a/b',
  ])('%j is refused', (text) => {
    expectRefused(() => parseTokenLocator(text));
  });
});

test('a list is split at its commas, not at those of a generic type', () => {
  expect(splitTypes(`apt, aptos:${generic},aptos:${move}`)).toEqual([
    'apt',
    `aptos:${generic}`,
    `aptos:${move}`,
  ]);
  expect(splitTypes('a>,b,,c<d,e')).toEqual(['a>', 'b', '', 'c<d,e']);
});

test('a recipient is an address or a user', () => {
  expect(parseRecipient(evm)).toEqual({ by: 'address', address: evm });
  expect(parseRecipient('email:Bob@Example.com')).toEqual({
    by: 'user',
    user: { kind: 'email', value: 'bob@example.com' },
  });
  for (const text of ['', 'bob', '0x1234', 'COMPANY', 'me:evm', 'alice.eth'])
    expectRefused(() => parseRecipient(text));
});

test('address syntax tells the families', () => {
  expect(chainTypesOfAddress(evm)).toEqual(['evm']);
  expect(chainTypesOfAddress(solana)).toEqual(['solana']);
  expect(chainTypesOfAddress(stellar)).toEqual(['stellar']);
  expect(chainTypesOfAddress(move)).toEqual(['aptos', 'sui']);
  expect(isAddressText(evm, 'evm')).toBe(true);
  expect(isAddressText(evm, 'sui')).toBe(false);
  expect(chainTypesOfAddress('0x')).toEqual([]);
});

describe('properties', () => {
  const hex = (length: number) => fc.stringMatching(new RegExp(`^0x[0-9a-fA-F]{${length}}$`));
  const address = fc.oneof(
    hex(40),
    hex(64),
    fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
    fc.stringMatching(/^[GC][A-Z0-9]{55}$/),
  );
  const chainType = fc.constantFrom('aptos', 'evm', 'solana', 'stellar', 'sui');
  const walletType = fc.constantFrom('smart', 'mpc');
  const aliasText = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
    chainType,
    fc.constant('alias'),
  );
  const chain = fc.stringMatching(/^[a-z0-9]{1,10}(-[a-z0-9]{1,10}){0,3}$/);
  const words = fc
    .array(fc.constantFrom('evm', 'sui', 'smart', 'mpc', 'alias', 'me', 'email', 'a', ''), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => parts.join(':'));
  const user = fc
    .oneof(
      fc.emailAddress().map((value) => `email:${value}`),
      fc
        .oneof(fc.string({ minLength: 1, unit: 'grapheme' }), words)
        .map((value) => `userId:${value}`),
      fc.stringMatching(/^\+[1-9]\d{6,14}$/).map((value) => `phoneNumber:${value}`),
      fc.stringMatching(/^(twitter|x):@?\w{1,15}$/),
    )
    .filter((text) => isAccepted(() => parseUserLocator(text)))
    .map((text) => parseUserLocator(text));
  const wallet = fc.oneof(
    address.map((each) => ({ by: 'address' as const, address: each })),
    fc.record(
      { by: fc.constant('user' as const), user, chainType, walletType, alias: aliasText },
      { requiredKeys: ['by', 'user', 'chainType', 'walletType'] },
    ),
    fc.record(
      { by: fc.constant('me' as const), chainType, walletType, alias: aliasText },
      { requiredKeys: ['by', 'chainType', 'walletType'] },
    ),
    fc.record({ by: fc.constant('alias' as const), chainType, walletType, alias: aliasText }),
  );
  const token = fc.oneof(
    fc.record({
      by: fc.constant('symbol' as const),
      chain,
      symbol: fc.stringMatching(/^[a-z][a-z0-9.$]{0,30}$/),
    }),
    fc.record(
      {
        by: fc.constant('address' as const),
        chain,
        address,
        tokenId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
      },
      { requiredKeys: ['by', 'chain', 'address'] },
    ),
  );

  test('what is formatted is read back as it was', () => {
    const readsBack = <T>(
      values: fc.Arbitrary<T>,
      format: (value: T) => string,
      parse: (text: string) => unknown,
    ) =>
      fc.assert(
        fc.property(
          values,
          (value) =>
            void expect(parse(format(value))).toEqual(
              typeof value === 'string' ? value : { ...value },
            ),
        ),
        { numRuns: 500 },
      );
    readsBack(wallet, (value) => formatWalletLocator(value as WalletLocator), parseWalletLocator);
    readsBack(user, formatUserLocator, parseUserLocator);
    readsBack(
      user.filter((each) => isAccepted(() => parseOwner(formatOwner(each)))),
      formatOwner,
      parseOwner,
    );
    readsBack(token, (value) => formatTokenLocator(value as TokenLocator), parseTokenLocator);
  });

  test('a wallet locator is no owner and no recipient, whatever the user id contains', () => {
    fc.assert(
      fc.property(
        user.filter(({ kind }) => kind === 'userId'),
        chainType,
        fc.option(walletType),
        fc.option(aliasText),
        (each, family, type, label) => {
          const text = `${formatUserLocator(each)}:${family}${type ? `:${type}` : ''}${label ? `:alias:${label}` : ''}`;
          expect(isAccepted(() => parseOwner(text))).toBe(false);
          expect(isAccepted(() => parseRecipient(text))).toBe(false);
        },
      ),
    );
  });

  test('a user wallet locator written by hand names that user, whatever the user id contains', () => {
    fc.assert(
      fc.property(
        user,
        chainType,
        fc.option(walletType),
        fc.option(aliasText),
        (each, family, type, label) => {
          const text = `${formatUserLocator(each)}:${family}${type ? `:${type}` : ''}${label ? `:alias:${label}` : ''}`;
          expect(parseWalletLocator(text)).toMatchObject({
            by: 'user',
            user: each,
            chainType: family,
            ...(type && { walletType: type }),
            ...(label && { alias: label }),
          });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each(Object.entries(parsers))('%s answers or refuses, whatever the text', (_name, parse) => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      words,
      fc.tuple(words, fc.string()).map((parts) => parts.join(':')),
    );
    fc.assert(
      fc.property(text, (each) => {
        if (!isAccepted(() => parse(each))) expectRefused(() => parse(each));
      }),
      { numRuns: 300 },
    );
  });
});

function isAccepted(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

function refusalOf(parse: () => unknown): ServiceError {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    return error as ServiceError;
  }
  throw new Error('It was accepted.');
}

function expectRefused(parse: () => unknown): void {
  const error = refusalOf(parse);
  expect(error.code).toBe('invalid-locator');
  expect(error.message).not.toMatch(/[\p{Cc}\p{Cs}]/u);
}

test.each(['userId: ', 'userId:\u00a0', 'userId:\u200b', 'userId:   \u2003'])(
  'a user id that nobody could see is none: %j',
  (text) => {
    expectRefused(() => parseUserLocator(text));
    expectRefused(() => parseWalletLocator(`${text}:evm`));
  },
);

test.each([
  ['email:a b@example.com', 'email:a+b@example.com'],
  ['phoneNumber: 14155550123', 'phoneNumber:+14155550123'],
  ['userId:a b', 'userId:a b'],
])(
  'in a query a plus that was not encoded is put right where no space can be: %s',
  (arrived, meant) => {
    expect(restorePlus(arrived)).toBe(meant);
  },
);

/** The service only reads what these write. */
function formatOwner(owner: Owner): string {
  return owner === 'COMPANY' ? owner : formatUserLocator(owner);
}

/** The wallet type is always written out: the text then reads the same whatever the default is. */
function formatWalletLocator(wallet: WalletLocator): string {
  if (wallet.by === 'address') return wallet.address;
  const alias = wallet.alias === undefined ? '' : `:alias:${wallet.alias}`;
  const chainPart = `${wallet.chainType}:${wallet.walletType}${alias}`;
  if (wallet.by === 'user') return `${formatUserLocator(wallet.user)}:${chainPart}`;
  return wallet.by === 'me' ? `me:${chainPart}` : chainPart;
}

function formatSignerLocator(signer: SignerLocator): string {
  switch (signer.type) {
    case 'external-wallet':
    case 'server':
      return `${signer.type}:${signer.address}`;
    case 'api-key':
      return signer.address === undefined ? signer.type : `${signer.type}:${signer.address}`;
    case 'email':
      return `${signer.type}:${signer.email}`;
    case 'phone':
      return `${signer.type}:${signer.phone}`;
    case 'device':
      return `${signer.type}:${signer.publicKey}`;
    case 'passkey':
    case 'quorum':
      return `${signer.type}:${signer.id}`;
  }
}

function formatTokenLocator(token: TokenLocator): string {
  if (token.by === 'symbol') return `${token.chain}:${token.symbol}`;
  return token.tokenId === undefined
    ? `${token.chain}:${token.address}`
    : `${token.chain}:${token.address}:${token.tokenId}`;
}
