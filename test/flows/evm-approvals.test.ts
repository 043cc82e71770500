import {
  createPublicClient,
  type Hex,
  hashMessage,
  hashTypedData,
  http,
  type PublicClient,
  recoverAddress,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../harness/stack.ts';

const chain = 'base-sepolia';
const usdxm = `${chain}:usdxm`;
const somebody = '0x000000000000000000000000000000000000bEEF';

let stack: Stack;
let node: PublicClient;
beforeAll(async () => {
  stack = await startStack();
  node = createPublicClient({ transport: http(stack.devnet.urlOf(chain)) });
});
afterAll(() => stack?.close());

const anAccount = () => privateKeyToAccount(generatePrivateKey());
const externalWallet = ({ address }: PrivateKeyAccount) => ({ type: 'external-wallet', address });
const locatorOf = ({ address }: PrivateKeyAccount) => `external-wallet:${address}`;
const pathOf = (address: string, rest: string) => `/2025-06-09/wallets/${address}${rest}`;

async function aWallet(config: object): Promise<Hex> {
  const { status, body, text } = await stack.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'evm', type: 'smart', config },
  });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return body.address;
}

const quorumOf = (threshold: number, members: readonly PrivateKeyAccount[]) => ({
  recoveryMethods: [{ type: 'quorum', threshold, members: members.map(externalWallet) }],
});

async function fund(address: string) {
  const { status } = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
    body: { amount: 10, token: 'usdxm', chain },
  });
  expect(status).toBe(201);
}

async function transfer(address: string, recipient = somebody) {
  const { status, body, text } = await stack.call(
    'POST',
    pathOf(address, `/tokens/${usdxm}/transfers`),
    {
      body: { recipient, amount: '1' },
    },
  );
  expect([status, text]).toEqual([201, expect.any(String)]);
  return body;
}

async function sign(address: string, body: object) {
  const created = await stack.call('POST', pathOf(address, '/signatures'), { body });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  return created.body;
}

const approve = (path: string, approvals: unknown) =>
  stack.call('POST', `${path}/approvals`, { body: { approvals } });
const approvalBy = async (account: PrivateKeyAccount, message: Hex) => ({
  signer: locatorOf(account),
  signature: await account.signMessage({ message: { raw: message } }),
});

const typedData = {
  domain: { name: 'Shop', version: '1', chainId: 84532, verifyingContract: somebody },
  types: {
    Order: [
      { name: 'id', type: 'uint256' },
      { name: 'note', type: 'string' },
    ],
  },
  primaryType: 'Order',
  message: { id: '12345678901234567890123456789', note: 'two of them' },
} as const;
const isTypedDataOf = (address: Hex, signature: Hex) =>
  node.verifyTypedData({
    address,
    signature,
    ...typedData,
    message: { ...typedData.message, id: BigInt(typedData.message.id) },
  });

describe('a quorum of owners', () => {
  it('moves money with two of three, in any order, each by EIP-191 or EIP-712', async () => {
    const [ann, ben, cid] = [anAccount(), anAccount(), anAccount()];
    const address = await aWallet(quorumOf(2, [ann, ben, cid]));
    await fund(address);
    const created = await transfer(address);
    const [entry] = created.approvals.pending;
    expect([
      created.status,
      entry.quorumApprovals.threshold,
      entry.quorumApprovals.remaining,
    ]).toEqual(['awaiting-approval', 2, 2]);
    const path = pathOf(address, `/transactions/${created.id}`);
    const messageOf = (account: PrivateKeyAccount): Hex =>
      entry.quorumApprovals.pending.find(
        ({ signer }: { signer: { locator: string } }) => signer.locator === locatorOf(account),
      ).message;
    const first = await approve(path, [await approvalBy(cid, messageOf(cid))]);
    expect([first.status, first.body.status]).toEqual([201, 'awaiting-approval']);
    const { typedData: operation } = created.onChain;
    expect(hashTypedData(operation)).toBe(messageOf(ann));
    const last = await approve(path, [
      { signer: locatorOf(ann), signature: await ann.signTypedData(operation) },
    ]);
    expect([last.status, last.body.status]).toEqual([201, 'pending']);
    expect(await stack.waitForTransaction(address, created.id)).toMatchObject({
      status: 'success',
      onChain: { txId: expect.any(String) },
    });
  });

  it('signs messages that the chain accepts, before the wallet is deployed and after', async () => {
    const [ann, ben, cid] = [anAccount(), anAccount(), anAccount()];
    const address = await aWallet(quorumOf(2, [ann, ben, cid]));
    const signHello = async () => {
      const { id, approvals } = await sign(address, {
        type: 'message',
        params: { chain, message: 'hello' },
      });
      const [{ quorumApprovals }] = approvals.pending;
      const [{ message }] = quorumApprovals.pending;
      const both = await Promise.all([ben, cid].map((account) => approvalBy(account, message)));
      const { body } = await approve(pathOf(address, `/signatures/${id}`), both);
      expect(body.status).toBe('success');
      return body.outputSignature as Hex;
    };
    const undeployed = await signHello();
    expect(undeployed.endsWith('6492'.repeat(16))).toBe(true);
    expect(await node.verifyMessage({ address, message: 'hello', signature: undeployed })).toBe(
      true,
    );
    expect(await node.verifyMessage({ address, message: 'hello!', signature: undeployed })).toBe(
      false,
    );
    await fund(address);
    const { id, approvals } = await transfer(address);
    const [{ quorumApprovals }] = approvals.pending;
    const both = await Promise.all(
      [ann, ben].map((account) => approvalBy(account, quorumApprovals.pending[0].message)),
    );
    await approve(pathOf(address, `/transactions/${id}`), both);
    expect((await stack.waitForTransaction(address, id)).status).toBe('success');
    const deployed = await signHello();
    expect(await node.verifyMessage({ address, message: 'hello', signature: deployed })).toBe(true);
  });
});

