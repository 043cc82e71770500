import { randomUUID } from 'node:crypto';
import { type Address, createNoopSigner } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getInitializeMint2Instruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signBuilt } from '../../src/areas/approvals/index.ts';
import { isTransferOf, requireTreasury, sendFromTreasury } from '../../src/areas/treasury/index.ts';
import { toFamilyWallet } from '../../src/areas/wallets/index.ts';
import type { ChainFamily, LateSignInput } from '../../src/chains/family.ts';
import {
  readMessage,
  signersOf,
  writeMessage,
  writeTransaction,
} from '../../src/chains/solana/operation/message.ts';
import { readOperation } from '../../src/chains/solana/operation/stored.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import type { Body } from '../interface/expected-calls.ts';
import { ed25519Signer, solanaCalls, somebody, type TestSigner } from '../interface/solana-kit.ts';

/** What custody alone approves on Solana is signed when it is sent, and nothing else is. */

let stack: Stack;
let family: ChainFamily;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
  family = stack.ctx.chains.family('solana');
  // From the first operation on the worker keeps nonces for others.
  const { address } = await mpc();
  await give(address);
  await stack.waitForTransaction(address, (await send(address)).id);
});
afterAll(() => stack?.close());

const { expectCall, create } = solanaCalls(() => stack);
const give = (address: string) =>
  stack.chainCall('solana', 'requestAirdrop', [address, 100_000_000]);
const query = async <Row extends object>(text: string, ...values: unknown[]) =>
  (await stack.ctx.store.query<Row>({ text, values })).rows;

const mpc = () => expectCall(201, 'POST', '', { chainType: 'solana', type: 'mpc', config: {} });
const ofApiKey = () => create({ adminSigner: { type: 'api-key' }, delegatedSigners: [] });

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(50);
  const rows = [];
  for (const { name } of tables)
    rows.push(...(await query<{ line: string }>(`select t::text as line from "${name}" t`)));
  return rows.map(({ line }) => line).join('\n');
}

const formsOf = (signature: Uint8Array) => {
  const bytes = Buffer.from(signature);
  return [bs58.encode(bytes), bytes.toString('hex'), bytes.toString('base64')];
};

/** The signatures that were sent, by signer. */
async function sentSignatures(id: string): Promise<[string, Uint8Array][]> {
  const [row] = await query<{ raw: Buffer; message: Buffer }>(
    'select raw, message from solana_operations where operation_id = $1',
    id,
  );
  return signersOf(readMessage(new Uint8Array(row!.message))).map((signer, index) => [
    signer,
    new Uint8Array(row!.raw.subarray(1 + 64 * index, 65 + 64 * index)),
  ]);
}

/** A mint that the wallet pays for: the key of the new account signs its creation. */
function newMint(wallet: string, mint: TestSigner): Body {
  const address = mint.input.address as Address;
  const instructions = [
    getCreateAccountInstruction({
      payer: createNoopSigner(wallet as Address),
      newAccount: createNoopSigner(address),
      lamports: 1_461_600n,
      space: 82n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: address,
      decimals: 6,
      mintAuthority: wallet as Address,
    }),
  ];
  const message = writeMessage({ feePayer: wallet as Address, instructions, tables: {} });
  return {
    transaction: bs58.encode(writeTransaction(message)),
    requiredSigners: [mint.locator],
  };
}

async function send(wallet: string): Promise<Body> {
  const body = { recipient: somebody(), amount: '0.01' };
  return expectCall(201, 'POST', `/${wallet}/tokens/solana:sol/transfers`, body);
}

async function sendBeside(wallet: string, mint: TestSigner): Promise<Body> {
  const path = `/${wallet}/transactions`;
  const created = await expectCall(201, 'POST', path, { params: newMint(wallet, mint) });
  const approvals = [mint.approve(created)];
  return expectCall(201, 'POST', `${path}/${created.id}/approvals`, { approvals });
}

/** Custody that says who asks it for a signature. */
async function withoutCustody<T>(work: () => Promise<T>): Promise<T> {
  const { providers } = stack.ctx;
  const own = providers.custody;
  const held = providers as { custody: typeof own };
  held.custody = {
    ...own,
    sign: async () => {
      throw new Error('custody was asked for a signature');
    },
  };
  try {
    return await work();
  } finally {
    held.custody = own;
  }
}

/** While no worker runs; nonces for what is made meanwhile are there. */
async function withoutWorker<T>(work: () => Promise<T>): Promise<T> {
  const free = () => query(`select 1 from solana_nonces where status = 'free'`);
  await expect.poll(async () => (await free()).length, { timeout: 20_000 }).toBeGreaterThan(3);
  return stack.withoutWorker(work);
}

/** The two of the service, its fee payer's and the wallet's. */
async function expectSignedLate(
  { id, before }: { readonly id: string; readonly before: string },
  other?: string,
): Promise<void> {
  const [after, sent] = [await everything(), await sentSignatures(id)];
  const ofService = sent.filter(([signer]) => signer !== other);
  expect(ofService).toHaveLength(2);
  const among = (text: string) => (form: string) => text.includes(form);
  for (const [, signature] of ofService) {
    expect(formsOf(signature).filter(among(before))).toEqual([]);
    expect(formsOf(signature).filter(among(after))).not.toEqual([]);
  }
}

