import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Signer } from '../../chains/family.ts';
import { sandboxAddresses } from '../../providers/screening/sandbox.ts';
import { issueKey, scopesOf } from '../api-keys/index.ts';
import {
  type ApprovalsWorld,
  anAddress,
  anExternalWallet,
  chain,
  startApprovalsWorld,
} from '../approvals/test-kit.ts';
import type { EligibilityStatus } from '../identity/machine.ts';
import { userRoutes } from '../identity/routes.ts';
import { putEntry, selectEntries } from '../identity/store.ts';
import { listTransactionLines } from '../transactions/index.ts';
import type { WalletRecord } from '../wallets/index.ts';
import { transferRoutes } from './routes.ts';

let world: ApprovalsWorld;
beforeAll(async () => {
  world = await startApprovalsWorld([...transferRoutes, ...userRoutes]);
});
afterAll(() => world?.close());

const [ann, ben] = ['ann', 'ben'].map(anExternalWallet) as [Signer, Signer];
const recipient = anAddress('recipient');
const pathOf = ({ address }: WalletRecord, token = `${chain}:usdc`) =>
  `/2025-06-09/wallets/${address}/tokens/${token}/transfers`;
const transfer = (wallet: WalletRecord, body: object = {}, token = `${chain}:usdc`) =>
  world.api.call('POST', pathOf(wallet, token), { body: { recipient, amount: '1.5', ...body } });
const codeOf = ({ status, body }: { status: number; body: { code?: string; status?: string } }) => [
  status,
  body.code ?? body.status,
];

describe('create transfer', () => {
  it('answers 201 with the whole transaction and what is sent', async () => {
    const { status, body } = await transfer(await world.aWallet({ adminSigner: ann }));
    expect([status, body]).toMatchObject([
      201,
      {
        status: 'awaiting-approval',
        params: { amountMinor: '1500000', signer: ann },
        sendParams: {
          token: `${chain}:usdc`,
          params: { amount: '1.5', recipient, recipientAddress: recipient },
        },
        preview: {},
      },
    ]);
    for (const key of ['error', 'message']) expect(body).not.toHaveProperty(key);
  });

  it('is told to operators with its amount, its token and its recipient', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    await transfer(wallet);
    expect(
      await listTransactionLines(world.api.ctx.store, { walletId: wallet.id, limit: 5 }),
    ).toMatchObject([
      {
        status: 'awaiting-approval',
        send: { amount: '1.5', recipient },
        tokenLocator: `${chain}:usdc`,
        approvals: { given: 0, open: 1 },
      },
    ]);
  });

  it('is in the list of operators though somebody wrote into what was sent', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    for (const params of [null, 7, { amount: {}, recipientAddress: [recipient] }]) {
      const { body } = await transfer(wallet);
      await world.api.ctx.store.query({
        text: `update transactions set send_params = $2, error = '{"message": {}}',
            on_chain = on_chain || '{"txId": {}, "explorerLink": 7}' where id = $1`,
        values: [body.id, JSON.stringify({ params })],
      });
    }
    const lines = await listTransactionLines(world.api.ctx.store, {
      walletId: wallet.id,
      limit: 5,
    });
    expect(lines.map(({ send }) => Object.values(send ?? {}).filter(Boolean))).toEqual([
      [],
      [],
      [],
    ]);
    for (const { txId, explorerLink, error } of lines)
      expect([txId, explorerLink, error]).toEqual([undefined, undefined, undefined]);
  });

  it('of a token with an id needs no amount and ignores one', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    const { status, body } = await transfer(
      wallet,
      { amount: '5' },
      `${chain}:${anAddress('cards')}:7`,
    );
    expect([status, body.params.amountMinor, body.sendParams.params]).toEqual([
      201,
      '1',
      { recipient, recipientAddress: recipient },
    ]);
  });

  it.each([
    ['a recipient that is none', { recipient: 'somebody' }, 400, 'invalid-locator'],
    ['no recipient', { recipient: undefined }, 400, 'validation-error'],
    ['zero', { amount: '0' }, 400, 'validation-error'],
    ['no amount', { amount: undefined }, 400, 'validation-error'],
    ['a memo', { memo: { type: 'text', value: 'hi' } }, 400, 'validation-error'],
    ['an unknown type', { transactionType: 'gift' }, 400, 'validation-error'],
    ['a signer of nobody here', { signer: ben.locator }, 400, 'transaction-invalid'],
    [
      'a recipient on a sanctions list',
      { recipient: sandboxAddresses.blocked },
      400,
      'sanctioned-address',
    ],
    ['an onramp transfer', { transactionType: 'onramp' }, 403, 'project:addon.required'],
    [
      'a regulated transfer of nobody',
      { transactionType: 'regulated-transfer' },
      403,
      'kyc-required',
    ],
  ])('refuses %s', async (_name, body, status, code) => {
    expect(codeOf(await transfer(await world.aWallet({ adminSigner: ann }), body))).toEqual([
      status,
      code,
    ]);
  });

  it('refuses an unknown token, chain and wallet', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    expect(codeOf(await transfer(wallet, {}, `${chain}:doge`))).toEqual([
      400,
      'token-not-supported',
    ]);
    expect(codeOf(await transfer(wallet, {}, 'narnia:usdc'))).toEqual([400, 'chain-not-supported']);
    expect(codeOf(await transfer({ ...wallet, address: anAddress('x') }))).toEqual([
      404,
      'wallet-not-found',
    ]);
  });

  it.each([
    ['POST', '', 'wallets:transactions.create'],
    ['GET', '/:id', 'wallets:transactions.read'],
  ])(
    '%s %s answers 401 without a key and 403 without the scope %s',
    async (method, rest, scope) => {
      const wallet = await world.aWallet({ adminSigner: ann });
      const { key } = await issueKey(world.ctx, {
        projectId: wallet.projectId,
        kind: 'server',
        scopes: scopesOf('server').filter((one) => one !== scope),
      });
      const call = (options: { key: string | null }) =>
        world.api.call(method, `${pathOf(wallet)}${rest.replace(':id', world.ctx.ids.uuid())}`, {
          ...(method === 'POST' ? { body: {} } : {}),
          ...options,
        });
      expect((await call({ key: null })).status).toBe(401);
      const refused = await call({ key });
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining(scope)]);
    },
  );
});

