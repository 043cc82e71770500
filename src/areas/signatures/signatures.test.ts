import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Signer } from '../../chains/family.ts';
import { ServiceError } from '../../lib/errors.ts';
import { issueKey, scopesOf } from '../api-keys/index.ts';
import type { QuorumEntry } from '../approvals/index.ts';
import {
  type ApprovalsWorld,
  anAddress,
  anExternalWallet,
  approvalOf,
  aQuorum,
  chain,
  startApprovalsWorld,
  windowMs,
} from '../approvals/test-kit.ts';
import { transactionRoutes } from '../transactions/routes.ts';
import type { WalletRecord } from '../wallets/index.ts';
import {
  assembleSignatures,
  closeSignatureWindows,
  findPendingApproval,
  settleSignatures,
} from './index.ts';
import { signatureRoutes } from './routes.ts';
import { selectSignature, updateApprovals } from './store.ts';

let world: ApprovalsWorld;
beforeAll(async () => {
  world = await startApprovalsWorld([...signatureRoutes, ...transactionRoutes]);
});
afterAll(() => world?.close());

const [ann, ben, cid] = ['ann', 'ben', 'cid'].map(anExternalWallet) as [Signer, Signer, Signer];
const pathOf = (wallet: WalletRecord, rest = '') =>
  `/2025-06-09/wallets/${wallet.address}/signatures${rest}`;
const create = (wallet: WalletRecord, params: object = {}, options: object = {}) =>
  world.api.call('POST', pathOf(wallet), {
    body: { type: 'message', params: { chain, message: 'hello', ...params } },
    ...options,
  });
const submit = (wallet: WalletRecord, id: string, approvals: unknown) =>
  world.api.call('POST', pathOf(wallet, `/${id}/approvals`), { body: { approvals } });
const read = async (wallet: WalletRecord, id: string) =>
  (await world.api.call('GET', pathOf(wallet, `/${id}`))).body;
const codeOf = ({ status, body }: { status: number; body: { code?: string; status?: string } }) => [
  status,
  body.code ?? body.status,
];
const outage = new ServiceError('upstream-error', { message: 'The node does not answer.' });

async function aSignature(adminSigner: Signer = ann, params: object = {}) {
  const wallet = await world.aWallet({ adminSigner });
  const { status, body } = await create(wallet, params);
  expect(status).toBe(201);
  const [pending] = body.approvals.pending;
  const message = String((pending?.quorumApprovals?.pending[0] ?? pending)?.message);
  return { wallet, id: String(body.id), created: body, message };
}

/** Runs `work` while the family cannot make signatures. */
async function during<T>(error: unknown, work: () => Promise<T>): Promise<T> {
  world.outage = error;
  try {
    return await work();
  } finally {
    world.outage = undefined;
  }
}

describe('create signature', () => {
  it('asks its signer, with the signer expanded and no error', async () => {
    const { created, message } = await aSignature();
    expect(created).toEqual({
      id: expect.any(String),
      chainType: 'evm',
      walletType: 'smart',
      type: 'message',
      status: 'awaiting-approval',
      params: { chain, message: 'hello', signer: ann },
      approvals: { required: 1, pending: [{ signer: ann, message }], submitted: [] },
      createdAt: world.clock.now().toISOString(),
    });
  });

  it('is completed at once by an api-key signer', async () => {
    const { wallet, id, created } = await aSignature(await world.anApiKeySigner());
    expect(created).toMatchObject({
      status: 'success',
      outputSignature: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      approvals: { pending: [], submitted: [] },
      completedAt: world.clock.now().toISOString(),
    });
    expect(await read(wallet, id)).toEqual(created);
    expect(JSON.stringify(created)).not.toContain('keyId');
  });

  it.each([
    ['no type', { params: { chain, message: 'x' } }, 400, 'validation-error'],
    ['an unknown type', { type: 'poem', params: { chain, message: 'x' } }, 400, 'validation-error'],
    ['no params', { type: 'message' }, 400, 'validation-error'],
    [
      'auth-entries, of another chain',
      { type: 'auth-entries', params: { chain } },
      400,
      'signature-type-not-supported',
    ],
    [
      'another chain',
      { type: 'message', params: { chain: 'narnia', message: 'x' } },
      400,
      'chain-not-supported',
    ],
    [
      'a signer of nobody here',
      { type: 'message', params: { chain, message: 'x', signer: ben.locator } },
      400,
      'transaction-invalid',
    ],
    [
      'a signer that is no text',
      { type: 'message', params: { chain, message: 'x', signer: {} } },
      400,
      'validation-error',
    ],
  ])('refuses %s and stores nothing', async (_name, body, status, code) => {
    const wallet = await world.aWallet({ adminSigner: ann });
    expect(codeOf(await world.api.call('POST', pathOf(wallet), { body }))).toEqual([status, code]);
    expect((await world.api.call('GET', pathOf(wallet))).body.signatures).toEqual([]);
  });

  it('answers 404 for an unknown wallet', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    expect(codeOf(await create({ ...wallet, address: anAddress('x') }))).toEqual([
      404,
      'wallet-not-found',
    ]);
  });

  it('answers the same request for a repeated idempotency key', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    const headers = { 'x-idempotency-key': 'sign once' };
    const [first, second] = [
      await create(wallet, {}, { headers }),
      await create(wallet, {}, { headers }),
    ];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await world.api.call('GET', pathOf(wallet))).body.signatures).toHaveLength(1);
  });

  it('keeps the locator that was sent, character by character', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    const signer = `external-wallet:0x${ann.address!.slice(2).toUpperCase()}`;
    const { body } = await create(wallet, { signer });
    expect([body.params.signer.locator, body.approvals.pending[0].signer.locator]).toEqual([
      signer,
      signer,
    ]);
  });
});

