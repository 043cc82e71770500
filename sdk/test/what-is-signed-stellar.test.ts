/** @module-tag slow */

import { Asset, Keypair, Operation, xdr } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addressValue,
  amountValue,
  invocationOf,
  preimageOf,
  transfer as transferCall,
  upgrade,
} from '../../contracts/stellar/index.ts';
import { stellarNetwork } from '../../src/chains/stellar/config/networks.ts';
import { muxedAddress } from '../../src/chains/stellar/operation/calls.ts';
import { connectClient, type StellarClient } from '../../src/chains/stellar/testing/client.ts';
import {
  p256Signer,
  type TestSigner,
  ed25519Signer as testEd25519,
} from '../../src/chains/stellar/testing/smart.ts';
import { developmentSecrets } from '../../src/config/development-config.ts';
import { type Stack, startStack } from '../../test/harness/stack.ts';
import {
  ApprovalRefusedError,
  createPurser,
  ed25519Signer,
  type OperationReview,
  type Purser,
  type PurserSigner,
  type Review,
  type Transaction,
} from '../src/index.ts';

/**
 * Smart wallets on Stellar: as what-is-signed-solana.test.ts, for the authorizations that their
 * signers sign.
 */

const usdxm = 'stellar:usdxm';
let stack: Stack;
let purser: Purser;
let client: StellarClient;
let asset: Asset;
let contract: string;
const { passphrase, nativeContract } = stellarNetwork('development');
const seen: OperationReview[] = [];
const review = (_: unknown, shown: Review) => void seen.push(shown as OperationReview);
beforeAll(async () => {
  stack = await startStack({ families: ['stellar'] });
  purser = createPurser({ baseUrl: stack.api.baseUrl, apiKey: stack.api.serverKey });
  client = connectClient(stack.urlOf('stellar'));
  const issuer = Keypair.fromRawEd25519Seed(
    Buffer.from(developmentSecrets(stack.dataDir).stellar.treasuryKey.reveal()),
  );
  asset = new Asset('USDXM', issuer.publicKey());
  contract = asset.contractId(passphrase);
});
afterAll(() => stack?.close());
beforeEach(() => void seen.splice(0));

/** A key of the user's, and what it has signed. */
function aKey(type: 'external-wallet' | 'server' = 'external-wallet') {
  const keypair = Keypair.random();
  const signed: Uint8Array[] = [];
  const sign = async (bytes: Uint8Array) => (
    signed.push(bytes), new Uint8Array(keypair.sign(Buffer.from(bytes)))
  );
  return { signed, signer: ed25519Signer({ address: keypair.publicKey(), sign }, type) };
}

function aP256({ signer, approve }: TestSigner): PurserSigner {
  const { locator, id, ...rest } = signer;
  const input = signer.type === 'device' ? rest : { id, ...rest };
  return {
    locator: signer.type === 'device' ? `device:${pointOf(signer)}` : locator,
    input,
    async approve({ message }) {
      const { signature, metadata } = approve({ message });
      return {
        signature: signature as { r: string; s: string },
        ...(metadata && { metadata: metadata as Record<string, unknown> }),
      };
    },
  };
}

function pointOf(signer: object): string {
  const { x, y } = (signer as { publicKey: { x: string; y: string } }).publicKey;
  const word = (value: string) => BigInt(value).toString(16).padStart(64, '0');
  return Buffer.from(`04${word(x)}${word(y)}`, 'hex').toString('base64');
}

async function aWallet(config: object): Promise<string> {
  const body = {
    chainType: 'stellar' as const,
    type: 'smart' as const,
    config: { delegatedSigners: [], ...config },
  };
  const { address } = await purser.createWallet(body as never);
  await purser.fundWallet(address, { amount: 50, token: 'usdxm', chain: 'stellar' });
  return address;
}

async function aHolder(): Promise<string> {
  const holder = await client.newAccount();
  await client.send(holder, [Operation.changeTrust({ asset })]);
  return holder.publicKey();
}