describe('no signature of a key in custody stands in the database before it is sent, and who makes the operation needs none', () => {
  it.each<[string, () => Promise<Body>, (wallet: string, mint: TestSigner) => Promise<Body>]>([
    ['an mpc wallet', mpc, send],
    ['a wallet whose admin is an api key', ofApiKey, send],
    ['an mpc wallet beside another signer', mpc, sendBeside],
    ['a wallet whose admin is an api key, beside another signer', ofApiKey, sendBeside],
  ])('of %s', async (_, make, sendBy) => {
    const { address } = await make();
    await give(address);
    const mint = ed25519Signer('external-wallet');
    const made = await withoutWorker(() =>
      withoutCustody(async () => {
        const { id } = await sendBy(address, mint);
        return { id, before: await everything() };
      }),
    );
    expect(await stack.waitForTransaction(address, made.id)).toMatchObject({ status: 'success' });
    await expectSignedLate(made, mint.input.address);
  });

  it('of a treasury', async () => {
    const { projectId } = stack.api;
    const treasury = await requireTreasury(stack.ctx, { projectId, chainType: 'solana' });
    await give(treasury.address);
    const id = randomUUID();
    const before = await withoutWorker(() =>
      withoutCustody(async () => {
        await sendFromTreasury(stack.ctx, {
          transferId: id,
          projectId,
          subject: 'order:late',
          chain: 'solana',
          token: await family.resolveToken('solana', { symbol: 'sol' }),
          amountMinor: 10_000_000n,
          recipientAddress: somebody(),
        });
        return everything();
      }),
    );
    const raw = async () =>
      (await query<Body>('select raw from solana_operations where operation_id = $1', id))[0]?.raw;
    await expect.poll(raw, { timeout: 20_000 }).toBeInstanceOf(Buffer);
    await expectSignedLate({ id, before });
  });
});

describe('custody signs when something is sent', () => {
  const sign = (asked: LateSignInput) =>
    signBuilt(stack.ctx, family, asked, {
      isTransferOf: (of) => isTransferOf(stack.ctx.store, of),
    });

  /** What waits for the relay, as it asks for a signature. */
  async function anOperation(make: () => Promise<Body>): Promise<LateSignInput> {
    const { address } = await make();
    await give(address);
    const { id } = await send(address);
    const [row] = await query<Body>(
      `select o.project_id, o.wallet_id, t.operation from solana_operations o join transactions t on t.id = o.operation_id where o.operation_id = $1`,
      id,
    );
    const { operation } = row!;
    const built = readOperation(operation).messageBytes;
    return { projectId: row!.project_id, walletId: row!.wallet_id, operation, built };
  }

  it.each([
    ['an mpc wallet', mpc],
    ['a wallet whose admin is an api key', ofApiKey],
  ])('an operation of %s with the key of that wallet, and no other', async (_, make) => {
    await withoutWorker(async () => {
      const [one, other] = [await anOperation(make), await anOperation(make)];
      expect(await sign(one)).toHaveLength(64);
      for (const changed of [
        { walletId: other.walletId },
        { walletId: randomUUID() },
        { projectId: randomUUID() },
        { operation: other.operation, built: other.built },
      ])
        await expect(sign({ ...one, ...changed })).rejects.toThrow(
          /was changed behind the service/,
        );
      await expect(sign({ ...one, built: other.built })).rejects.toThrow('message is another one');
    });
  });

  it('nothing for a wallet that somebody gave another key: what waits ends, and says so', async () => {
    const [mine, theirs] = [await mpc(), await mpc()];
    await give(mine.address);
    const id = await withoutWorker(async () => {
      const sent = await send(mine.address);
      await query(
        'update wallets set admin_signer = (select admin_signer from wallets where address = $2) where address = $1',
        mine.address,
        theirs.address,
      );
      return sent.id as string;
    });
    const ended = async () =>
      (await query<Body>('select status, error from transactions where id = $1', id))[0]!;
    await expect.poll(async () => (await ended()).status, { timeout: 60_000 }).toBe('failed');
    expect((await ended()).error).toMatchObject({
      message: expect.stringContaining('was changed behind the service'),
    });
  });

  it('nothing that a person’s wallet is asked to sign', async () => {
    const owner = ed25519Signer('external-wallet');
    const { address } = await create({ adminSigner: owner.input, delegatedSigners: [] });
    await give(address);
    const { id } = await send(address);
    const [row] = await query<Body>(
      'select project_id, wallet_id, operation from transactions where id = $1',
      id,
    );
    const { operation, project_id: projectId, wallet_id: walletId } = row!;
    const built = readOperation(operation).messageBytes;
    await expect(sign({ projectId, walletId, operation, built })).rejects.toThrow(/not signed by/);
  });

  it('nothing for a treasury: a row of the queue is sealed by the API too, and its key is the worker’s', async () => {
    const { projectId } = stack.api;
    const treasury = await requireTreasury(stack.ctx, { projectId, chainType: 'solana' });
    await give(treasury.address);
    const wallet = toFamilyWallet(treasury);
    const params = await family.transferParams({
      wallet,
      chain: 'solana',
      token: await family.resolveToken('solana', { symbol: 'sol' }),
      amountMinor: 1_000_000n,
      recipientAddress: somebody(),
    });
    const { operation } = await family.prepareOperation({
      wallet,
      params,
      signer: treasury.adminSigner,
      now: stack.ctx.clock.now(),
    });
    const built = readOperation(operation).messageBytes;
    await expect(sign({ projectId, walletId: treasury.id, operation, built })).rejects.toThrow(
      /was changed behind the service/,
    );
  });
});