describe('read signatures', () => {
  it('answers 200, and 404 for another wallet’s or no id at all', async () => {
    const { wallet, id, created } = await aSignature();
    expect(await read(wallet, id)).toEqual(created);
    const other = await world.aWallet({ adminSigner: ann });
    for (const asked of [id, 'nonsense', world.ctx.ids.uuid()])
      expect(codeOf(await world.api.call('GET', pathOf(other, `/${asked}`)))).toEqual([
        404,
        'signature-not-found',
      ]);
    expect(
      codeOf(await world.api.call('GET', pathOf({ ...wallet, address: anAddress('x') }, `/${id}`))),
    ).toEqual([404, 'wallet-not-found']);
  });

  it('lists newest first, in pages; 400 for a page that cannot be, 404 for an unknown wallet', async () => {
    const wallet = await world.aWallet({ adminSigner: ann });
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      ids.unshift((await create(wallet, { message: `message ${index}` })).body.id);
      world.clock.advance(1);
    }
    const list = async (query: string) =>
      (await world.api.call('GET', pathOf(wallet, query))).body.signatures.map(
        ({ id }: { id: string }) => id,
      );
    expect([await list(''), await list('?page=2&perPage=2')]).toEqual([ids, ids.slice(2)]);
    for (const query of ['page=0', 'perPage=101', 'page=999999'])
      expect([query, (await world.api.call('GET', pathOf(wallet, `?${query}`))).status]).toEqual([
        query,
        400,
      ]);
    expect(
      (await world.api.call('GET', pathOf({ ...wallet, address: anAddress('x') }))).status,
    ).toBe(404);
  });
});