describe('on Stellar, with an honest service', () => {
  it.each([
    ['external wallet', aKey().signer],
    ['server', aKey('server').signer],
    ['passkey', aP256(p256Signer('passkey'))],
  ])('the owner’s %s signs what it sees: amount, token and recipient', async (_, signer) => {
    const address = await aWallet({ adminSigner: signer.input });
    const recipient = await aHolder();
    for (const act of [{ review }, {}]) {
      const sent = await purser.transfer(
        address,
        usdxm,
        { recipient, amount: '12.5' },
        { signers: [signer], ...act },
      );
      expect(sent.status).toBe('success');
    }
    const calls = [
      {
        kind: 'transfer',
        recipient,
        amount: '12.5',
        amountMinor: '125000000',
        token: { address: contract },
      },
    ];
    expect(seen).toMatchObject([
      {
        kind: 'operation',
        chain: 'stellar',
        wallet: address,
        calls,
        lastLedger: expect.any(Number),
      },
    ]);
  });

  it('a call of a token and a number of the recipient are compared, and the wallet of a quorum signs too', async () => {
    const [one, two] = [aKey(), aKey('server')];
    const address = await aWallet({
      recoveryMethods: [
        { type: 'quorum', threshold: 2, members: [one, two].map(({ signer }) => signer.input) },
      ],
    });
    const args = { from: address, to: await aHolder(), amount: '30' };
    const transaction = {
      type: 'contract-call',
      contractId: contract,
      method: 'transfer',
      args,
      memo: { type: 'id', value: '77' },
    };
    const done = await purser.transact(address, { transaction } as never, {
      signers: [one.signer, two.signer],
      review,
    });
    expect([done.status, seen.splice(0)]).toMatchObject([
      'success',
      [
        {
          calls: [
            { kind: 'transfer', recipient: args.to, recipientNumber: '77', amountMinor: '30' },
          ],
        },
      ],
    ]);
  });

  it('a delegated signer is added with its scopes, acts within them, and is removed', async () => {
    const admin = aKey();
    const address = await aWallet({ adminSigner: admin.signer.input });
    const recipient = await aHolder();
    const expiresAt = new Date(stack.ctx.clock.now().getTime() + 3_600_000).toISOString();
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: usdxm,
        recipients: [recipient],
        spendingLimit: { amount: '5', interval: 60 },
      },
    ];
    for (const delegate of [aKey('server').signer, aP256(p256Signer('device'))]) {
      await purser.addSigner(address, { signer: delegate.input, scopes, expiresAt } as never, {
        signers: [admin.signer],
        review,
      });
      const end = new Date(Math.floor(Date.parse(expiresAt) / 1000) * 1000);
      const limits = [{ limitMinor: '50000000', intervalSeconds: 60, recipients: [recipient] }];
      expect(seen.splice(0)).toMatchObject([
        { calls: [{ kind: 'add-signer', expiresAt: end, scopes: limits }] },
      ]);
      const sent = await purser.transfer(
        address,
        usdxm,
        { recipient, amount: '1', signer: delegate.locator },
        { signers: [delegate] },
      );
      expect(sent.status).toBe('success');
      const removed = await purser.removeSigner(
        address,
        delegate.locator,
        {},
        { signers: [admin.signer], review },
      );
      expect([removed.status, seen.splice(0)]).toMatchObject([
        'success',
        [{ calls: [{ kind: 'remove-signer' }] }],
      ]);
    }
  });
});

