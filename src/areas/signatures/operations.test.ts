import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factsOf } from '../../chains/families.ts';
import type { OperationResult, Signer } from '../../chains/family.ts';
import {
  type ApprovalsWorld,
  anExternalWallet,
  approvalOf,
  aQuorum,
  chain,
  signatureOf,
  startApprovalsWorld,
} from '../approvals/test-kit.ts';
import {
  closeSignatureWindows,
  createOperationSignature,
  getSignaturesById,
  settleSignatures,
} from './index.ts';
import { signatureRoutes } from './routes.ts';

let world: ApprovalsWorld;
beforeAll(async () => {
  world = await startApprovalsWorld(signatureRoutes);
});
afterAll(() => world?.close());

const [ann, ben] = ['ann', 'ben'].map(anExternalWallet) as [Signer, Signer];
const message = `0x${'11'.repeat(32)}`;
const prepared = ({ address }: { readonly address: string }) => ({
  chain,
  params: {},
  operation: { message, wallet: address },
  onChain: {},
  message,
  validUntil: new Date(world.clock.now().getTime() + 1_000),
  feesEstimate: {},
  counterparties: [],
  typedData: { primaryType: 'Operation', message: { nonce: '1' } },
});

async function anOperationSignature(signer: Signer = ann) {
  const wallet = await world.aWallet({ adminSigner: signer });
  const record = await createOperationSignature(world.requestCtx(), {
    wallet,
    prepared: prepared(wallet),
    signer,
  });
  const path = `/2025-06-09/wallets/${wallet.address}/signatures/${record.id}`;
  return {
    wallet,
    record,
    id: record.id,
    read: async () => (await world.api.call('GET', path)).body,
    submit: (approvals: unknown) =>
      world.api.call('POST', `${path}/approvals`, { body: { approvals } }),
  };
}

const settle = (...outcomes: OperationResult[]) =>
  world.ctx.store.transaction((tx) => settleSignatures(world.ctx, tx, outcomes));
const relayedOf = (id: string) => world.submitted.filter((input) => input.operationId === id);
const ended = (operationId: string) => ({
  operationId,
  onChain: { txId: '0x01' },
  at: new Date('2026-02-01T00:00:00Z'),
});
const error = { reason: 'execution_reverted', message: 'The call reverts.' } as const;