describe('submit approvals of a signature', () => {
  it('answers success with the wallet’s signature, then 422', async () => {
    const { wallet, id, message } = await aSignature();
    const done = await submit(wallet, id, [approvalOf(ann, message)]);
    expect([done.status, done.body]).toMatchObject([
      201,
      {
        status: 'success',
        outputSignature: expect.stringMatching(/^0x/),
        completedAt: expect.any(String),
        approvals: { pending: [] },
      },
    ]);
    expect(done.body).not.toHaveProperty('error');
    expect(await read(wallet, id)).toEqual(done.body);
    for (const signer of [ann, ben])
      expect(codeOf(await submit(wallet, id, [approvalOf(signer, message)]))).toEqual([
        422,
        'approvals-complete',
      ]);
    expect(codeOf(await submit(wallet, id, []))).toEqual([201, 'success']);
    expect(await assembleSignatures(world.ctx)).toBe(0);
  });

  it('answers 400 for a stranger, a wrong signature, an empty list; 404 for an unknown one', async () => {
    const { wallet, id, message } = await aSignature();
    expect(codeOf(await submit(wallet, id, [approvalOf(ben, message)]))).toEqual([
      400,
      'signer-not-approver',
    ]);
    expect(
      codeOf(await submit(wallet, id, [{ ...approvalOf(ann, message), signature: '0x' }])),
    ).toEqual([400, 'invalid-signature']);
    expect(codeOf(await submit(wallet, id, []))).toEqual([400, 'validation-error']);
    for (const unknown of ['nonsense', world.ctx.ids.uuid()])
      expect(codeOf(await submit(wallet, unknown, [approvalOf(ann, message)]))).toEqual([
        404,
        'signature-not-found',
      ]);
    expect(codeOf(await submit({ ...wallet, address: anAddress('x') }, id, []))).toEqual([
      404,
      'wallet-not-found',
    ]);
    expect((await read(wallet, id)).approvals.submitted).toEqual([]);
  });

  it('waits for a whole quorum; a member who comes twice is not asked again', async () => {
    const { wallet, id, message } = await aSignature(aQuorum(2, [ann, ben, cid]));
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      201,
      'awaiting-approval',
    ]);
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      400,
      'signer-not-approver',
    ]);
    const { body } = await submit(wallet, id, [approvalOf(cid, message)]);
    expect([body.status, typeof body.outputSignature]).toEqual(['success', 'string']);
  });

  it('records both of two members who approve at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { wallet, id, message } = await aSignature(aQuorum(2, [ann, ben, cid]), {
        message: `round ${round}`,
      });
      const answers = await Promise.all(
        [ann, ben].map((member) => submit(wallet, id, [approvalOf(member, message)])),
      );
      expect(answers.map(codeOf).sort()).toEqual([
        [201, 'awaiting-approval'],
        [201, 'success'],
      ]);
      expect(
        (await read(wallet, id)).approvals.submitted[0].quorumApprovals.submitted,
      ).toHaveLength(2);
    }
  });

  it('answers 409 once the window of 24 h is over', async () => {
    const { wallet, id, message } = await aSignature();
    world.clock.advance(windowMs);
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      409,
      'approval-window-closed',
    ]);
    await closeSignatureWindows(world.ctx);
    expect(await read(wallet, id)).toMatchObject({
      status: 'failed',
      error: { reason: 'unknown' },
      completedAt: expect.any(String),
    });
    expect(codeOf(await submit(wallet, id, [approvalOf(ann, message)]))).toEqual([
      409,
      'approval-window-closed',
    ]);
  });

  it('is completed once when the approval arrives ten times at once', async () => {
    const { wallet, id, message } = await aSignature();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => submit(wallet, id, [approvalOf(ann, message)])),
    );
    expect(answers.map(codeOf).sort()).toEqual([
      [201, 'success'],
      ...Array.from({ length: 9 }, () => [422, 'approvals-complete']),
    ]);
  });

  it('shows no half state to somebody who reads all the while', async () => {
    const { wallet, id, message } = await aSignature(aQuorum(2, [ann, ben]));
    let done = false;
    const readers = Array.from({ length: 4 }, async () => {
      while (!done) {
        const { status, approvals, outputSignature } = await read(wallet, id);
        const entry = (approvals.pending[0] ?? approvals.submitted[0]).quorumApprovals;
        expect(2 - entry.remaining).toBe(entry.submitted.length);
        expect(status === 'awaiting-approval').toBe(entry.remaining > 0);
        expect(status === 'success').toBe(outputSignature !== undefined);
      }
    });
    for (const member of [ann, ben])
      expect((await submit(wallet, id, [approvalOf(member, message)])).status).toBe(201);
    done = true;
    await Promise.all(readers);
  });
});

