import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Address,
  Asset,
  authorizeEntry,
  BASE_FEE,
  Claimant,
  Keypair,
  Memo,
  Networks,
  nativeToScVal,
  Operation,
  rpc,
  scValToNative,
  Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalNode } from '../local-chain.ts';
import { startStellarChain } from './local.ts';
import { compileContract } from './testing/compile.ts';

const counter = `
export function pay(who: u64, n: u64): u64 { requireAuth(who); put(SYMBOL_n, n, PERSISTENT); return n; }
export function _(): void {}
`;
const options = { fee: BASE_FEE, networkPassphrase: Networks.STANDALONE };
const address = (text: string) => new Address(text).toScVal();
const i128 = (amount: bigint) => nativeToScVal(amount, { type: 'i128' });
const folder = mkdtempSync(join(tmpdir(), 'stellar-'));
const relay = Keypair.random();
const owner = Keypair.random();

let node: LocalNode;
let server: rpc.Server;

beforeAll(async () => {
  await open();
  for (const key of [relay, owner]) await server.requestAirdrop(key.publicKey());
});

afterAll(async () => {
  await node?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function open() {
  node = await startStellarChain({ folder, ledgerMs: 60_000 });
  server = new rpc.Server(node.url, { allowHttp: true });
}

async function build(source: Keypair, ...operations: xdr.Operation[]): Promise<Transaction> {
  const builder = new TransactionBuilder(await server.getAccount(source.publicKey()), options);
  for (const operation of operations) builder.addOperation(operation);
  // Calls of contracts have none.
  if (!operations.some(({ body }) => body.type === 'invokeHostFunction'))
    builder.addMemo(Memo.text('order 1'));
  return builder.setTimeout(300).build();
}

async function send(
  transaction: Parameters<typeof server.sendTransaction>[0],
  ...signers: Keypair[]
) {
  for (const signer of signers) transaction.sign(signer);
  const sent = await server.sendTransaction(transaction);
  if (sent.status !== 'PENDING') return sent.errorResult?.result.type ?? sent.status;
  const got = await server.pollTransaction(sent.hash, { attempts: 2, sleepStrategy: () => 1 });
  return got.status === 'FAILED' ? got.resultXdr.result.type : got.status;
}

async function invoke(operation: xdr.Operation) {
  const simulated = await server.simulateTransaction(await build(relay, operation));
  if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error(simulated.error);
  const sent = await server.sendTransaction(
    signed(rpc.assembleTransaction(await build(relay, operation), simulated).build()),
  );
  if (sent.status !== 'PENDING') throw new Error(sent.errorResult?.result.type ?? sent.status);
  const got = await server.getTransaction(sent.hash);
  if (got.status !== 'SUCCESS') throw new Error(got.status);
  return got.returnValue!;
}

function signed(transaction: Transaction): Transaction {
  transaction.sign(relay);
  return transaction;
}

describe('the unmodified client', () => {
  it('reads the network', async () => {
    expect(await server.getNetwork()).toMatchObject({ passphrase: Networks.STANDALONE });
    expect(await server.getHealth()).toMatchObject({ status: 'healthy' });
    const { sequence, headerXdr } = await server.getLatestLedger();
    expect(headerXdr.ledgerSeq).toBe(sequence);
    expect((await server.getFeeStats()).inclusionFee.min).toBe('100');
    expect((await server.getVersionInfo()).version).toBe('local-emulator');
  });

  it('pays, refuses a sequence number twice, and knows what it has seen', async () => {
    const friend = Keypair.random().publicKey();
    const payment = Operation.createAccount({ destination: friend, startingBalance: '5' });
    const transaction = await build(relay, payment);
    const late = await build(
      relay,
      Operation.payment({ destination: friend, asset: Asset.native(), amount: '1' }),
    );
    expect(await send(transaction, relay)).toBe('SUCCESS');
    expect((await server.sendTransaction(transaction)).status).toBe('DUPLICATE');
    expect(await send(late, relay)).toBe('txBadSeq');
    expect(await send(await build(relay, payment), relay)).toBe('txFailed');
    expect(await send(await build(relay, payment), owner)).toBe('txBadAuth');
    expect((await server.getAccountEntry(friend)).balance).toBe(50_000_000n);
    const { transactions } = await server.getTransactions({ startLedger: 1 });
    expect(transactions.map(({ status }) => status)).toContain('FAILED');
    const old = new TransactionBuilder(await server.getAccount(relay.publicKey()), {
      ...options,
      timebounds: { minTime: 0, maxTime: 1 },
    });
    expect(await send(old.addOperation(payment).build(), relay)).toBe('txTooLate');
  });

  it('sponsors an account with a trust line, which needs nothing of its own; a fee bump pays for it', async () => {
    const mine = Keypair.random();
    const usd = new Asset('USD', owner.publicKey());
    const destination = mine.publicKey();
    const sponsored = await build(
      relay,
      Operation.beginSponsoringFutureReserves({ sponsoredId: destination }),
      Operation.createAccount({ destination, startingBalance: '0' }),
      Operation.changeTrust({ asset: usd, source: destination }),
      Operation.endSponsoringFutureReserves({ source: destination }),
    );
    expect(await send(sponsored, relay, mine)).toBe('SUCCESS');
    expect(
      await send(
        await build(owner, Operation.payment({ destination, asset: usd, amount: '7' })),
        owner,
      ),
    ).toBe('SUCCESS');
    const inner = await build(
      mine,
      Operation.payment({ destination: owner.publicKey(), asset: usd, amount: '2' }),
    );
    inner.sign(mine);
    const bump = TransactionBuilder.buildFeeBumpTransaction(
      relay,
      '200',
      inner,
      Networks.STANDALONE,
    );
    expect(await send(bump, relay)).toBe('SUCCESS');
    expect((await server.getTrustline(destination, usd)).balance).toBe(50_000_000n);
    expect((await server.getAccountEntry(destination)).balance).toBe(0n);
    const claimable = Operation.createClaimableBalance({
      asset: usd,
      amount: '1',
      claimants: [new Claimant(destination)],
    });
    expect(await send(await build(owner, claimable), owner)).toBe('SUCCESS');
  });

  it('deploys and calls a contract: record, sign, enforce, send; its state outlives a kill', {
    tags: 'slow',
  }, async () => {
    const wasm = await compileContract(counter);
    const uploaded = await invoke(Operation.uploadContractWasm({ wasm }));
    const wasmHash = scValToNative(uploaded);
    const made = await invoke(
      Operation.createCustomContract({ address: new Address(relay.publicKey()), wasmHash }),
    );
    const contract = Address.fromScVal(made).toString();
    const call = (auth?: xdr.SorobanAuthorizationEntry[]) =>
      Operation.invokeContractFunction({
        contract,
        function: 'pay',
        args: [address(owner.publicKey()), xdr.ScVal.scvU32(3)],
        auth,
      });
    const recorded = await server.simulateTransaction(await build(relay, call()));
    if (!rpc.Api.isSimulationSuccess(recorded)) throw new Error(recorded.error);
    const until = recorded.latestLedger + 100;
    const auth = await Promise.all(
      recorded.result!.auth.map((entry) =>
        authorizeEntry(entry, owner, until, Networks.STANDALONE),
      ),
    );
    expect(scValToNative(await invoke(call(auth)))).toBe(3);
    await expect(invoke(call(auth))).rejects.toThrow('nonce was used');
    // What a kill leaves: whole lines, and perhaps a part of one.
    const left = readFileSync(join(folder, 'journal.jsonl'));
    await node.stop();
    writeFileSync(
      join(folder, 'journal.jsonl'),
      Buffer.concat([left, Buffer.from('{"sequence":')]),
    );
    await open();
    const entry = await server.getContractData(contract, xdr.ScVal.scvSymbol('n'));
    expect(entry.liveUntilLedgerSeq).toBeGreaterThan(2_000_000);
  });

  it('moves lumens by their contract, whose events it lists', async () => {
    const { sequence } = await server.getLatestLedger();
    await invoke(Operation.createStellarAssetContract({ asset: Asset.native() }));
    const token = Asset.native().contractId(Networks.STANDALONE);
    const args = [address(relay.publicKey()), address(owner.publicKey()), i128(5n)];
    await invoke(Operation.invokeContractFunction({ contract: token, function: 'transfer', args }));
    const topic = [xdr.ScVal.scvSymbol('transfer').toXdr('base64'), '**'];
    const { events } = await server.getEvents({
      startLedger: sequence,
      filters: [{ type: 'contract', contractIds: [token], topics: [topic] }],
    });
    expect(events.map(({ value }) => scValToNative(value))).toEqual([5n]);
  });

  it('takes no memo and no muxed source with a call of a contract', async () => {
    const { contract, call } = {
      contract: Asset.native().contractId(Networks.STANDALONE),
      call: 'decimals',
    };
    const operation = Operation.invokeContractFunction({ contract, function: call, args: [] });
    const simulated = await server.simulateTransaction(await build(relay, operation));
    if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error(simulated.error);
    const ready = rpc.assembleTransaction(await build(relay, operation), simulated);
    const carrying = ready.addMemo(Memo.text('order 1')).build();
    await expect(server.simulateTransaction(carrying)).rejects.toMatchObject({
      message: expect.stringContaining('contains a memo'),
    });
    expect(await send(carrying, relay)).toBe('txMalformed');
  });

  it('tells what each operation changed, and has its first ledger for as long as it forgot nothing', async () => {
    const [one, other] = [Keypair.random().publicKey(), Keypair.random().publicKey()];
    const create = (destination: string) =>
      Operation.createAccount({ destination, startingBalance: '5' });
    const both = await build(relay, create(one), create(other));
    expect(await send(both, relay)).toBe('SUCCESS');
    const got = await server.getTransaction(Buffer.from(both.hash()).toString('hex'));
    const meta = got.status === 'SUCCESS' ? got.resultMetaXdr : undefined;
    const balances =
      meta?.type === 'v4'
        ? meta.v4.operations.map(({ changes }) => changes.flatMap(balanceAfter))
        : [];
    expect(balances.map((own) => own.includes(50_000_000n))).toEqual([true, true]);
    expect(balances[0]!.find((balance) => balance !== 50_000_000n)).toBe(
      balances[1]!.find((balance) => balance !== 50_000_000n)! + 50_000_000n,
    );
    expect(got.oldestLedger).toBe(2);
  });

  it('what it lacks is refused by name, and time is moved', async () => {
    await expect(server.getLedgers({ startLedger: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('no method getLedgers'),
    });
    const before = await server.getLatestLedger();
    await node.advanceTime(3_600);
    const after = await server.getLatestLedger();
    expect(after.sequence - before.sequence).toBe(720);
    expect(Number(after.closeTime) - Number(before.closeTime)).toBeGreaterThanOrEqual(3_600);
  });
});

function balanceAfter(change: xdr.LedgerEntryChange): bigint[] {
  const entry =
    change.type === 'ledgerEntryCreated'
      ? change.created
      : change.type === 'ledgerEntryUpdated'
        ? change.updated
        : undefined;
  return entry?.data.type === 'account' ? [entry.data.account.balance] : [];
}
