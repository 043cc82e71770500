import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/areas/routes.ts';
import { readInput } from '../../src/http/input.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// What an error says is written for whoever called: it names the field and what is wanted, and
// never the words of a validator.

let stack: Stack;
let address: string;
beforeAll(async () => {
  stack = await startStack({ vault: true, worker: false });
  const { body } = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:alice',
      config: { adminSigner: { type: 'api-key' } },
    },
  });
  address = body.address;
}, 180_000);
afterAll(() => stack?.close());

const validatorWords =
  /\b(?:Invalid (?:input|option|string|key|value|discriminator|number|[A-Z])|Too (?:small|big)|Unrecognized|received|NaN|undefined|regex|pattern)\b/;

describe('no error has the words of a validator', () => {
  const wrong = [undefined, null, 5, true, 'x', [], {}, { zz: 1 }];
  const refusals = (schema: (typeof routes)[number]['body'], where: 'body' | 'query'): string[] => {
    // Every field with every wrong value, among them fields of fields.
    const shape =
      (schema as { shape?: Readonly<Record<string, unknown>> } | undefined)?.shape ?? {};
    const values = [
      ...wrong,
      ...Object.keys(shape).flatMap((name) =>
        [...wrong, '', 'a'.repeat(3_000), -1, 1e30].map((value) => ({ [name]: value })),
      ),
    ];
    return values.flatMap((value) => {
      try {
        readInput(schema, where, value);
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
  };

  it('whatever is sent to whatever route', () => {
    const messages = routes.flatMap((route) => [
      ...refusals(route.body, 'body'),
      ...refusals(route.query, 'query'),
    ]);
    expect(messages.length).toBeGreaterThan(1_000);
    expect([...new Set(messages.filter((message) => validatorWords.test(message)))]).toEqual([]);
    for (const message of messages)
      expect(message).toMatch(/^The request (?:is not valid\. (?:body|query)\b|body is missing)/);
  });

  it.each([
    [
      'POST',
      '/2025-06-09/wallets',
      { chainType: 'evm', type: 'smart', config: { adminSigner: { type: 'passkey' } } },
    ],
    [
      'POST',
      '/2025-06-09/wallets',
      { chainType: 'evm', type: 'smart', config: { adminSigner: 5 } },
    ],
    [
      'POST',
      '/2025-06-09/wallets',
      { chainType: 'evm', type: 'smart', config: { adminSigner: { type: 'nothing' } } },
    ],
    [
      'POST',
      '/2025-06-09/wallets/{wallet}/transactions',
      { params: { chain: 'base-sepolia', calls: [{ to: 5 }] } },
    ],
    [
      'POST',
      '/2025-06-09/wallets/{wallet}/transactions',
      { params: { chain: 'base-sepolia', calls: 'all' } },
    ],
    [
      'POST',
      '/2025-06-09/wallets/{wallet}/signatures',
      { type: 'typed-data', params: { chain: 'base-sepolia', typedData: { types: 5 } } },
    ],
    [
      'POST',
      '/2025-06-09/wallets/{wallet}/signatures',
      { type: 'message', params: { message: 5, chain: 'base-sepolia' } },
    ],
    [
      'POST',
      '/2025-06-09/wallets/{wallet}/signers',
      { signer: { type: 'device', publicKey: { x: 5 } }, chain: 'base-sepolia' },
    ],
    [
      'PUT',
      '/2025-06-09/users/userId:alice',
      { userDetails: { firstName: 5, dateOfBirth: 'soon' }, kycData: { email: 'x' } },
    ],
    [
      'POST',
      '/2022-06-09/orders',
      { payment: { method: 'card' }, lineItems: [{ tokenLocator: 5 }] },
    ],
  ])('nor of the rules behind: %s %s %j', async (method, path, body) => {
    const answer = await stack.call(method, path.replace('{wallet}', address), { body });
    expect([answer.status, answer.body.error]).toEqual([400, true]);
    expect(answer.body.message).not.toMatch(validatorWords);
    // The field, then what is wanted.
    expect(answer.body.message).toMatch(/(?:body|config|params|signer)[\w.[\]]*: /);
  });
});

it('saving a payment method at the API host is answered with the address of the vault, and what was sent is not read', async () => {
  const answer = await stack.call('POST', '/unstable/payment-methods', {
    body: '{"accountNumber":',
  });
  expect([answer.status, answer.body.code]).toEqual([405, 'method-not-allowed']);
  expect(answer.body.message).toContain(`${stack.vault!.origin}/api/unstable/payment-methods`);
  expect(answer.headers.get('allow')).toContain('GET');
  expect(
    (await stack.call('POST', '/unstable/payment-methods/x', { body: {} })).body.message,
  ).not.toContain(stack.vault!.origin);
});

describe('a family that is not there yet is said to be not implemented', () => {
  const onramp = (chain: string) => ({
    recipient: { walletAddress: address },
    payment: { method: 'card', receiptEmail: 'a@example.com' },
    lineItems: [
      { tokenLocator: `${chain}:usdc`, executionParameters: { mode: 'exact-in', amount: '10' } },
    ],
  });
  const deposit = (chain: string) => ({
    recipient: { walletAddress: address },
    payment: { method: chain, currency: 'usdc', payerAddress: address },
    lineItems: [
      {
        tokenLocator: 'base-sepolia:usdxm',
        executionParameters: { mode: 'exact-in', amount: '10' },
      },
    ],
  });
  const families = ['aptos', 'solana', 'stellar', 'sui'];

  it.each(families)('%s', async (chain) => {
    const create = (type?: string) => ({ chainType: chain, ...(type && { type }), config: {} });
    const asked: readonly [string, string, unknown, string][] = [
      ['POST', '/2025-06-09/wallets', create(), 'chain-not-supported'],
      ['POST', '/2025-06-09/wallets', create('mpc'), 'chain-not-supported'],
      [
        'POST',
        '/2025-06-09/wallets',
        create('smart'),
        chain === 'aptos' || chain === 'sui' ? 'WALLET_TYPE_NOT_SUPPORTED' : 'chain-not-supported',
      ],
      [
        'POST',
        `/v1-alpha2/wallets/userId:alice:smart/balances`,
        { amount: 1, token: 'usdxm', chain },
        'chain-not-supported',
      ],
      ['POST', '/2022-06-09/orders', onramp(chain), 'any'],
      ['POST', '/2022-06-09/orders', deposit(chain), 'any'],
    ];
    for (const [method, path, body, code] of asked) {
      const answer = await stack.call(method, path, body === undefined ? {} : { body });
      expect([
        `${method} ${path} ${JSON.stringify(body)}`,
        answer.status,
        code === 'any' ? code : answer.body.code,
        answer.body.message,
      ]).toEqual([
        `${method} ${path} ${JSON.stringify(body)}`,
        400,
        code,
        // What no service makes is said to be so wherever it is asked.
        expect.stringMatching(
          code === 'WALLET_TYPE_NOT_SUPPORTED'
            ? /^Smart wallets are not supported on \w+: send type "mpc"/
            : /not implemented/i,
        ),
      ]);
    }
  });
});