describe('a signature that cannot be made at once', () => {
  it('stays pending and is finished by the worker', async () => {
    const { wallet, id, message } = await aSignature();
    const approved = await during(outage, () => submit(wallet, id, [approvalOf(ann, message)]));
    expect(codeOf(approved)).toEqual([201, 'pending']);
    expect(approved.body).not.toHaveProperty('outputSignature');
    expect(await assembleSignatures(world.ctx)).toBe(0);
    // No outcome of an operation ends what is none.
    const outcome = {
      operationId: id,
      status: 'success',
      onChain: {},
      at: world.clock.now(),
    } as const;
    await world.ctx.store.transaction((tx) => settleSignatures(world.ctx, tx, [outcome]));
    expect((await read(wallet, id)).status).toBe('pending');
    world.clock.advance(10_000);
    expect(await assembleSignatures(world.ctx)).toBe(1);
    expect(await read(wallet, id)).toMatchObject({
      status: 'success',
      outputSignature: expect.stringMatching(/^0x/),
    });
  });

  it('of an api-key signer is finished by the worker too, from the approval that was given', async () => {
    const signer = await world.anApiKeySigner();
    const { wallet, id, created } = await during(outage, () => aSignature(signer));
    expect(created.status).toBe('pending');
    world.clock.advance(10_000);
    expect(await assembleSignatures(world.ctx)).toBe(1);
    const atOnce = await create(wallet);
    expect((await read(wallet, id)).outputSignature).toBe(atOnce.body.outputSignature);
  });

  it('is tried again with growing pauses, and fails in the end', async () => {
    const { wallet, id, message } = await aSignature();
    await during(outage, async () => {
      await submit(wallet, id, [approvalOf(ann, message)]);
      world.clock.advance(10_000);
      await assembleSignatures(world.ctx);
      world.clock.advance(1_999);
      await assembleSignatures(world.ctx);
      const attempts = async () =>
        (
          await world.ctx.store.query<{ attempts: number }>({
            text: 'select attempts from signatures where id = $1',
            values: [id],
          })
        ).rows[0]?.attempts;
      expect(await attempts()).toBe(1);
      for (let attempt = 2; attempt <= 12; attempt++) {
        expect((await read(wallet, id)).status).toBe('pending');
        world.clock.advance(5 * 60_000);
        await assembleSignatures(world.ctx);
        expect(await attempts()).toBe(attempt);
      }
    });
    expect(await read(wallet, id)).toMatchObject({
      status: 'failed',
      error: { reason: 'build_failed' },
    });
  });

  it('for a mistake that is found at once is refused and not stored', async () => {
    const wallet = await world.aWallet({ adminSigner: await world.anApiKeySigner() });
    const answer = await during(new ServiceError('validation-error'), () => create(wallet));
    expect(codeOf(answer)).toEqual([400, 'validation-error']);
    expect((await world.api.call('GET', pathOf(wallet))).body.signatures).toEqual([]);
  });
});

describe('a pending approval', () => {
  it('is found for its signer and message, as itself or as a member, and only while it is pending', async () => {
    const ctx = world.requestCtx();
    const find = (wallet: WalletRecord, signer: Signer, message: string) =>
      findPendingApproval(ctx, { walletId: wallet.id, signerLocator: signer.locator, message });
    const { wallet, id, message } = await aSignature(aQuorum(1, [ann, ben]));
    expect(await find(wallet, ben, message)).toMatchObject({
      kind: 'signature',
      id,
      signer: ben,
      chain,
      signable: { message },
    });
    const other = await world.aWallet({ adminSigner: ann });
    for (const [where, who, what] of [
      [wallet, cid, message],
      [wallet, ben, '0x00'],
      [other, ben, message],
    ] as const)
      expect(await find(where, who, what)).toBeUndefined();
    // Where members sign texts of their own, one may not sign another's.
    const own = '0xbe';
    const record = (await selectSignature(ctx.store, { walletId: wallet.id, id }))!;
    const approvals = structuredClone(record.approvals);
    Object.assign((approvals.pending[0] as QuorumEntry).quorumApprovals.pending[1]!, {
      message: own,
    });
    await updateApprovals(ctx.store, record.status, { ...record, approvals });
    expect([await find(wallet, ben, message), await find(wallet, ann, own)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await find(wallet, ben, own)).toMatchObject({ id, signer: ben });
    await submit(wallet, id, [approvalOf(ann, message)]);
    expect(await find(wallet, ben, own)).toBeUndefined();

    const { body } = await world.api.call(
      'POST',
      `/2025-06-09/wallets/${other.address}/transactions`,
      { body: { params: { chain } } },
    );
    const [asked] = body.approvals.pending;
    expect(await find(other, ann, asked.message)).toMatchObject({
      kind: 'transaction',
      id: body.id,
      signer: ann,
    });
    world.clock.advance(windowMs);
    expect(await find(other, ann, asked.message)).toBeUndefined();
  });
});

describe('every endpoint', () => {
  it.each([
    ['POST', '', 'wallets:signatures.create'],
    ['GET', '', 'wallets:signatures.read'],
    ['GET', '/:id', 'wallets:signatures.read'],
    ['POST', '/:id/approvals', 'wallets:signatures.create'],
  ])(
    '%s %s answers 401 without a key and 403 without the scope %s',
    async (method, rest, scope) => {
      const { wallet, id } = await aSignature();
      const scopes = scopesOf('server').filter((one) => one !== scope);
      const { key } = await issueKey(world.ctx, {
        projectId: wallet.projectId,
        kind: 'server',
        scopes,
      });
      const call = (options: { key: string | null }) =>
        world.api.call(method, pathOf(wallet, rest.replace(':id', id)), {
          ...(method === 'POST' ? { body: {} } : {}),
          ...options,
        });
      expect((await call({ key: null })).status).toBe(401);
      const refused = await call({ key });
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining(scope)]);
    },
  );
});