describe('a service in other hands gets no signature on Stellar', () => {
  const key = aKey();
  const thief = Keypair.random().publicKey();
  let asked: { recipient: string; amount: string };
  let address: string;
  let honest: Transaction;
  beforeAll(async () => {
    address = await aWallet({ adminSigner: key.signer.input });
    asked = { recipient: await aHolder(), amount: '1' };
    honest = await purser.createTransfer(address, usdxm, asked);
  });

  async function refusals(answer: Transaction): Promise<[reason: string, message: string][]> {
    const victim = createPurser({
      baseUrl: stack.api.baseUrl,
      apiKey: stack.api.serverKey,
      fetch: async (input, init) =>
        new Request(input as Request, init).url.endsWith('/transfers')
          ? Response.json(answer, { status: 201 })
          : fetch(input, init),
    });
    const signers = [key.signer];
    const outcomes = [
      await victim
        .transfer(address, usdxm, asked, { signers, timeoutMs: 3_000 })
        .catch((error: unknown) => error),
      await victim
        .approveTransaction(address, answer, { signers, review })
        .catch((error: unknown) => error),
    ];
    expect(key.signed).toEqual([]);
    return outcomes.map((outcome) => {
      expect(outcome).toBeInstanceOf(ApprovalRefusedError);
      return [(outcome as ApprovalRefusedError).reason, (outcome as Error).message];
    });
  }

  interface Signed {
    readonly invocation: xdr.SorobanAuthorizedInvocation;
    readonly wallet: string;
    readonly networkPassphrase: string;
    readonly form: 'bound' | 'unbound';
  }
  const oneTransfer = (over: { token?: string; to?: string; amount?: bigint } = {}) =>
    invocationOf(
      transferCall(over.token ?? contract, {
        from: address,
        to: over.to ?? asked.recipient,
        amount: over.amount ?? 10_000_000n,
      }),
    );
  async function lieOf(over: Partial<Signed>): Promise<Transaction> {
    const preimage = preimageOf({
      networkPassphrase: passphrase,
      wallet: address,
      form: 'bound',
      nonce: 5n,
      expirationLedger: 500,
      invocation: oneTransfer(),
      ...over,
    });
    const message = Buffer.from(
      await crypto.subtle.digest('SHA-256', Buffer.from(preimage)),
    ).toString('base64');
    const [entry] = honest.approvals!.pending as object[];
    return {
      ...honest,
      onChain: { ...honest.onChain, preimage: Buffer.from(preimage).toString('base64') },
      approvals: { ...honest.approvals, pending: [{ ...entry, message }] },
    } as unknown as Transaction;
  }
  const both = (reason: string, text: RegExp) =>
    [reason, reason].map((one) => [one, expect.stringMatching(text)]);

  it('with the payload of another authorization', async () => {
    const other = await purser.createTransfer(address, usdxm, { ...asked, amount: '10' });
    expect(await refusals({ ...honest, approvals: other.approvals! })).toEqual(
      both('message', /is not the hash/),
    );
  });

  it.each([
    ['another recipient', () => ({ to: thief })],
    ['another amount', () => ({ amount: 10_000_001n })],
    ['another token', () => ({ token: nativeContract })],
  ])('with a transfer of %s under the words of the honest one', async (_, over) => {
    expect(await refusals(await lieOf({ invocation: oneTransfer(over()) }))).toEqual(
      both('asked', /something else signed than was asked for/),
    );
  });

  it('with one more call, inside of the one that was asked for', async () => {
    const inside = invocationOf(transferCall(contract, { from: address, to: thief, amount: 1n }));
    const invocation = invocationOf(
      transferCall(contract, { from: address, to: asked.recipient, amount: 10_000_000n }),
      [inside],
    );
    const [alone, reviewed] = await refusals(await lieOf({ invocation }));
    expect([alone, reviewed]).toEqual(both('asked', /2 calls, where one is needed/));
  });

  it('with a number of another customer at the recipient', async () => {
    const call = {
      contract,
      method: 'transfer',
      args: [addressValue(address), muxedAddress(asked.recipient, 9n), amountValue(10_000_000n)],
    };
    expect(await refusals(await lieOf({ invocation: invocationOf(call) }))).toEqual(
      both('asked', /number 9/),
    );
  });

  it('with new code for the wallet', async () => {
    const invocation = invocationOf(upgrade(address, new Uint8Array(32)));
    expect(await refusals(await lieOf({ invocation }))).toEqual(
      both('asked', /something else signed/),
    );
    // Nor where new code was asked for, and nobody looks: which, the request does not say.
    const answer = {
      ...(await lieOf({ invocation })),
      params: { transaction: { type: 'upgrade-wallet' } },
    } as unknown as Transaction;
    const victim = createPurser({
      baseUrl: stack.api.baseUrl,
      apiKey: stack.api.serverKey,
      fetch: async (input, init) =>
        new Request(input as Request, init).url.endsWith('/transactions')
          ? Response.json(answer, { status: 201 })
          : fetch(input, init),
    });
    const upgraded = victim.transact(
      address,
      { transaction: { type: 'upgrade-wallet' } } as never,
      { signers: [key.signer] },
    );
    await expect(upgraded).rejects.toMatchObject({
      name: 'ApprovalRefusedError',
      reason: 'not-comparable',
    });
    expect(key.signed).toEqual([]);
  });

  it('without the memo by which the recipient knows the customer: what is signed has room for a number only', async () => {
    const victim = createPurser({
      baseUrl: stack.api.baseUrl,
      apiKey: stack.api.serverKey,
      fetch: async (input, init) =>
        new Request(input as Request, init).url.endsWith('/transfers')
          ? Response.json(honest, { status: 201 })
          : fetch(input, init),
    });
    for (const memo of [
      { type: 'text', value: 'customer 9' },
      { type: 'hash', value: 'ab'.repeat(32) },
      { type: 'id', value: '9' },
    ]) {
      const sent = victim.transfer(address, usdxm, { ...asked, memo } as never, {
        signers: [key.signer],
        review,
      });
      await expect(sent).rejects.toMatchObject({ name: 'ApprovalRefusedError', reason: 'asked' });
    }
    expect(key.signed).toEqual([]);
  });

  it('for another network', async () => {
    expect(
      await refusals(
        await lieOf({ networkPassphrase: 'Public Global Stellar Network ; September 2015' }),
      ),
    ).toEqual(both('chain', /Public Global Stellar Network/));
    expect(await refusals(await lieOf({ networkPassphrase: 'the network of a thief' }))).toEqual(
      both('chain', /not known here/),
    );
  });

  it('for another wallet of the same key', async () => {
    const other = await aWallet({ adminSigner: key.signer.input });
    expect(await refusals(await lieOf({ wallet: other }))).toEqual(
      both('wallet', new RegExp(`it is for ${other}`)),
    );
    const call = transferCall(contract, { from: other, to: asked.recipient, amount: 10_000_000n });
    expect(
      await refusals(await lieOf({ form: 'unbound', invocation: invocationOf(call) })),
    ).toEqual(both('wallet', /no wallet by name/));
  });

  it('for the making of a contract, or for bytes that are something else', async () => {
    const code = xdr.ContractExecutable.contractExecutableStellarAsset();
    const from = xdr.ContractIdPreimage.contractIdPreimageFromAsset(xdr.Asset.assetTypeNative());
    const made = xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractHostFn(
      new xdr.CreateContractArgs({ contractIdPreimage: from, executable: code }),
    );
    const invocation = new xdr.SorobanAuthorizedInvocation({ function: made, subInvocations: [] });
    expect(await refusals(await lieOf({ invocation }))).toEqual(
      both('unreadable', /creates a contract/),
    );
    const { preimage } = honest.onChain as { preimage: string };
    for (const bytes of [
      Buffer.concat([Buffer.from(preimage, 'base64'), Buffer.alloc(4)]),
      Buffer.from(preimage, 'base64').subarray(4),
    ]) {
      const odd = { ...honest, onChain: { ...honest.onChain, preimage: bytes.toString('base64') } };
      expect(await refusals(odd)).toEqual(both('unreadable', /cannot be read/));
    }
  });

  it('with a signer of his own where the user adds one, or with one that may do more', async () => {
    const delegate = aKey('server').signer.locator;
    const scopes = [
      { type: 'transfer' as const, tokenLocator: usdxm, spendingLimit: { amount: '5' } },
    ];
    const body = { signer: delegate, scopes };
    for (const lie of [
      { ...body, signer: testEd25519('server').signer.locator },
      { signer: delegate },
      { ...body, scopes: [{ ...scopes[0]!, spendingLimit: { amount: '6' } }] },
    ]) {
      const theft = await purser.createSigner(address, lie as never);
      const stolen = await purser.getTransaction(address, theft.transaction!.id);
      const victim = createPurser({
        baseUrl: stack.api.baseUrl,
        apiKey: stack.api.serverKey,
        fetch: async (input, init) => {
          const request = new Request(input as Request, init);
          if (request.method === 'POST' && request.url.endsWith('/signers'))
            return Response.json(theft, { status: 201 });
          return request.url.includes('/transactions/') ? Response.json(stolen) : fetch(request);
        },
      });
      const outcome = await victim
        .addSigner(address, body as never, { signers: [key.signer], timeoutMs: 3_000 })
        .catch((error: unknown) => error);
      expect([outcome, key.signed]).toEqual([expect.any(ApprovalRefusedError), []]);
    }
  });
});
