import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import {
  getAdvanceNonceAccountInstruction,
  getCreateAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import bs58 from 'bs58';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  approve as approveByKey,
  type P256TestKey,
  p256KeyOf,
} from '../../programs/solana-wallet/testing/p256-keys.ts';
import {
  instructionsOf,
  messageBytesOf,
  type ReadInstruction,
  readMessage,
  readTransaction,
  signersOf,
  writeMessage,
  writeTransaction,
} from '../../src/chains/solana/operation/message.ts';
import { approvalMessage } from '../../src/chains/solana/signing/p256-message.ts';
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
 * Smart wallets on Solana: what the service has signed is what was asked for, and a thief who has
 * the service gets no signature for anything else. Service, chain and keys are real; a lie changes
 * an answer on its way to the client.
 */

const usdxm = 'solana:usdxm';
let stack: Stack;
let purser: Purser;
const seen: OperationReview[] = [];
const review = (_: unknown, shown: Review) => void seen.push(shown as OperationReview);
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
  purser = createPurser({ baseUrl: stack.api.baseUrl, apiKey: stack.api.serverKey });
});
afterAll(() => stack?.close());
beforeEach(() => void seen.splice(0));

const somebody = () => bs58.encode(ed25519.getPublicKey(randomBytes(32))) as Address;
const solOf = (address: string) =>
  stack
    .chainCall<{ value: number }>('solana', 'getBalance', [address, { commitment: 'confirmed' }])
    .then(({ value }) => value);

/** A key of the user's, and how often it has signed. */
function aKey(type: 'external-wallet' | 'server' = 'external-wallet') {
  const seed = randomBytes(32);
  const address = bs58.encode(ed25519.getPublicKey(seed)) as Address;
  const signed: Uint8Array[] = [];
  const sign = async (bytes: Uint8Array) => (signed.push(bytes), ed25519.sign(bytes, seed));
  return { address, signed, signer: ed25519Signer({ address, sign }, type) };
}

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
function aP256(kind: P256TestKey['kind'], name: string): PurserSigner {
  const key = p256KeyOf(kind, name);
  const point = p256.Point.fromBytes(key.key);
  const { x, y } = point.toAffine();
  const publicKey = { x: x.toString(), y: y.toString() };
  return {
    locator:
      kind === 'passkey'
        ? `passkey:${name}`
        : `device:${Buffer.from(point.toBytes(false)).toString('base64')}`,
    input:
      kind === 'passkey' ? { type: kind, id: name, name, publicKey } : { type: kind, publicKey },
    async approve({ message }) {
      const { signature: made, signed } = approveByKey(key, Buffer.from(message.slice(2), 'hex'));
      const signature = { r: hex(made.subarray(0, 32)), s: hex(made.subarray(32)) };
      if ('hash' in signed) return { signature };
      const clientDataJSON = Buffer.from(signed.clientData).toString();
      const metadata = {
        authenticatorData: hex(signed.authenticatorData),
        challengeIndex: 23,
        clientDataJSON,
        typeIndex: 1,
      };
      return { signature, metadata: { ...metadata, userVerificationRequired: true } };
    },
  };
}

async function aWallet(config: object): Promise<string> {
  const body = {
    chainType: 'solana' as const,
    type: 'smart' as const,
    config: { delegatedSigners: [], ...config },
  };
  const { address } = await purser.createWallet(body as never);
  await purser.fundWallet(address, { amount: 50, token: 'usdxm', chain: 'solana' });
  return address;
}

