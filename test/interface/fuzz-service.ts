import { expect } from 'vitest';
import { paymentMethodRoutes, paymentMethodsPath } from '../../src/areas/payment-methods/routes.ts';
import { routes } from '../../src/areas/routes.ts';
import { createVaultRoutes } from '../../src/vault/methods/routes.ts';
import { aUsAccount, aUsBody } from '../../src/vault/testing/methods-kit.ts';
import type { Stack } from '../harness/stack.ts';
import { startTestVault } from '../harness/vault.ts';
import { type FuzzOptions, fuzzRoutes } from './fuzz-routes.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
export const knownTexts = [
  'evm',
  'solana',
  'smart',
  'mpc',
  'base-sepolia',
  'base',
  'solana-devnet',
  'usdc',
  'usdxm',
  'eth',
  'COMPANY',
  'alice',
  'main',
  'api-key',
  '1',
  '1.5',
  '0x',
  address,
  `external-wallet:${address}`,
  `server:${address}`,
  'email:alice@example.com',
  'userId:alice',
  'evm:alias:main',
  `base-sepolia:${address}`,
];

/** The base point of P-256. */
const publicKey = {
  x: '48439561293906451759052585252797914202762949526041747995844080717082404635286',
  y: '36134250956749795798585127919587881956611106672985015071877198253568414405109',
};

/**
 * What makes calls reach the rules: a funded wallet, one without money, and transactions in two
 * states.
 */
