import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPerson, type PeopleApi, startPeopleApi } from '../users/test-kit.ts';
import { challengeMs } from './challenge.ts';
import { linkedWalletsPerUserMax } from './link.ts';
import {
  anEvmWallet,
  aSolanaWallet,
  aStellarWallet,
  aSuiMultisig,
  aSuiWallet,
  encodeStellar,
  type TestWallet,
} from './test-kit.ts';

let api: PeopleApi;
beforeAll(async () => {
  api = await startPeopleApi();
});
afterAll(() => api.close());

let count = 0;
const fresh = () => `userId:owner${++count}`;
const path = (locator: string, address: string) => api.path(locator, `/linked-wallets/${address}`);
const link = (locator: string, address: string, body: object = { chain: 'base-sepolia' }) =>
  api.call('PUT', path(locator, address), { body });
const read = (locator: string, address: string) => api.call('GET', path(locator, address));
const codeOf = (answer: { status: number; body: any }) => [answer.status, answer.body.code];

async function challenge(locator: string, wallet: TestWallet, chain: string): Promise<string> {
  return (await link(locator, wallet.address, { chain })).body.ownership.verificationChallenge;
}

const wallets: readonly (readonly [string, string, () => TestWallet])[] = [
  ['an EVM wallet', 'base-sepolia', anEvmWallet],
  ['an EVM wallet on a main network', 'ethereum', anEvmWallet],
  ['a Solana wallet', 'solana', aSolanaWallet],
  ['a Stellar wallet', 'stellar', aStellarWallet],
  ['a Sui wallet', 'sui', aSuiWallet],
  ['a Sui multisig of two keys', 'sui', aSuiMultisig],
  ['a Stellar wallet that signs after SEP-53', 'stellar', () => aStellarWallet({ prefixed: true })],
];

describe.each(wallets)('%s on %s', (_, chain, make) => {
  test('is linked without proof, unverified and with a challenge, and read back the same', async () => {
    const [locator, wallet] = [fresh(), make()];
    const linked = await link(locator, wallet.address, { chain });
    expect(linked.status).toBe(200);
    expect(linked.body).toEqual({
      address: wallet.address,
      chain,
      type: 'external-wallet',
      ownership: { verified: false, verificationChallenge: expect.any(String) },
    });
    expect((await read(locator, wallet.address)).body).toEqual(linked.body);
    // The user was not known before.
    expect((await api.call('GET', api.path(locator))).status).toBe(200);
  });

  test('is verified by the signature of its challenge', async () => {
    const [locator, wallet] = [fresh(), make()];
    const proof = await wallet.sign(await challenge(locator, wallet, chain));
    const proved = await link(locator, wallet.address, { chain, proof });
    expect([proved.status, proved.body]).toEqual([
      200,
      { address: wallet.address, chain, type: 'external-wallet', ownership: { verified: true } },
    ]);
    expect((await read(locator, wallet.address)).body).toEqual(proved.body);
    expect((await link(locator, wallet.address, { chain })).body.ownership).toEqual({
      verified: true,
    });
  });

  test('is not verified by a signature of another wallet, of another text, or by none', async () => {
    const [locator, wallet, other] = [fresh(), make(), make()];
    const text = await challenge(locator, wallet, chain);
    const good = await wallet.sign(text);
    for (const proof of [
      await other.sign(text),
      await wallet.sign(`${text} `),
      await wallet.sign(text.replace('Version: 1', 'Version: 2')),
      await wallet.sign(text.replaceAll(wallet.address, other.address)),
      good.slice(0, -4),
      `${good}00`,
      randomBytes(64).toString('base64'),
      `0x${'00'.repeat(65)}`,
      'yes',
    ])
      expect(codeOf(await link(locator, wallet.address, { chain, proof }))).toEqual([
        400,
        'invalid-proof',
      ]);
    expect((await read(locator, wallet.address)).body.ownership.verified).toBe(false);
  });

  test('has a challenge that expires', async () => {
    const [locator, wallet] = [fresh(), make()];
    const old = await challenge(locator, wallet, chain);
    const proof = await wallet.sign(old);
    api.clock.advance(challengeMs);
    const late = await link(locator, wallet.address, { chain, proof });
    expect(codeOf(late)).toEqual([400, 'invalid-proof']);
    expect(late.body.message).toContain('has expired');
    const renewed = (await read(locator, wallet.address)).body.ownership.verificationChallenge;
    expect(renewed).not.toBe(old);
    expect(
      (await link(locator, wallet.address, { chain, proof: await wallet.sign(renewed) })).body
        .ownership,
    ).toEqual({ verified: true });
  });

  test('has a challenge that works once, for its user only', async () => {
    const [a, b, wallet] = [fresh(), fresh(), make()];
    const textOfA = await challenge(a, wallet, chain);
    const proofOfA = await wallet.sign(textOfA);
    // Somebody who saw the signature cannot use it.
    expect(codeOf(await link(b, wallet.address, { chain, proof: proofOfA }))).toEqual([
      409,
      'wallet-linked-to-other-user',
    ]);
    expect((await link(a, wallet.address, { chain, proof: proofOfA })).status).toBe(200);
    expect(codeOf(await link(b, wallet.address, { chain, proof: proofOfA }))).toEqual([
      409,
      'wallet-linked-to-other-user',
    ]);
    // The same call once more is the same call; another signature finds no challenge.
    expect((await link(a, wallet.address, { chain, proof: proofOfA })).body.ownership).toEqual({
      verified: true,
    });
    const again = await wallet.sign(`${textOfA}\n`);
    expect(codeOf(await link(a, wallet.address, { chain, proof: again }))).toEqual([
      400,
      'invalid-proof',
    ]);
  });
});