describe('a signature on EVM', () => {
  it('of an api-key signer is there at once and the chain accepts it', async () => {
    const address = await aWallet({ adminSigner: { type: 'api-key' } });
    const message = await sign(address, { type: 'message', params: { chain, message: 'hello' } });
    expect(message).toMatchObject({
      status: 'success',
      type: 'message',
      params: { message: 'hello', chain, signer: { type: 'api-key' } },
    });
    expect(
      await node.verifyMessage({ address, message: 'hello', signature: message.outputSignature }),
    ).toBe(true);
    const typed = await sign(address, { type: 'typed-data', params: { chain, typedData } });
    expect(await isTypedDataOf(address, typed.outputSignature)).toBe(true);
  });

  it('of an external wallet waits for its approval, by EIP-191 or EIP-712', async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id, approvals, status } = await sign(address, {
      type: 'typed-data',
      params: { chain, typedData },
    });
    expect(status).toBe('awaiting-approval');
    const [{ message, signer }] = approvals.pending;
    const path = pathOf(address, `/signatures/${id}`);
    const wrong = await approve(path, [
      {
        signer: signer.locator,
        signature: await anAccount().signMessage({ message: { raw: message } }),
      },
    ]);
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid-signature']);
    const { body } = await approve(path, [await approvalBy(ann, message)]);
    expect(body.status).toBe('success');
    expect(await isTypedDataOf(address, body.outputSignature)).toBe(true);
    const again = await sign(address, { type: 'typed-data', params: { chain, typedData } });
    const hash = again.approvals.pending[0].message as Hex;
    const direct = await approve(pathOf(address, `/signatures/${again.id}`), [
      { signer: signer.locator, signature: await ann.sign({ hash }) },
    ]);
    expect(await isTypedDataOf(address, direct.body.outputSignature)).toBe(true);
  });

  it('may be the signer’s own instead of the wallet’s', async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    const { id, approvals } = await sign(address, {
      type: 'typed-data',
      params: { chain, typedData, isSmartWalletSignature: false },
    });
    const [{ message }] = approvals.pending;
    const { body } = await approve(pathOf(address, `/signatures/${id}`), [
      { signer: locatorOf(ann), signature: await ann.sign({ hash: message }) },
    ]);
    const hash = hashTypedData({
      ...typedData,
      message: { ...typedData.message, id: BigInt(typedData.message.id) },
    });
    expect([body.status, await recoverAddress({ hash, signature: body.outputSignature })]).toEqual([
      'success',
      ann.address,
    ]);
  });

  it('says nothing about the text itself: a message is no approval of an operation', async () => {
    const ann = anAccount();
    const address = await aWallet({ adminSigner: externalWallet(ann) });
    await fund(address);
    const { id, approvals } = await transfer(address);
    const [{ message: operationHash }] = approvals.pending;
    const asked = await sign(address, {
      type: 'message',
      params: { chain, message: operationHash },
    });
    expect(asked.approvals.pending[0].message).not.toBe(operationHash);
    expect(asked.approvals.pending[0].message).not.toBe(hashMessage(operationHash));
    const signature = await ann.signMessage({
      message: { raw: asked.approvals.pending[0].message },
    });
    const refused = await approve(pathOf(address, `/transactions/${id}`), [
      { signer: locatorOf(ann), signature },
    ]);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-signature']);
  });

  it.each([
    [
      'auth entries',
      { type: 'auth-entries', params: { authorizationEntries: 'AAAA' } },
      'signature-type-not-supported',
    ],
    ['no chain', { type: 'message', params: { message: 'x' } }, 'validation-error'],
    [
      'another chain',
      { type: 'message', params: { message: 'x', chain: 'solana' } },
      'chain-not-supported',
    ],
    ['no message', { type: 'message', params: { chain } }, 'validation-error'],
    ['no typed data', { type: 'typed-data', params: { chain } }, 'validation-error'],
  ])('of %s is refused', async (_name, body, code) => {
    const address = await aWallet({ adminSigner: { type: 'api-key' } });
    const answer = await stack.call('POST', pathOf(address, '/signatures'), { body });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});

describe('a transaction on EVM', () => {
  it('to an address on a sanctions list is refused, by transfer and by call', async () => {
    const address = await aWallet({ adminSigner: { type: 'api-key' } });
    await fund(address);
    const listed = '0xbadbadbadbadbadbadbadbadbadbadbadbadbad1';
    const sent = await stack.call('POST', pathOf(address, `/tokens/${usdxm}/transfers`), {
      body: { recipient: listed, amount: '1' },
    });
    expect([sent.status, sent.body.code]).toEqual([400, 'sanctioned-address']);
    const called = await stack.call('POST', pathOf(address, '/transactions'), {
      body: { params: { chain, calls: [{ to: listed, value: '0', data: '0x' }] } },
    });
    expect([called.status, called.body.code]).toEqual([400, 'sanctioned-address']);
  });

  it('says what it will change before it is signed, and what it was billed after', async () => {
    const address = await aWallet({ adminSigner: { type: 'api-key' } });
    await fund(address);
    const created = await transfer(address);
    expect(created.preview).toMatchObject({ balanceChanges: expect.any(Array), sponsored: true });
    const done = await stack.waitForTransaction(address, created.id);
    expect(done.fees).toMatchObject({
      mode: 'project',
      billed: { usd: expect.any(Number) },
      billing: { status: 'settled' },
    });
    expect(done.fees.billed.usd).toBeGreaterThan(0);
  });
});
