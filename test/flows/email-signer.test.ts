import { randomBytes } from 'node:crypto';
import { type Address, createPublicClient, type Hex, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDevice, type Device } from '../../src/areas/signer-codes/test-kit.ts';
import { createSealer } from '../../src/lib/sealing/seal.ts';
import { listSandboxMessages } from '../../src/providers/messaging/sandbox.ts';
import { type Stack, startStack } from '../harness/stack.ts';

const chain = 'base-sepolia';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

const walletPath = (address: string) => `/2025-06-09/wallets/${address}`;

async function readCode(to: string): Promise<string> {
  const sealer = createSealer(stack.ctx.config.keyEncryptionKeys);
  const [message] = await listSandboxMessages({ store: stack.ctx.store, sealer }, { to, limit: 1 });
  return /\b\d{6}\b/.exec(message!.text!)![0];
}

interface Approver {
  readonly address: string;
  readonly locator: string;
  readonly to: string;
  readonly device: Device;
  codeId?: string;
}

/**
 * The signature of a pending approval: by a code the first time, by the device alone afterwards.
 */
async function signPending(approver: Approver, message: string): Promise<string> {
  const { address, locator, to, device } = approver;
  const base = `${walletPath(address)}/signers/${encodeURIComponent(locator)}`;
  let code: string | undefined;
  if (approver.codeId === undefined) {
    const sent = await stack.call('POST', `${base}/codes`, {
      body: { devicePublicKey: device.publicKey, message },
    });
    expect(sent).toMatchObject({ status: 201 });
    approver.codeId = sent.body.codeId as string;
    code = await readCode(to);
  }
  const request = {
    codeId: approver.codeId,
    code,
    nonce: randomBytes(16).toString('base64url'),
    message,
  };
  const deviceSignature = device.sign({ walletAddress: address, signer: locator, ...request });
  const { status, body } = await stack.call('POST', `${base}/signatures`, {
    body: { ...request, deviceSignature },
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.signature;
}

async function createWallet(config: object): Promise<{ address: string }> {
  const { status, body } = await stack.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'evm', type: 'smart', config },
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

const createTransaction = (address: string, signer?: string) =>
  stack.call('POST', `${walletPath(address)}/transactions`, {
    body: {
      params: {
        chain,
        calls: [{ to: '0x1111111111111111111111111111111111111111', value: '0', data: '0x' }],
        ...(signer && { signer }),
      },
    },
  });
const approve = (address: string, kind: string, id: string, approval: object) =>
  stack.call('POST', `${walletPath(address)}/${kind}/${id}/approvals`, {
    body: { approvals: [approval] },
  });

describe('a wallet whose admin is an e-mail address', () => {
  it('sends after a code, signs a message in the same session, and both count on the chain', async () => {
    const { address } = await createWallet({
      adminSigner: { type: 'email', email: 'Ada.Lovelace@gmail.com' },
    });
    const locator = 'email:adalovelace@gmail.com';
    const approver: Approver = { address, locator, to: 'adalovelace@gmail.com', device: aDevice() };

    const created = await createTransaction(address);
    expect(created.body).toMatchObject({
      status: 'awaiting-approval',
      approvals: { pending: [{ signer: { locator } }] },
    });
    expect(created.text).not.toContain('keyId');
    const signature = await signPending(approver, created.body.approvals.pending[0].message);
    const approved = await approve(address, 'transactions', created.body.id, {
      signer: locator,
      signature,
    });
    expect(approved).toMatchObject({ status: 201 });
    const done = await stack.waitForTransaction(address, created.body.id);
    expect(done).toMatchObject({ status: 'success' });

    const message = 'I am Ada.';
    const asked = await stack.call('POST', `${walletPath(address)}/signatures`, {
      body: { type: 'message', params: { message, chain } },
    });
    expect(asked).toMatchObject({ status: 201, body: { status: 'awaiting-approval' } });
    const ownSignature = await signPending(approver, asked.body.approvals.pending[0].message);
    const signed = await approve(address, 'signatures', asked.body.id, {
      signer: locator,
      signature: ownSignature,
    });
    expect(signed).toMatchObject({ status: 201, body: { status: 'success' } });
    const client = createPublicClient({ transport: http(stack.devnet.urlOf(chain)) });
    const verify = (text: string) =>
      client.verifyMessage({
        address: address as Address,
        message: text,
        signature: signed.body.outputSignature as Hex,
      });
    expect(await verify(message)).toBe(true);
    expect(await verify('I am Eve.')).toBe(false);
  });

  it('signs nothing that has been approved already', async () => {
    const { address } = await createWallet({
      adminSigner: { type: 'phone', phone: '+14155550123' },
    });
    const locator = 'phone:+14155550123';
    const approver: Approver = { address, locator, to: '+14155550123', device: aDevice() };
    const created = await createTransaction(address);
    const { message } = created.body.approvals.pending[0];
    const signature = await signPending(approver, message);
    expect(
      (await approve(address, 'transactions', created.body.id, { signer: locator, signature }))
        .status,
    ).toBe(201);
    const request = {
      codeId: approver.codeId!,
      nonce: randomBytes(16).toString('base64url'),
      message,
    };
    const deviceSignature = approver.device.sign({
      walletAddress: address,
      signer: locator,
      ...request,
    });
    const again = await stack.call(
      'POST',
      `${walletPath(address)}/signers/${encodeURIComponent(locator)}/signatures`,
      {
        body: { ...request, deviceSignature },
      },
    );
    expect(again).toMatchObject({ status: 400, body: { code: 'signer-not-approver' } });
  });
});

describe('e-mail and phone signers together', () => {
  it('as two of three, each with a code of its own', async () => {
    const members = [
      { type: 'email', email: 'one@example.com' },
      { type: 'phone', phone: '+14155550124' },
      { type: 'email', email: 'three@example.com' },
    ];
    const { address } = await createWallet({
      recoveryMethods: [{ type: 'quorum', threshold: 2, members }],
    });
    const created = await createTransaction(address);
    expect(created).toMatchObject({ status: 201 });
    const [entry] = created.body.approvals.pending;
    expect(entry.quorumApprovals.pending).toHaveLength(3);
    for (const [locator, to] of [
      ['phone:+14155550124', '+14155550124'],
      ['email:three@example.com', 'three@example.com'],
    ] as const) {
      const { message } = entry.quorumApprovals.pending.find(
        (one: { signer: { locator: string } }) => one.signer.locator === locator,
      );
      const signature = await signPending({ address, locator, to, device: aDevice() }, message);
      expect(
        await approve(address, 'transactions', created.body.id, { signer: locator, signature }),
      ).toMatchObject({ status: 201 });
    }
    expect(await stack.waitForTransaction(address, created.body.id)).toMatchObject({
      status: 'success',
    });
  });

  it('as a delegated signer that the wallet was made with', async () => {
    const { address } = await createWallet({
      adminSigner: { type: 'api-key' },
      delegatedSigners: [{ signer: { type: 'email', email: 'helper@example.com' } }],
    });
    const locator = 'email:helper@example.com';
    const created = await createTransaction(address, locator);
    expect(created).toMatchObject({ status: 201, body: { status: 'awaiting-approval' } });
    const approver: Approver = { address, locator, to: 'helper@example.com', device: aDevice() };
    const signature = await signPending(approver, created.body.approvals.pending[0].message);
    expect(
      await approve(address, 'transactions', created.body.id, { signer: locator, signature }),
    ).toMatchObject({ status: 201 });
    expect(await stack.waitForTransaction(address, created.body.id)).toMatchObject({
      status: 'success',
    });
  });
});

it.each([
  [
    'an e-mail',
    { type: 'email', email: 'grace@example.com' },
    'email:grace@example.com',
    'grace@example.com',
  ],
  [
    'a short message',
    { type: 'phone', phone: '+14155550177' },
    'phone:+14155550177',
    '+14155550177',
  ],
])(
  '%s with a code says amount, token and recipient of what it approves',
  async (_, adminSigner, locator, to) => {
    const { address } = await createWallet({ adminSigner });
    await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
      body: { amount: 10, token: 'usdxm', chain },
    });
    const recipient = '0x000000000000000000000000000000000000bEEF';
    const { body } = await stack.call(
      'POST',
      `${walletPath(address)}/tokens/${chain}:usdxm/transfers`,
      {
        body: { recipient, amount: '2.5' },
      },
    );
    const { message } = body.approvals.pending[0];
    const approver = { address, locator, to, device: aDevice() };
    const signature = await signPending(approver, message);
    const sealer = createSealer(stack.ctx.config.keyEncryptionKeys);
    const [sent] = await listSandboxMessages({ store: stack.ctx.store, sealer }, { to, limit: 1 });
    expect(sent!.text).toContain(`send 2.5 USDXM to ${recipient} on ${chain}`);
    const approved = await stack.call(
      'POST',
      `${walletPath(address)}/transactions/${body.id}/approvals`,
      {
        body: { approvals: [{ signer: locator, signature }] },
      },
    );
    expect(approved.status).toBe(201);
    expect(await stack.waitForTransaction(address, body.id)).toMatchObject({ status: 'success' });
  },
);