test('the challenge reads as a sign-in of the chain, and says what it is for', async () => {
  const wallet = anEvmWallet();
  const text = await challenge(
    fresh(),
    { ...wallet, address: wallet.address.toLowerCase() },
    'base-sepolia',
  );
  expect(text.split('\n')).toEqual([
    'purser.test wants you to sign in with your Ethereum account:',
    wallet.address,
    '',
    expect.stringContaining('Confirm that this wallet is yours'),
    '',
    'URI: http://127.0.0.1',
    'Version: 1',
    'Chain ID: 84532',
    expect.stringMatching(/^Nonce: [0-9a-f]{32}$/),
    expect.stringMatching(/^Issued At: 20.*Z$/),
    expect.stringMatching(/^Expiration Time: 20.*Z$/),
  ]);
  expect(await challenge(fresh(), aSolanaWallet(), 'solana')).toMatch(
    /^purser\.test wants you to sign in with your Solana account:\n[1-9A-HJ-NP-Za-km-z]+\n[^]*Chain ID: devnet/,
  );
  expect(await challenge(fresh(), aStellarWallet(), 'stellar')).toContain(
    'your Stellar account:\nG',
  );
});

test('a challenge stays while half of its time is left, then a second one is there, and both can be signed', async () => {
  const [locator, wallet] = [fresh(), anEvmWallet()];
  const first = await challenge(locator, wallet, 'base-sepolia');
  expect(await challenge(locator, wallet, 'base-sepolia')).toBe(first);
  api.clock.advance(challengeMs / 2);
  expect(await challenge(locator, wallet, 'base-sepolia')).not.toBe(first);
  expect(
    (
      await link(locator, wallet.address, {
        chain: 'base-sepolia',
        proof: await wallet.sign(first),
      })
    ).status,
  ).toBe(200);
});

test('a proof without a challenge is refused, with what to do', async () => {
  const [locator, wallet] = [fresh(), anEvmWallet()];
  const answer = await link(locator, wallet.address, {
    chain: 'base-sepolia',
    proof: await wallet.sign('hello'),
  });
  expect(codeOf(answer)).toEqual([400, 'invalid-proof']);
  expect(answer.body.message).toContain('Send the call without `proof`');
});

test('a challenge that expires while its proof is being checked is worth nothing', async () => {
  const [locator, wallet] = [fresh(), anEvmWallet()];
  await challenge(locator, wallet, 'base-sepolia');
  const family = api.ctx.chains.family('evm').messages as { verifyMessage: unknown };
  const { verifyMessage } = family;
  family.verifyMessage = async () => {
    api.clock.advance(challengeMs);
    return 'key';
  };
  const answer = await link(locator, wallet.address, { chain: 'base-sepolia', proof: '0x1234' });
  family.verifyMessage = verifyMessage;
  expect(codeOf(answer)).toEqual([400, 'invalid-proof']);
  expect((await read(locator, wallet.address)).body.ownership.verified).toBe(false);
});