describe('a regulated transfer', () => {
  const owner = 'userId:olga';

  async function setStatus(status: EligibilityStatus): Promise<void> {
    const { store, clock } = world.ctx;
    const { rows } = await store.query<{ id: string }>({
      text: 'select id from users where project_id = $1',
      values: [world.api.projectId],
    });
    const userId = rows[0]!.id;
    const from =
      (await selectEntries(store, userId)).find(({ type }) => type === 'regulated-transfer')
        ?.status ?? status;
    const entry = {
      type: 'regulated-transfer',
      status,
      requestedDocuments: [],
      outdatedUploads: [],
    } as const;
    expect(
      await store.transaction((tx) => putEntry(tx, { userId, from, entry, now: clock.now() })),
    ).toBe(true);
  }

  it('is for owners who are verified for it', async () => {
    const wallet = await world.aWallet({ adminSigner: ann, owner });
    const send = async () =>
      codeOf(await transfer(wallet, { transactionType: 'regulated-transfer' }));
    expect(await send()).toEqual([403, 'kyc-required']);
    expect((await world.api.call('PUT', `/2025-06-09/users/${owner}`, { body: {} })).status).toBe(
      200,
    );
    expect(await send()).toEqual([403, 'kyc-required']);
    await setStatus('pending-review');
    expect(await send()).toEqual([403, 'kyc-required']);
    await setStatus('verified');
    expect(await send()).toEqual([201, 'awaiting-approval']);
    await setStatus('rejected');
    expect(await send()).toEqual([403, 'kyc-required']);
    expect(codeOf(await transfer(wallet, { transactionType: 'direct' }))).toEqual([
      201,
      'awaiting-approval',
    ]);
  });
});