describe('the signature of an operation', () => {
  it('shows the operation as typed data, goes to the relay when approved, and succeeds with it', async () => {
    const { id, read, submit } = await anOperationSignature();
    expect(await read()).toMatchObject({
      type: 'typed-data',
      status: 'awaiting-approval',
      params: {
        chain,
        signer: ann,
        typedData: { primaryType: 'Operation', message: { nonce: '1' } },
      },
      approvals: { pending: [{ signer: ann, message }] },
    });
    const approved = await submit([approvalOf(ann, message)]);
    expect([approved.status, approved.body.status]).toEqual([201, 'pending']);
    expect(approved.body).not.toHaveProperty('outputSignature');
    expect(relayedOf(id)).toMatchObject([
      { chain, operation: { message }, approvals: [{ signer: ann }] },
    ]);
    await settle({ ...ended(id), status: 'success' });
    const done = await read();
    expect(done).toMatchObject({
      status: 'success',
      outputSignature: signatureOf(ann, message),
      completedAt: '2026-02-01T00:00:00.000Z',
    });
    expect(done).not.toHaveProperty('error');
  });

  it('fails with its operation, and a reorganisation may turn that over', async () => {
    const { id, read, submit } = await anOperationSignature();
    await submit([approvalOf(ann, message)]);
    await settle({ ...ended(id), status: 'failed', error });
    const failed = await read();
    expect(failed).toMatchObject({ status: 'failed', error });
    expect(failed).not.toHaveProperty('outputSignature');
    await settle({ ...ended(id), status: 'success' });
    const done = await read();
    expect([done.status, done.error, done.outputSignature]).toEqual([
      'success',
      undefined,
      signatureOf(ann, message),
    ]);
    await settle(
      { ...ended(id), status: 'success' },
      { ...ended(world.ctx.ids.uuid()), status: 'success' },
    );
    expect(await read()).toEqual(done);
    await settle({ ...ended(id), status: 'success', at: new Date('2026-03-01T00:00:00Z') });
    expect((await read()).completedAt).toBe('2026-02-01T00:00:00.000Z');
  });

  it('of an api-key signer is on its way at once', async () => {
    const signer = await world.anApiKeySigner();
    const { id, record, read } = await anOperationSignature(signer);
    expect([record.status, (await read()).approvals]).toEqual([
      'pending',
      { pending: [], submitted: [] },
    ]);
    expect(relayedOf(id)).toHaveLength(1);
    await settle({ ...ended(id), status: 'success' });
    expect((await read()).outputSignature).toMatch(/^[0-9a-f]{130}$/);
  });

  it('is not ended by an outcome before its approval, nor relayed after its window', async () => {
    const { id, read, submit } = await anOperationSignature(aQuorum(2, [ann, ben]));
    await submit([approvalOf(ann, message)]);
    await settle({ ...ended(id), status: 'success' });
    expect((await read()).status).toBe('awaiting-approval');
    world.clock.advance(1_000);
    await closeSignatureWindows(world.ctx);
    expect((await read()).status).toBe('failed');
    expect((await submit([approvalOf(ben, message)])).status).toBe(409);
    expect(relayedOf(id)).toEqual([]);
  });

  it('is stored together with what its caller stores, or neither', async () => {
    const wallet = await world.aWallet({ adminSigner: await world.anApiKeySigner() });
    const before = world.submitted.length;
    const refused = createOperationSignature(world.requestCtx(), {
      wallet,
      prepared: prepared(wallet),
      signer: wallet.adminSigner,
      alongside: async () => {
        throw new Error('somebody was faster');
      },
    });
    await expect(refused).rejects.toThrow('somebody was faster');
    expect(world.submitted).toHaveLength(before);
    expect(
      (await world.api.call('GET', `/2025-06-09/wallets/${wallet.address}/signatures`)).body
        .signatures,
    ).toEqual([]);
    let told: string | undefined;
    const made = await createOperationSignature(world.requestCtx(), {
      wallet,
      prepared: prepared(wallet),
      signer: wallet.adminSigner,
      alongside: async (_tx, record) => {
        told = record.id;
      },
    });
    expect(told).toBe(made.id);
    const again = createOperationSignature(world.requestCtx(), {
      wallet,
      prepared: prepared(wallet),
      signer: wallet.adminSigner,
      id: made.id,
    });
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    const found = await getSignaturesById(world.ctx, {
      walletId: wallet.id,
      ids: [made.id, world.ctx.ids.uuid()],
    });
    expect(found.map(({ id }) => id)).toEqual([made.id]);
  });
});

describe('the output signature of an operation', () => {
  const by = (...signatures: (string | { r: string; s: string })[]) =>
    factsOf('evm').outputOf(signatures.map((signature) => ({ signer: ann, signature })));

  it.each([
    ['one text is itself', by('0xab'), '0xab'],
    [
      'r and s are their 64 bytes',
      by({ r: '0x1', s: '255' }),
      `0x${'1'.padStart(64, '0')}${'ff'.padStart(64, '0')}`,
    ],
    [
      'r and s may come without 0x',
      by({ r: 'ab', s: 'CD' }),
      `0x${'ab'.padStart(64, '0')}${'cd'.padStart(64, '0')}`,
    ],
    ['of several are one after the other', by('0xab', '0xcd'), '0xabcd'],
    ['that are no hexadecimal are listed', by('3x', '4y'), '3x,4y'],
  ])('%s', (_name, made, expected) => {
    expect(made).toBe(expected);
  });
});