describe('a wallet belongs to one user', () => {
  test('in any spelling, on any chain of its family', async () => {
    const [a, b, wallet] = [fresh(), fresh(), anEvmWallet()];
    await link(a, wallet.address);
    const answer = await link(b, wallet.address.toLowerCase(), { chain: 'polygon-amoy' });
    expect(codeOf(answer)).toEqual([409, 'wallet-linked-to-other-user']);
    expect(codeOf(await read(b, wallet.address))).toEqual([404, 'linked-wallet-not-found']);
    expect((await read(a, wallet.address.toUpperCase().replace('0X', '0x'))).status).toBe(200);
  });

  test('but may change its chain', async () => {
    const [locator, wallet] = [fresh(), anEvmWallet()];
    await link(locator, wallet.address);
    expect((await link(locator, wallet.address, { chainType: 'polygon-amoy' })).body.chain).toBe(
      'polygon-amoy',
    );
    expect((await read(locator, wallet.address)).body.chain).toBe('polygon-amoy');
  });

  test('a claim without proof gives way to another user’s proof, and never the other way round', async () => {
    const [claimer, owner, wallet] = [fresh(), fresh(), anEvmWallet()];
    await link(claimer, wallet.address);
    const refused = await link(owner, wallet.address);
    expect(codeOf(refused)).toEqual([409, 'wallet-linked-to-other-user']);
    const proof = await wallet.sign(refused.body.verificationChallenge);
    expect(
      (await link(owner, wallet.address, { chain: 'base-sepolia', proof })).body.ownership,
    ).toEqual({ verified: true });
    expect(codeOf(await read(claimer, wallet.address))).toEqual([404, 'linked-wallet-not-found']);
    const back = await link(claimer, wallet.address);
    expect(codeOf(back)).toEqual([409, 'wallet-linked-to-other-user']);
    expect(back.body).not.toHaveProperty('verificationChallenge');
  });

  test('of many claims at once one wins', async () => {
    const wallet = anEvmWallet();
    const locators = Array.from({ length: 8 }, fresh);
    const answers = await Promise.all(locators.map((locator) => link(locator, wallet.address)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const readers = await Promise.all(locators.map((locator) => read(locator, wallet.address)));
    expect(readers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  test('of two proofs at once, of two users, one wins; of one user, both are answered', async () => {
    const wallet = anEvmWallet();
    const [a, b] = [fresh(), fresh()];
    const textOfA = await challenge(a, wallet, 'base-sepolia');
    const textOfB = (await link(b, wallet.address)).body.verificationChallenge;
    const [proofOfA, proofOfB] = [await wallet.sign(textOfA), await wallet.sign(textOfB)];
    const proofs = [a, a, b, b].map((locator) =>
      link(locator, wallet.address, {
        chain: 'base-sepolia',
        proof: locator === a ? proofOfA : proofOfB,
      }),
    );
    const statuses = (await Promise.all(proofs)).map((answer) => answer.status);
    expect([
      [200, 200, 409, 409],
      [409, 409, 200, 200],
    ]).toContainEqual(statuses);
  });

  test('and stays with the person when two users turn out to be one', async () => {
    const [a, wallet] = [fresh(), anEvmWallet()];
    const b = `email:merged${count}@example.com`;
    await api.call('PUT', api.path(a), { body: aPerson() });
    const text = await challenge(b, wallet, 'base-sepolia');
    await api.call('PUT', api.path(a), { body: { ...aPerson(), locators: [b] } });
    expect((await read(a, wallet.address)).body.address).toBe(wallet.address);
    expect(
      (await link(a, wallet.address, { chain: 'base-sepolia' })).body.ownership
        .verificationChallenge,
    ).toBe(text);
    expect(
      (await link(a, wallet.address, { chain: 'base', proof: await wallet.sign(text) })).body
        .ownership,
    ).toEqual({ verified: true });
  });
});

describe('is refused', () => {
  const evm = '0x52908400098527886E0F7030069857D2E4169EE7';
  test.each([
    ['a mistyped checksum', '0x52908400098527886E0F7030069857D2E4169eE7', 'ethereum'],
    ['an EVM address on Solana', evm, 'solana'],
    ['a Solana address on an EVM chain', aSolanaWallet().address, 'base'],
    ['a Solana address that is too short', '1'.repeat(32).slice(1), 'solana'],
    ['a Solana address of 33 bytes', '4'.repeat(44).replace(/^4/, 'z'), 'solana'],
    [
      'a Stellar address with a mistyped character',
      aStellarWallet().address.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'stellar',
    ],
    ['a Stellar secret', encodeStellar(18 << 3, randomBytes(32)), 'stellar'],
    [
      'a XION address with a mistyped character',
      'xion1qyqszqgpqyqszqgpqyqszqgpqyqszqgpnppmlm',
      'xion',
    ],
    ['a short Sui address', '0x2', 'sui'],
  ])('%s', async (_, address, chain) => {
    expect(codeOf(await link(fresh(), address, { chain }))).toEqual([400, 'validation-error']);
  });

  test.each([['no-such-chain'], ['constructor'], ['solana-devnet'], ['']])(
    'the chain %j',
    async (chain) => {
      expect(codeOf(await link(fresh(), evm, { chain }))).toEqual([
        400,
        chain === '' ? 'validation-error' : 'chain-not-supported',
      ]);
    },
  );

  test.each([
    [{}],
    [{ chain: 1 }],
    [{ chain: 'base', chainType: 'ethereum' }],
    [{ chain: 'base', proof: '' }],
    [{ chain: 'base', proof: 7 }],
  ])('the body %j', async (body) => {
    expect(codeOf(await link(fresh(), evm, body))).toEqual([400, 'validation-error']);
  });

  test('a proof for a Stellar contract, and for a chain that none can be checked on', async () => {
    const contract = encodeStellar(2 << 3, randomBytes(32));
    const locator = fresh();
    for (const [address, chain] of [
      [contract, 'stellar'],
      [`0x${'cd'.repeat(32)}`, 'aptos'],
    ] as const) {
      expect((await link(locator, address, { chain })).body.ownership.verified).toBe(false);
      expect(codeOf(await link(locator, address, { chain, proof: 'A'.repeat(86) }))).toEqual([
        400,
        'invalid-proof',
      ]);
    }
  });

  test('a signature of Sui whose check would ask a node that nobody has set', async () => {
    const [locator, wallet] = [fresh(), aSuiWallet()];
    const proof = await wallet.sign(await challenge(locator, wallet, 'sui'));
    const zkLogin = Buffer.from(proof, 'base64').fill(5, 0, 1).toString('base64');
    expect(codeOf(await link(locator, wallet.address, { chain: 'sui', proof: zkLogin }))).toEqual([
      400,
      'invalid-proof',
    ]);
  });

  test('a wallet that nobody linked, of a known and of an unknown user', async () => {
    const locator = fresh();
    await api.call('PUT', api.path(locator), { body: {} });
    expect(codeOf(await read(locator, evm))).toEqual([404, 'linked-wallet-not-found']);
    expect(codeOf(await read(fresh(), evm))).toEqual([404, 'user-not-found']);
    expect(codeOf(await read(locator, 'nonsense'))).toEqual([404, 'linked-wallet-not-found']);
  });

  test('a test network in production; elsewhere both are taken', async () => {
    const production = await startPeopleApi({ config: { environment: 'production' } });
    const put = (chain: string) =>
      production.call('PUT', production.path('userId:a', `/linked-wallets/${evm}`), {
        body: { chain },
      });
    expect(codeOf(await put('base-sepolia'))).toEqual([400, 'chain-not-supported']);
    expect((await put('base')).status).toBe(200);
    await production.close();
  });

  test(`more than ${linkedWalletsPerUserMax} wallets of one user, and more links of a project than its operator says`, {
    tags: 'slow',
  }, async () => {
    const locator = fresh();
    for (let nr = 0; nr < linkedWalletsPerUserMax; nr++)
      expect((await link(locator, anEvmWallet().address)).status).toBe(200);
    const answer = await link(locator, anEvmWallet().address);
    expect(codeOf(answer)).toEqual([400, 'validation-error']);
    expect(answer.body.message).toContain(`at most ${linkedWalletsPerUserMax}`);
    const { identity } = api.ctx.config;
    const small = await startPeopleApi({
      config: {
        identity: { ...identity, limits: { ...identity.limits, walletLinksPerDayMax: 1 } },
      },
    });
    const put = (sub: string) =>
      small.call('PUT', small.path(`userId:${sub}`, `/linked-wallets/${anEvmWallet().address}`), {
        body: { chain: 'base' },
      });
    expect([(await put('a')).status, codeOf(await put('b'))]).toEqual([200, [429, 'rate-limited']]);
    await small.close();
  });
});

test('no address lies readable in the database', async () => {
  const wallet = anEvmWallet();
  await link(fresh(), wallet.address);
  const { rows } = await api.ctx.store.query<{ row: string }>({
    text: 'select w::text as row from linked_wallets w union all select c::text from linked_wallet_challenges c',
  });
  const bytes = Buffer.from(wallet.address.toLowerCase()).toString('hex');
  const dump = rows.map(({ row }) => row.toLowerCase()).join('\n');
  expect([
    dump.includes(wallet.address.toLowerCase()),
    dump.includes(bytes),
    dump.includes(wallet.address.slice(2).toLowerCase()),
  ]).toEqual([false, false, false]);
});