describe('on Solana, with an honest service', () => {
  it.each([
    ['external wallet', aKey().signer],
    ['server', aKey('server').signer],
    ['passkey', aP256('passkey', 'sdk-passkey')],
  ])(
    'the owner’s %s signs what it sees: amount, token and recipient, first with a wallet that is made by it, then without',
    { tags: 'slow' },
    async (_, signer) => {
      const address = await aWallet({ adminSigner: signer.input });
      const mint = await stack.tokenAddress('solana', 'usdxm');
      for (const recipient of [somebody(), somebody()]) {
        const sent = await purser.transfer(
          address,
          usdxm,
          { recipient, amount: '12.5' },
          { signers: [signer], review },
        );
        expect(sent.status).toBe('success');
        expect(seen.splice(0)).toMatchObject([
          {
            kind: 'operation',
            chain: 'solana',
            wallet: address,
            calls: [
              {
                kind: 'transfer',
                recipient,
                amount: '12.5',
                amountMinor: '12500000',
                token: { address: mint, decimals: 6 },
              },
            ],
          },
        ]);
      }
      const again = await purser.transfer(
        address,
        usdxm,
        { recipient: somebody(), amount: '1' },
        { signers: [signer] },
      );
      expect(again.status).toBe('success');
    },
  );

  it('SOL is sent, and instructions of the caller are, each as it is written', async () => {
    const key = aKey();
    const address = await aWallet({ adminSigner: key.signer.input });
    await stack.chainCall('solana', 'requestAirdrop', [address, 1_000_000_000]);
    const recipient = somebody();
    await purser.transfer(
      address,
      'solana:sol',
      { recipient, amount: '0.01' },
      { signers: [key.signer], review },
    );
    expect(seen.splice(0)).toMatchObject([
      { calls: [{ kind: 'transfer', amount: '0.01', token: { symbol: 'sol' }, recipient }] },
    ]);
    const owner = createNoopSigner(address as Address);
    const mint = (await stack.tokenAddress('solana', 'usdxm')) as Address;
    const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
    const ataOf = async (of: string) =>
      (await findAssociatedTokenPda({ owner: of as Address, mint, tokenProgram }))[0];
    const [source, destination] = [await ataOf(address), await ataOf(recipient)];
    const instructions = [
      getTransferSolInstruction({ source: owner, destination: recipient, amount: 1_000_000n }),
      getCreateAssociatedTokenIdempotentInstruction({
        payer: owner,
        ata: destination,
        owner: recipient,
        mint,
        tokenProgram,
      }),
      getTransferCheckedInstruction({
        source,
        mint,
        destination,
        authority: owner,
        amount: 3n,
        decimals: 6,
      }),
    ];
    const transaction = bs58.encode(
      writeTransaction(writeMessage({ feePayer: address as Address, instructions, tables: {} })),
    );
    const done = await purser.transact(address, { transaction } as never, {
      signers: [key.signer],
      review,
    });
    expect(done.status).toBe('success');
    expect(seen.splice(0)).toMatchObject([
      {
        calls: [
          { kind: 'transfer', amountMinor: '1000000', token: { symbol: 'sol' }, recipient },
          { kind: 'transfer', amountMinor: '3', token: { address: mint }, recipient },
        ],
      },
    ]);
    expect(await solOf(recipient)).toBe(11_000_000);
  });

  it('a member of a quorum signs the same', { tags: 'slow' }, async () => {
    const [one, two] = [aKey(), aKey('server')];
    const members = [one, two].map(({ signer }) => signer.input);
    const address = await aWallet({ recoveryMethods: [{ type: 'quorum', threshold: 2, members }] });
    const body = { recipient: somebody(), amount: '1' };
    expect(
      (await purser.transfer(address, usdxm, body, { signers: [one.signer, two.signer] })).status,
    ).toBe('success');
  });

  it('a delegated signer is added with its scopes, acts within them, and is removed', {
    tags: 'slow',
  }, async () => {
    const admin = aKey();
    const address = await aWallet({ adminSigner: admin.signer.input });
    const recipient = somebody();
    const expiresAt = new Date(stack.ctx.clock.now().getTime() + 3_600_000).toISOString();
    const scopes = [
      {
        type: 'transfer' as const,
        tokenLocator: usdxm,
        recipients: [recipient],
        spendingLimit: { amount: '5', interval: 60 },
      },
    ];
    for (const delegate of [aKey('server').signer, aP256('device', 'sdk-device')]) {
      const body = { signer: delegate.input, scopes, expiresAt };
      await purser.addSigner(address, body as never, { signers: [admin.signer], review });
      const [shown] = seen.splice(0);
      expect(shown).toMatchObject({
        calls: [
          {
            kind: 'add-signer',
            expiresAt: new Date(Math.floor(Date.parse(expiresAt) / 1000) * 1000),
            scopes: [{ limitMinor: '5000000', intervalSeconds: 60, recipients: [recipient] }],
          },
        ],
      });
      const sent = await purser.transfer(
        address,
        usdxm,
        { recipient, amount: '1', signer: delegate.locator },
        { signers: [delegate], review },
      );
      expect([sent.status, seen.splice(0)]).toMatchObject([
        'success',
        [{ calls: [{ kind: 'transfer', amountMinor: '1000000', recipient }] }],
      ]);
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

  it('a new mint signs its creation beside the wallet’s signer, who signs for nothing of its own', {
    tags: 'slow',
  }, async () => {
    const [key, mint] = [aKey('server'), aKey()];
    const address = (await aWallet({ adminSigner: key.signer.input })) as Address;
    for (const one of [address, key.address])
      await stack.chainCall('solana', 'requestAirdrop', [one, 100_000_000]);
    const paramsBy = (payer: Address, ...requiredSigners: string[]) => {
      const created = getCreateAccountInstruction({
        payer: createNoopSigner(payer),
        newAccount: createNoopSigner(mint.address),
        lamports: 1_461_600n,
        space: 82n,
        programAddress: TOKEN_PROGRAM_ADDRESS,
      });
      const plan = { feePayer: address, instructions: [created], tables: {} };
      const transaction = bs58.encode(writeTransaction(writeMessage(plan)));
      return { transaction, requiredSigners } as never;
    };
    const signers = [key.signer, mint.signer];
    const params = paramsBy(address, mint.signer.locator);
    const shown = await purser.createTransaction(address, { params });
    // What the service says of who was to sign is not the caller's word.
    for (const of of [signers, [mint.signer]])
      await expect(
        purser.approveTransaction(address, shown, { signers: of, review }),
      ).rejects.toThrow(/uses the signature of/);
    expect([key.signed, mint.signed]).toEqual([[], []]);
    // The wallet's own signer sees what is done, and lends nothing to it.
    const part = await purser.approveTransaction(address, shown, { signers: [key.signer], review });
    expect([part.status, key.signed.splice(0).length]).toEqual(['awaiting-approval', 1]);
    expect((await purser.transact(address, params, { signers, review })).status).toBe('success');
    expect(seen.at(-1)).toMatchObject({ calls: [{ kind: 'call', to: SYSTEM_PROGRAM_ADDRESS }] });
    expect([key.signed.length, mint.signed.length]).toEqual([1, 1]);
  });

  it('nobody signs beside an mpc wallet: nothing says until when its transaction may run', async () => {
    const mint = aKey();
    const { body } = await stack.call('POST', '/2025-06-09/wallets', {
      body: { chainType: 'solana', type: 'mpc', config: {} },
    });
    const address = body.address as Address;
    await stack.chainCall('solana', 'requestAirdrop', [address, 100_000_000]);
    const created = getCreateAccountInstruction({
      payer: createNoopSigner(address),
      newAccount: createNoopSigner(mint.address),
      lamports: 1_461_600n,
      space: 82n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    });
    const plan = { feePayer: address, instructions: [created], tables: {} };
    const transaction = bs58.encode(writeTransaction(writeMessage(plan)));
    const params = { transaction, requiredSigners: [mint.signer.locator] } as never;
    await expect(
      purser.transact(address, params, { signers: [mint.signer], review }),
    ).rejects.toThrow(/no instruction is of the program that holds the wallet/);
    expect(mint.signed).toEqual([]);
  });

  it('a lookup table is refused: what stands in it only a node knows', async () => {
    const key = aKey();
    const address = await aWallet({ adminSigner: key.signer.input });
    const created = await purser.createTransfer(address, usdxm, {
      recipient: somebody(),
      amount: '1',
    });
    const wire = bs58.decode((created.onChain as { transaction: string }).transaction);
    const withTable = {
      ...created,
      onChain: {
        ...created.onChain,
        transaction: bs58.encode(
          Buffer.concat([
            wire.subarray(0, -1),
            Buffer.from([1]),
            randomBytes(32),
            Buffer.from([1, 0, 0]),
          ]),
        ),
      },
    };
    await expect(
      purser.approveTransaction(address, withTable, { signers: [key.signer], review }),
    ).rejects.toThrow(/lookup table/);
    expect(key.signed).toEqual([]);
  });
});

/** The transaction with other instructions, signed by the same. */
function rewrite(
  transaction: string,
  change: (instructions: ReadInstruction[]) => readonly Instruction[],
  { feePayer }: { readonly feePayer?: Address } = {},
): { transaction: string; message: string } {
  const message = readTransaction(transaction);
  const [payer] = signersOf(readMessage(messageBytesOf(transaction)));
  const [advance, ...rest] = instructionsOf(message, {});
  const [nonce] = advance!.accounts;
  const bytes = writeMessage({
    feePayer: feePayer ?? payer!,
    tables: {},
    instructions: change(rest),
    nonce: { account: nonce!.address, value: somebody() },
  });
  return { transaction: bs58.encode(writeTransaction(bytes)), message: approvalMessage(bytes) };
}

function lieOf(
  honest: Transaction,
  { transaction, message }: { transaction: string; message: string },
): Transaction {
  const [entry] = honest.approvals!.pending as { message: string }[];
  return {
    ...honest,
    onChain: { ...honest.onChain, transaction },
    approvals: { ...honest.approvals, pending: [{ ...entry, message }] },
  } as unknown as Transaction;
}

/** A client whose calls that end so are answered with `answer`, and the others as ever. */
const clientHanded = (path: string, answer: object) =>
  createPurser({
    baseUrl: stack.api.baseUrl,
    apiKey: stack.api.serverKey,
    fetch: async (input, init) =>
      new Request(input as Request, init).url.endsWith(path)
        ? Response.json(answer, { status: 201 })
        : fetch(input, init),
  });

describe('a service in other hands gets no signature on Solana', () => {
  const key = aKey();
  const thief = somebody();
  const asked = { recipient: somebody(), amount: '1' };
  let address: string;
  let honest: Transaction;
  beforeAll(async () => {
    address = await aWallet({ adminSigner: key.signer.input });
    honest = await purser.createTransfer(address, usdxm, asked);
  });

  /**
   * The client is handed `answer` for its transfer, and for its instructions; nobody looks, and
   * somebody does.
   */
  async function refusals(answer: Transaction): Promise<[reason: string, message: string][]> {
    const victim = clientHanded('/transfers', answer);
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
  const transactionOf = ({ onChain }: Transaction) =>
    (onChain as { transaction: string }).transaction;
  /** One of the wallet's own instructions, changed. */
  const changeOwn = (change: (one: ReadInstruction) => Instruction) => {
    const isOwn = (one: ReadInstruction) =>
      one.data[0] === 1 && one.accounts[1]?.address === address;
    return lieOf(
      honest,
      rewrite(transactionOf(honest), (all) => all.map((one) => (isOwn(one) ? change(one) : one))),
    );
  };
  const both = (reason: string, text: RegExp) =>
    [reason, reason].map((one) => [one, expect.stringMatching(text)]);

  it('as it is, the transfer is signed', async () => {
    const own = aKey();
    const wallet = await aWallet({ adminSigner: own.signer.input });
    const created = await purser.createTransfer(wallet, usdxm, asked);
    await purser.approveTransaction(wallet, created, { signers: [own.signer] });
    expect(own.signed).toHaveLength(1);
    const same = rewrite(transactionOf(honest), (all) => all);
    expect(readTransaction(same.transaction)).toBeDefined();
  });

  it('with the digest of another transaction', async () => {
    const other = await purser.createTransfer(address, usdxm, { recipient: thief, amount: '10' });
    const { message } = (other.approvals!.pending as { message: string }[])[0]!;
    expect(await refusals(lieOf(honest, { transaction: transactionOf(honest), message }))).toEqual(
      both('message', /is not the hash/),
    );
  });

  it('with another transfer under the words of the honest one: another recipient, amount or token', async () => {
    await stack.chainCall('solana', 'requestAirdrop', [address, 1_000_000_000]);
    for (const [token, body] of [
      [usdxm, { recipient: thief, amount: '1' }],
      [usdxm, { recipient: asked.recipient, amount: '10' }],
      ['solana:sol', asked],
    ] as const) {
      const theft = await purser.createTransfer(
        address,
        token,
        body.amount === '1' && token !== usdxm ? { ...body, amount: '0.001' } : body,
      );
      const lie = { ...honest, onChain: theft.onChain, approvals: theft.approvals } as Transaction;
      expect(await refusals(lie)).toEqual(
        both('asked', /something else signed than was asked for/),
      );
    }
  });

  it('with one more instruction of the wallet', async () => {
    const more = rewrite(transactionOf(honest), (all) => [...all, all.at(-1)!]);
    expect(await refusals(lieOf(honest, more))).toEqual(
      both('asked', /2 calls, where one is needed|other instructions/),
    );
  });

  it("with one more instruction that takes what is on the signer's own account", async () => {
    const own = createNoopSigner(key.address);
    const theft = rewrite(transactionOf(honest), (all) => [
      ...all,
      getTransferSolInstruction({ source: own, destination: thief, amount: 1n }),
    ]);
    expect(await refusals(lieOf(honest, theft))).toEqual(
      both('asked', new RegExp(`names ${key.address}, who signs`)),
    );
  });

  it('with the signature of the signer handed on to what the wallet calls', async () => {
    const lie = changeOwn((one) => {
      const data = new Uint8Array(one.data);
      // The flags of the inner accounts stand behind the head and their number: the first is made a
      // signer.
      data[22] = 3;
      return { ...one, data };
    });
    expect(await refusals(lie)).toEqual(both('asked', /uses the signature of/));
  });

  it('with the signer as who pays the fee', async () => {
    const lie = rewrite(transactionOf(honest), (all) => all, { feePayer: key.address });
    expect(await refusals(lieOf(honest, lie))).toEqual(
      both('asked', /who signs|would pay the network/),
    );
  });

  it('with a program of his own in the place of the one that holds the wallet', async () => {
    const program = somebody();
    const lie = changeOwn((one) => ({ ...one, programAddress: program }));
    expect(await refusals(lie)).toEqual(both('asked', /who signs/));
    const all = rewrite(transactionOf(honest), (list) =>
      list.map((one) =>
        [0, 1].includes(one.data[0]!) && one.accounts.length !== 6
          ? { ...one, programAddress: program }
          : one,
      ),
    );
    expect(await refusals(lieOf(honest, all))).toEqual(
      both('module', /no instruction is of the program that holds the wallet/),
    );
    const seed = {
      ...honest,
      onChain: { ...honest.onChain, walletSeed: bs58.encode(randomBytes(32)) },
    };
    expect(await refusals(seed)).toEqual(both('module', /no instruction is of the program/));
  });

  it('with the same transfer from another wallet of the same key, e.g. of another network', {
    tags: 'slow',
  }, async () => {
    const other = await aWallet({ adminSigner: key.signer.input });
    const theft = await purser.createTransfer(other, usdxm, asked);
    expect(await refusals(theft)).toEqual(
      both('module', /no instruction is of the program that holds the wallet/),
    );
    const beside = rewrite(transactionOf(honest), (list) => [
      ...list,
      ...instructionsOf(readTransaction(transactionOf(theft)), {}).slice(-1),
    ]);
    expect(await refusals(lieOf(honest, beside))).toEqual(both('wallet', /for another wallet/));
  });

  it('with a token account of the thief for the recipient, made by an instruction that says otherwise', async () => {
    const mint = (await stack.tokenAddress('solana', 'usdxm')) as Address;
    const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
    const [his] = await findAssociatedTokenPda({ owner: thief, mint, tokenProgram });
    const swap = (one: ReadInstruction, at: number): Instruction => ({
      ...one,
      accounts: one.accounts.map((account, index) =>
        index === at ? { address: his, role: AccountRole.WRITABLE } : account,
      ),
    });
    const theft = rewrite(transactionOf(honest), (all) =>
      all.map((one) =>
        one.accounts.length === 6 && one.data.length <= 1
          ? swap(one, 1)
          : one.data[0] === 1 && one.accounts[1]?.address === address
            ? swap(one, 5)
            : one,
      ),
    );
    expect(await refusals(lieOf(honest, theft))).toEqual(
      both('asked', /something else signed than was asked for/),
    );
  });

  it('with the signer as who pays for the account of a new one, or for that of one that is removed', {
    tags: 'slow',
  }, async () => {
    const own = aKey();
    const wallet = await aWallet({ adminSigner: own.signer.input });
    const delegate = aKey('server').signer.locator;
    await purser.addSigner(wallet, { signer: delegate }, { signers: [own.signer] });
    const added = await purser.createSigner(wallet, { signer: aKey('server').signer.locator });
    const transactions = [
      await purser.getTransaction(wallet, added.transaction!.id),
      await purser.deleteSigner(wallet, delegate, {}),
    ];
    own.signed.splice(0);
    for (const [index, transaction] of transactions.entries()) {
      const isOwn = (one: ReadInstruction) =>
        [2, 3].includes(one.data[0]!) && one.accounts.length >= 4;
      const payer = { address: own.address, role: AccountRole.WRITABLE_SIGNER };
      const theft = rewrite(transactionOf(transaction), (all) =>
        all.map((one) =>
          isOwn(one)
            ? { ...one, accounts: one.accounts.map((account, at) => (at === 2 ? payer : account)) }
            : one,
        ),
      );
      const outcome = await purser
        .approveTransaction(
          wallet,
          {
            ...lieOf(transaction, theft),
            params: { ...transaction.params, transaction: theft.transaction },
          },
          { signers: [own.signer], review },
        )
        .catch((error: unknown) => error);
      expect([index, own.signed, outcome]).toEqual([index, [], expect.any(ApprovalRefusedError)]);
      expect((outcome as ApprovalRefusedError).message).toMatch(/would pay/);
    }
  });

  it('with more rights for what the wallet calls than the caller wrote', {
    tags: 'slow',
  }, async () => {
    const own = aKey();
    const wallet = (await aWallet({ adminSigner: own.signer.input })) as Address;
    const [program, other] = [somebody(), somebody()];
    const accounts = [
      { address: wallet, role: AccountRole.WRITABLE_SIGNER },
      { address: other, role: AccountRole.READONLY },
    ];
    const asked = [{ programAddress: program, accounts, data: Uint8Array.of(9) }];
    const transaction = bs58.encode(
      writeTransaction(writeMessage({ feePayer: wallet, instructions: asked, tables: {} })),
    );
    const sent = await purser.createTransfer(wallet, 'solana:usdxm', {
      recipient: thief,
      amount: '1',
    });
    const outcomeOf = async (flags: readonly number[]) => {
      const written = rewrite(transactionOf(sent), (all) =>
        all
          .filter((one) => one.accounts.length !== 6 || one.data.length > 1)
          .map((one) => {
            if (one.data[0] !== 1 || one.accounts[1]?.address !== wallet) return one;
            const inner = [program, wallet, other].map((at) => ({
              address: at,
              role: AccountRole.WRITABLE,
            }));
            const by = { address: own.address, role: AccountRole.READONLY_SIGNER };
            const data = Uint8Array.from([...one.data.slice(0, 21), 2, ...flags, 9]);
            return { ...one, accounts: [...one.accounts.slice(0, 2), ...inner, by], data };
          }),
      );
      const victim = clientHanded('/transactions', {
        ...lieOf(sent, written),
        params: { transaction },
      });
      const act = { signers: [own.signer], review, timeoutMs: 3_000 };
      return victim
        .transact(wallet, { transaction } as never, act)
        .catch((error: unknown) => error);
    };
    expect(await outcomeOf([3, 1])).toMatchObject({
      reason: 'asked',
      message: expect.stringContaining('other instructions'),
    });
    expect(own.signed).toEqual([]);
    // As it was written, it is signed; the chain has no such program.
    await outcomeOf([3, 0]);
    expect(own.signed).toHaveLength(1);
  });

  it('with whom the caller wants to sign, beside the wallet or of its quorum, as who pays for accounts of the wallet, or moves a nonce', {
    tags: 'slow',
  }, async () => {
    const [one, two, buyer] = [aKey('server'), aKey(), aKey()];
    const members = [one.signer.input, two.signer.input];
    const wallet = (await aWallet({
      recoveryMethods: [{ type: 'quorum', threshold: 2, members }],
    })) as Address;
    const sources = [wallet, buyer.address];
    for (const of of sources) await stack.chainCall('solana', 'requestAirdrop', [of, 100_000_000]);
    const instructions = sources.map((source) =>
      getTransferSolInstruction({
        source: createNoopSigner(source),
        destination: asked.recipient,
        amount: 1_000_000n,
      }),
    );
    const plan = { feePayer: wallet, instructions, tables: {} };
    const keys = [one, two, buyer];
    const params = {
      transaction: bs58.encode(writeTransaction(writeMessage(plan))),
      requiredSigners: keys.map(({ signer }) => signer.locator),
    } as never;
    const created = await purser.createTransaction(wallet, { params });
    const lies = keys.flatMap(({ address: payer }) => {
      const signing = { address: payer, role: AccountRole.WRITABLE_SIGNER };
      const advance = getAdvanceNonceAccountInstruction({
        nonceAccount: somebody(),
        nonceAuthority: createNoopSigner(payer),
      });
      return [
        rewrite(transactionOf(created), (all) =>
          all.map((made) =>
            made.data[0] === 0 && made.data.length > 60
              ? { ...made, accounts: [signing, ...made.accounts.slice(1)] }
              : made,
          ),
        ),
        rewrite(transactionOf(created), (all) => [...all, advance]),
      ];
    });
    for (const [index, { transaction, message }] of lies.entries()) {
      const [quorum, beside] = created.approvals!.pending as unknown as readonly [
        { readonly quorumApprovals: { readonly pending: readonly object[] } },
        object,
      ];
      const pending = quorum.quorumApprovals.pending.map((entry) => ({ ...entry, message }));
      const quorumApprovals = { ...quorum.quorumApprovals, pending };
      const lie = {
        ...created,
        onChain: { ...created.onChain, transaction },
        approvals: {
          ...created.approvals,
          pending: [
            { ...quorum, quorumApprovals },
            { ...beside, message },
          ],
        },
      };
      const victim = clientHanded('/transactions', lie);
      const outcome = await victim
        .transact(wallet, params, {
          signers: keys.map(({ signer }) => signer),
          review,
          timeoutMs: 3_000,
        })
        .catch((error: unknown) => error);
      expect([index, ...keys.map(({ signed }) => signed.length)]).toEqual([index, 0, 0, 0]);
      expect(outcome).toBeInstanceOf(ApprovalRefusedError);
      expect((outcome as Error).message).toMatch(/names \w+, who signs/);
    }
    const act = { signers: keys.map(({ signer }) => signer), review };
    expect((await purser.transact(wallet, params, act)).status).toBe('success');
  });

  it('unseen, with the removal of another signer than the passkey that is named by its id, which says no key', {
    tags: 'slow',
  }, async () => {
    const own = aKey();
    const wallet = await aWallet({ adminSigner: own.signer.input });
    const other = aKey('server').signer.locator;
    await purser.addSigner(wallet, { signer: other }, { signers: [own.signer] });
    const theft = await purser.deleteSigner(wallet, other, {});
    own.signed.splice(0);
    const victim = createPurser({
      baseUrl: stack.api.baseUrl,
      apiKey: stack.api.serverKey,
      fetch: async (input, init) =>
        new Request(input as Request, init).method === 'DELETE'
          ? Response.json(theft)
          : fetch(input, init),
    });
    const removal = victim.removeSigner(
      wallet,
      'passkey:sdk-passkey',
      {},
      { signers: [own.signer], timeoutMs: 3_000 },
    );
    await expect(removal).rejects.toMatchObject({
      name: 'ApprovalRefusedError',
      reason: 'not-comparable',
    });
    expect(own.signed).toEqual([]);
  });

  it('with a signer of his own where the user adds one, or with one that may do more', async () => {
    const delegate = aKey('server');
    const scopes = [
      { type: 'transfer' as const, tokenLocator: usdxm, spendingLimit: { amount: '5' } },
    ];
    const body = { signer: delegate.signer.locator, scopes };
    for (const lie of [
      { ...body, signer: `server:${somebody()}` },
      { signer: `server:${somebody()}` },
      { ...body, scopes: [{ ...scopes[0]!, spendingLimit: { amount: '5.000001' } }] },
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
