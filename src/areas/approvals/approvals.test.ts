import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Signer } from '../../chains/family.ts';
import { transactionRoutes } from '../transactions/routes.ts';
import type { WalletRecord } from '../wallets/index.ts';
import {
  type ApprovalsWorld,
  anExternalWallet,
  approvalOf,
  aQuorum,
  chain,
  signatureOf,
  startApprovalsWorld,
} from './test-kit.ts';

let world: ApprovalsWorld;
beforeAll(async () => {
  world = await startApprovalsWorld(transactionRoutes);
});
afterAll(() => world?.close());

const [ann, ben, cid, dan] = ['ann', 'ben', 'cid', 'dan'].map(anExternalWallet) as [
  Signer,
  Signer,
  Signer,
  Signer,
];
const pathOf = (wallet: WalletRecord) => `/2025-06-09/wallets/${wallet.address}/transactions`;

async function aTransaction(adminSigner: Signer, params: object = {}) {
  const wallet = await world.aWallet({ adminSigner });
  const created = await world.api.call('POST', pathOf(wallet), {
    body: { params: { chain, calls: [], ...params } },
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const { id } = created.body;
  return {
    id,
    created: created.body,
    message: String(created.body.onChain.userOperationHash),
    submit: (approvals: unknown) =>
      world.api.call('POST', `${pathOf(wallet)}/${id}/approvals`, { body: { approvals } }),
    read: async () => (await world.api.call('GET', `${pathOf(wallet)}/${id}`)).body,
  };
}

const locatorsOf = (entries: readonly { signer: { locator: string } }[]) =>
  entries.map(({ signer }) => signer.locator);
const relayedOf = (id: string) => world.submitted.filter((input) => input.operationId === id);
const codeOf = ({ status, body }: { status: number; body: { code?: string; status?: string } }) => [
  status,
  body.code ?? body.status,
];

describe('one signer', () => {
  it('is asked alone, and its approval is shown as it was sent', async () => {
    const { created, message, submit, read } = await aTransaction(ann);
    expect(created.approvals).toEqual({
      required: 1,
      pending: [{ signer: ann, message }],
      submitted: [],
    });
    const metadata = { deviceInfo: 'phone', ipAddress: '192.0.2.1', userAgent: 'test' };
    const approved = await submit([{ ...approvalOf(ann, message), metadata }]);
    expect(codeOf(approved)).toEqual([201, 'pending']);
    expect(approved.body.approvals).toEqual({
      required: 1,
      pending: [],
      submitted: [
        {
          signer: ann,
          message,
          signature: signatureOf(ann, message),
          submittedAt: world.clock.now().getTime(),
          metadata,
        },
      ],
    });
    expect(await read()).toEqual(approved.body);
  });

  it('keeps what an authenticator says beside its signature for the family to check', async () => {
    const passkey = {
      type: 'passkey',
      locator: 'passkey:cred-1',
      id: 'cred-1',
      name: 'Key',
      publicKey: { x: '1', y: '2' },
    } as const;
    const { id, message, submit } = await aTransaction(passkey);
    const metadata = {
      authenticatorData: '0x01',
      challengeIndex: 23,
      clientDataJSON: '{"type":"webauthn.get"}',
      typeIndex: 1,
      userVerificationRequired: true,
    };
    const { body } = await submit([
      {
        ...approvalOf(passkey, message),
        metadata: { ...metadata, challengeIndex: '23', other: 'dropped' },
      },
    ]);
    expect(body.approvals.submitted[0]).toMatchObject({
      signer: { type: 'passkey', locator: 'passkey:cred-1', id: 'cred-1' },
      metadata,
    });
    expect(body.approvals.submitted[0].metadata).not.toHaveProperty('other');
    expect(relayedOf(id)[0]?.approvals[0]?.metadata).toEqual(metadata);
  });

  it.each([
    [
      {
        type: 'server',
        locator: ann.locator.replace('external-wallet', 'server'),
        address: ann.address!,
      },
      ['address'],
    ],
    [
      {
        type: 'passkey',
        locator: 'passkey:c',
        id: 'c',
        name: 'n',
        publicKey: { x: '1', y: '2' },
        validatorContractVersion: '1',
      },
      ['id'],
    ],
    [
      {
        type: 'email',
        locator: 'email:a@example.com',
        email: 'a@example.com',
        address: ann.address!,
        keyId: 'secret',
      },
      ['email'],
    ],
    [
      {
        type: 'phone',
        locator: 'phone:+14155550123',
        phone: '+14155550123',
        address: ann.address!,
        keyId: 'secret',
      },
      ['phone'],
    ],
    [{ type: 'external-wallet', locator: ann.locator, address: ann.address! }, ['address']],
  ] as const)('of a kind of its own shows its own fields: %o', async (signer, fields) => {
    const { created } = await aTransaction(signer);
    expect(Object.keys(created.approvals.pending[0].signer).sort()).toEqual(
      ['locator', 'type', ...fields].sort(),
    );
  });

  it('of an api key is never asked: the transaction goes on by itself', async () => {
    const signer = await world.anApiKeySigner();
    const { id, created } = await aTransaction(signer);
    expect([created.status, created.approvals]).toEqual([
      'pending',
      { pending: [], submitted: [] },
    ]);
    expect(created.params.signer).toEqual({
      type: 'api-key',
      locator: signer.locator,
      address: signer.address,
    });
    expect(relayedOf(id)[0]?.approvals).toEqual([
      { signer, signature: expect.stringMatching(/^[0-9a-f]{130}$/) },
    ]);
  });
});

describe('a quorum', () => {
  it('stays pending until as many members as its threshold have signed, each under its own locator', async () => {
    const quorum = aQuorum(2, [ann, ben, cid]);
    const { id, created, message, submit } = await aTransaction(quorum);
    const signer = { type: 'quorum', locator: quorum.locator };
    const asked = [ann, ben, cid].map((member) => ({ signer: member, message }));
    expect(created.approvals).toEqual({
      required: 1,
      pending: [
        { signer, quorumApprovals: { threshold: 2, remaining: 2, pending: asked, submitted: [] } },
      ],
      submitted: [],
    });
    const first = await submit([approvalOf(cid, message)]);
    expect(codeOf(first)).toEqual([201, 'awaiting-approval']);
    const [entry] = first.body.approvals.pending;
    expect(entry.quorumApprovals).toEqual({
      threshold: 2,
      remaining: 1,
      pending: asked.slice(0, 2),
      submitted: [
        {
          signer: cid,
          message,
          signature: signatureOf(cid, message),
          submittedAt: expect.any(Number),
        },
      ],
    });
    expect(first.body.approvals.submitted).toEqual([]);
    expect(relayedOf(id)).toEqual([]);
    const last = await submit([approvalOf(ann, message)]);
    expect(codeOf(last)).toEqual([201, 'pending']);
    expect(last.body.approvals.pending).toEqual([]);
    expect(last.body.approvals.submitted).toMatchObject([
      { signer, quorumApprovals: { threshold: 2, remaining: 0, pending: [] } },
    ]);
    expect(locatorsOf(last.body.approvals.submitted[0].quorumApprovals.submitted)).toEqual([
      cid.locator,
      ann.locator,
    ]);
    expect(locatorsOf(relayedOf(id)[0]!.approvals)).toEqual([cid.locator, ann.locator]);
  });

  it('takes several members in one call, and no more of them to the chain than it needs', async () => {
    const { id, message, submit } = await aTransaction(aQuorum(2, [ann, ben, cid, dan]));
    const { body } = await submit([dan, ann, ben].map((member) => approvalOf(member, message)));
    expect([body.status, body.approvals.submitted[0].quorumApprovals.remaining]).toEqual([
      'pending',
      0,
    ]);
    expect(body.approvals.submitted[0].quorumApprovals.submitted).toHaveLength(3);
    expect(relayedOf(id)[0]!.approvals).toHaveLength(2);
  });

  it('does not count a member twice', async () => {
    const { id, message, submit, read } = await aTransaction(aQuorum(2, [ann, ben]));
    expect(codeOf(await submit([approvalOf(ann, message), approvalOf(ann, message)]))).toEqual([
      400,
      'validation-error',
    ]);
    const upper = {
      ...approvalOf(ann, message),
      signer: `external-wallet:0x${ann.address!.slice(2).toUpperCase()}`,
    };
    expect(codeOf(await submit([approvalOf(ann, message), upper]))).toEqual([
      400,
      'validation-error',
    ]);
    expect((await read()).approvals.pending[0].quorumApprovals.remaining).toBe(2);
    await submit([approvalOf(ann, message)]);
    expect(codeOf(await submit([upper]))).toEqual([409, 'approval-already-submitted']);
    expect([(await read()).approvals.pending[0].quorumApprovals.remaining, relayedOf(id)]).toEqual([
      1,
      [],
    ]);
  });

  it('records all or none of a list', async () => {
    const { message, submit, read } = await aTransaction(aQuorum(3, [ann, ben, cid]));
    await submit([approvalOf(ann, message)]);
    const before = await read();
    for (const [approvals, answer] of [
      [
        [approvalOf(ben, message), { ...approvalOf(cid, message), signature: '0x00' }],
        [400, 'invalid-signature'],
      ],
      [
        [approvalOf(ben, message), approvalOf(dan, message)],
        [400, 'signer-not-approver'],
      ],
      [
        [approvalOf(ben, message), approvalOf(ann, message)],
        [409, 'approval-already-submitted'],
      ],
      [[], [400, 'validation-error']],
    ] as const) {
      expect(codeOf(await submit(approvals))).toEqual(answer);
      expect(await read()).toEqual(before);
    }
  });

  it('does not let a stranger, itself or its own locator approve', async () => {
    const quorum = aQuorum(1, [ann, ben]);
    const { message, submit } = await aTransaction(quorum);
    for (const signer of [dan, quorum])
      expect(codeOf(await submit([approvalOf(signer, message)]))).toEqual([
        400,
        'signer-not-approver',
      ]);
  });

  it('answers that it is enough to a member who comes after that', async () => {
    const { message, submit } = await aTransaction(aQuorum(1, [ann, ben]));
    await submit([approvalOf(ann, message)]);
    expect(codeOf(await submit([approvalOf(ben, message)]))).toEqual([422, 'approvals-complete']);
    expect(codeOf(await submit([]))).toEqual([201, 'pending']);
  });

  it('records both of two members who approve at the same moment, and goes out once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, message, submit, read } = await aTransaction(aQuorum(2, [ann, ben, cid]), {
        round,
      });
      const answers = await Promise.all(
        [ann, ben].map((member) => submit([approvalOf(member, message)])),
      );
      expect(answers.map(codeOf).sort()).toEqual([
        [201, 'awaiting-approval'],
        [201, 'pending'],
      ]);
      const { approvals } = await read();
      expect(locatorsOf(approvals.submitted[0].quorumApprovals.submitted).sort()).toEqual(
        [ann.locator, ben.locator].sort(),
      );
      expect(relayedOf(id)).toHaveLength(1);
    }
  });

  it('has three of three approve at once: nobody is lost, whoever comes last sends it', async () => {
    const { id, message, submit, read } = await aTransaction(aQuorum(3, [ann, ben, cid]));
    const answers = await Promise.all(
      [ann, ben, cid].map((member) => submit([approvalOf(member, message)])),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await read()).approvals.submitted[0].quorumApprovals.submitted).toHaveLength(3);
    expect(relayedOf(id)).toHaveLength(1);
  });

  it('has its api-key members approved by the service, at once and under their own name', async () => {
    const signer = await world.anApiKeySigner();
    const { id, created, message, submit } = await aTransaction(aQuorum(2, [signer, ann, ben]));
    const [entry] = created.approvals.pending;
    expect(entry.quorumApprovals).toMatchObject({
      remaining: 1,
      submitted: [{ signer: { type: 'api-key', locator: signer.locator } }],
    });
    expect(JSON.stringify(created)).not.toContain('keyId');
    expect(codeOf(await submit([approvalOf(ann, message)]))).toEqual([201, 'pending']);
    expect(
      relayedOf(id)[0]!.approvals.map(({ signer: { locator, keyId } }) => [locator, keyId]),
    ).toEqual([
      [signer.locator, signer['keyId']],
      [ann.locator, undefined],
    ]);
  });

  it('that an api key alone satisfies asks nobody', async () => {
    const signer = await world.anApiKeySigner();
    const { id, created } = await aTransaction(aQuorum(1, [ann, signer]));
    expect([created.status, created.approvals.pending]).toEqual(['pending', []]);
    expect(created.approvals.submitted[0].quorumApprovals).toMatchObject({
      remaining: 0,
      pending: [],
    });
    expect(relayedOf(id)[0]!.approvals).toHaveLength(1);
  });

  it('has no more approved by the service than it needs', async () => {
    const signers = await Promise.all(
      ['api-key', 'another-key'].map((purpose) => world.anApiKeySigner(purpose)),
    );
    const { id, created } = await aTransaction(aQuorum(1, signers));
    expect(created.approvals.submitted[0].quorumApprovals).toMatchObject({
      remaining: 0,
      submitted: [{ signer: { type: 'api-key' } }],
    });
    expect(
      [created.approvals.submitted[0].quorumApprovals.submitted, relayedOf(id)[0]!.approvals].map(
        ({ length }) => length,
      ),
    ).toEqual([1, 1]);
  });

  it('acts under its own locator beside other recovery methods', async () => {
    const quorum = aQuorum(1, [ann, ben]);
    const wallet = await world.aWallet({ adminSigner: dan, recoveryMethods: [dan, quorum] });
    const create = (signer?: string) =>
      world.api.call('POST', pathOf(wallet), {
        body: { params: { chain, calls: [], ...(signer === undefined ? {} : { signer }) } },
      });
    expect((await create()).body.approvals.pending[0].signer.locator).toBe(dan.locator);
    expect((await create(quorum.locator)).body.approvals.pending[0].signer.locator).toBe(
      quorum.locator,
    );
    expect(codeOf(await create(ann.locator))).toEqual([400, 'transaction-invalid']);
  });
});