async function prepareKnownValues(stack: Stack): Promise<FuzzOptions['knownValues']> {
  const create = async (path: string, body: object) => {
    const answer = await stack.call('POST', path, { body });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.body;
  };
  const wallet = { chainType: 'evm', type: 'smart' };
  const alice = await create('/2025-06-09/wallets', {
    ...wallet,
    owner: 'userId:alice',
    config: { adminSigner: { type: 'api-key' } },
  });
  const company = await create('/2025-06-09/wallets', {
    ...wallet,
    alias: 'main',
    owner: 'COMPANY',
    config: { adminSigner: { type: 'external-wallet', address } },
  });
  const mpc = await create('/2025-06-09/wallets', {
    chainType: 'evm',
    type: 'mpc',
    owner: 'userId:alice',
  });
  await create(`/v1-alpha2/wallets/${alice.address}/balances`, {
    amount: 100,
    token: 'usdxm',
    chain: 'base-sepolia',
  });
  await create(`/v1-alpha2/wallets/${company.address}/balances`, {
    amount: 100,
    token: 'usdxm',
    chain: 'base-sepolia',
  });
  const transferPath = (of: string) =>
    `/2025-06-09/wallets/${of}/tokens/base-sepolia:usdxm/transfers`;
  const done = await create(transferPath(alice.address), {
    recipient: company.address,
    amount: '1',
  });
  const waiting = await create(transferPath(company.address), {
    recipient: alice.address,
    amount: '1',
  });
  await stack.waitForTransaction(alice.address, done.id);
  const signaturePath = (of: string) => `/2025-06-09/wallets/${of}/signatures`;
  const message = { type: 'message', params: { chain: 'base-sepolia', message: 'hello' } };
  const signed = await create(signaturePath(alice.address), message);
  const asked = await create(signaturePath(company.address), message);
  const signature = `0x${'11'.repeat(64)}1b`;
  return {
    walletLocator: [
      alice.address,
      company.address,
      mpc.address,
      'userId:alice:evm:smart',
      'me:evm:smart',
      'evm:smart:alias:main',
      'userId:alice:smart',
    ],
    transactionId: [done.id, waiting.id],
    signatureId: [signed.id, asked.id],
    tokenLocator: [
      'base-sepolia:usdxm',
      'base-sepolia:usdc',
      'base-sepolia:eth',
      `base-sepolia:${address}`,
    ],
    chain: ['base-sepolia'],
    chains: ['base-sepolia', 'base-sepolia,base-sepolia'],
    tokens: ['usdxm', 'eth,usdxm', 'base-sepolia:usdxm'],
    token: ['usdxm'],
    status: ['successful', 'failed'],
    recipient: [alice.address, company.address, 'userId:bob', 'email:bob@example.com'],
    amount: ['0.01', '0.1', '0.5', 1, 100, '0', '1000000', '0.0000001'],
    signer: [
      'api-key',
      alice.config.adminSigner.locator,
      company.config.adminSigner.locator,
      `server:${address}`,
      'email:bob@example.com',
      { type: 'device', publicKey },
      { type: 'passkey', id: 'credential', name: 'Laptop', publicKey },
      {
        type: 'quorum',
        threshold: 1,
        members: [
          { type: 'server', address },
          { type: 'email', email: 'bob@example.com' },
        ],
      },
    ],
    approver: [`server:${address}`],
    expiresAt: ['2030-01-01T00:00:00Z', '2020-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
    scopes: [
      [
        {
          type: 'transfer',
          tokenLocator: 'base-sepolia:usdxm',
          recipients: [address],
          spendingLimit: { amount: '1', interval: 60 },
        },
      ],
      [{ type: 'transfer', tokenLocator: 'base-sepolia:eth' }],
    ],
    chainType: ['evm'],
    type: ['smart', 'message', 'typed-data'],
    owner: ['userId:alice', 'email:new@example.com', 'COMPANY'],
    alias: ['main', 'other'],
    config: [
      { adminSigner: { type: 'api-key' } },
      { adminSigner: { type: 'external-wallet', address }, delegatedSigners: [] },
      { adminSigner: { type: 'server', address }, creationSeed: 'seed' },
      {
        adminSigner: { type: 'api-key' },
        delegatedSigners: [
          { signer: `server:${address}` },
          { signer: { type: 'device', publicKey } },
        ],
      },
      {
        recoveryMethods: [
          {
            type: 'quorum',
            threshold: 1,
            members: [{ type: 'server', address }, { type: 'api-key' }],
          },
        ],
      },
    ],
    params: [
      { chain: 'base-sepolia', calls: [{ to: address, value: '0', data: '0x' }] },
      { chain: 'base-sepolia', calls: [{ to: company.address, value: '1' }], signer: 'api-key' },
      { chain: 'base-sepolia', message: 'hello' },
      {
        chain: 'base-sepolia',
        typedData: {
          domain: { name: 'Shop' },
          types: { Order: [{ name: 'id', type: 'uint256' }] },
          primaryType: 'Order',
          message: { id: '1' },
        },
      },
      {
        chain: 'base-sepolia',
        calls: [
          {
            address,
            functionName: 'transfer',
            args: [address, '1'],
            abi: [
              {
                type: 'function',
                name: 'transfer',
                stateMutability: 'nonpayable',
                inputs: [
                  { name: 'to', type: 'address' },
                  { name: 'value', type: 'uint256' },
                ],
                outputs: [],
              },
            ],
          },
        ],
      },
    ],
    approvals: [
      [],
      [{ signer: company.config.adminSigner.locator, signature }],
      [{ signer: 'api-key', signature: '0x' }],
    ],
    transactionType: ['direct'],
    sort: ['asc', 'desc'],
    fromDate: ['2026-01-15T12:00:00.000Z'],
    perPage: ['1', '100'],
    page: ['1', '2'],
    limit: ['1', '100'],
  };
}

/**
 * Every route but those of payment methods.
 * @param runCount calls per route
 * @throws when a route answers badly
 */
export async function fuzzService(stack: Stack, runCount: number): Promise<void> {
  const served = routes.filter((one) => !paymentMethodRoutes.includes(one));
  await fuzzRoutes(stack.api, served, {
    runCount,
    knownTexts,
    knownValues: await prepareKnownValues(stack),
  });
}

/**
 * Routes of payment methods, on the API host and on the vault.
 * @param runCount calls per route
 * @throws when a route answers badly
 */
export async function fuzzVault(runCount: number): Promise<void> {
  const vault = await startTestVault();
  try {
    const created = await vault.call('POST', paymentMethodsPath, { body: aUsBody() });
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const { accountNumber, routingNumber } = aUsAccount() as {
      accountNumber: string;
      routingNumber: string;
    };
    const knownValues: FuzzOptions['knownValues'] = {
      paymentMethodId: [created.body.paymentMethodId],
      userLocator: ['userId:alice', 'email:alice@example.com'],
      type: ['bank-account-us', 'card'],
      accountNumber: [accountNumber],
      routingNumber: [routingNumber],
      number: ['4242424242424242'],
      limit: ['1', '100'],
    };
    const options = { runCount, knownTexts, knownValues };
    await fuzzRoutes(vault.api, paymentMethodRoutes, options);
    await fuzzRoutes(
      { ...vault.api, call: vault.call },
      createVaultRoutes(vault.ctx.vault),
      options,
    );
  } finally {
    await vault.close();
  }
}
