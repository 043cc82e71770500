import {
  Account,
  Asset,
  Claimant,
  getClaimableBalanceIdFromResult,
  Keypair,
  Memo,
  MuxedAccount,
  nativeToScVal,
  Operation,
  StrKey,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressValue } from '../../../../contracts/stellar/index.ts';
import type { Running, SeenTransfer } from '../../family.ts';
import { readLatestLedger, readTransaction } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { DoneTransaction, ListedTransaction } from '../rpc/schemas.ts';
import { type Bed, startBed } from '../testing/bed.ts';
import { compileOwnToken } from '../testing/own-token.ts';
import { flowsOf } from './movements.ts';
import { readLedgers, readTimeFrom } from './read-ledgers.ts';

let bed: Bed;
let watcher: Running;
let connection: StellarConnection;
/** A wallet that is a contract, and one that is an account and takes deposits. */
const wallet = StrKey.encodeContract(Buffer.alloc(32, 5));
let account: Keypair;
let stranger: Keypair;

beforeAll(async () => {
  bed = await startBed();
  connection = await bed.connections.connect('stellar');
  account = await bed.newHolder();
  stranger = await bed.newHolder('1000');
  for (const address of [wallet, account.publicKey()]) bed.own.add(address);
  bed.taking.add(account.publicKey());
  watcher = await bed.watch();
});
beforeEach(() => bed.node.tellTruth());
afterAll(async () => {
  await watcher?.stop();
  await bed?.close();
});

const pay = (destination: string, amount: string, asset = bed.asset) =>
  Operation.payment({ destination, asset, amount });
const bare = ({ sender, recipient, amountMinor, token, memo }: SeenTransfer) => ({
  from: sender,
  to: recipient,
  amount: amountMinor,
  of: token.locator,
  ...(memo !== undefined && { memo }),
});
const seenOf = async (txId: string) => (await bed.transfersOf(txId)).map(bare);
const of = 'stellar:usdxm';

async function doneOf(txId: string): Promise<DoneTransaction> {
  const found = await readTransaction(connection, txId);
  if (found.status === 'NOT_FOUND') throw new Error(`${txId} is in no ledger`);
  return found;
}

describe('movements on Stellar', () => {
  it('are told of payments, each of its own operation, with the memo where deposits are taken', async () => {
    const [from, to] = [stranger.publicKey(), account.publicKey()];
    const memo = '18446744073709551615';
    const txId = await bed.client.send(stranger, [pay(to, '1'), pay(to, '2.5')], {
      memo: Memo.id(memo),
    });
    const [first, second] = await bed.transfersOf(txId);
    const { ledger, createdAt } = await doneOf(txId);
    const place = {
      chain: 'stellar',
      txId,
      height: BigInt(ledger),
      at: new Date(createdAt * 1_000),
      succeeded: true,
    };
    const token = await bed.tokens.resolve('stellar', { symbol: 'usdxm' });
    expect(first).toEqual({
      ...place,
      id: `stellar:${txId}:0`,
      token,
      sender: from,
      recipient: to,
      amountMinor: 10_000_000n,
      memo,
    });
    expect(second).toEqual({
      ...place,
      id: `stellar:${txId}:1`,
      token,
      sender: from,
      recipient: to,
      amountMinor: 25_000_000n,
      memo,
    });
    const text = await bed.client.send(stranger, [pay(to, '1', Asset.native())], {
      memo: Memo.text('12'),
    });
    expect(await seenOf(text)).toEqual([
      { from, to, amount: 10_000_000n, of: 'stellar:xlm', memo: '12' },
    ]);
    const words = await bed.client.send(stranger, [pay(to, '1')], { memo: Memo.text('for lunch') });
    expect(await seenOf(words)).toEqual([{ from, to, amount: 10_000_000n, of }]);
    const back = await bed.client.send(account, [pay(from, '1')], { memo: Memo.id('7') });
    expect(await seenOf(back)).toEqual([{ from: to, to: from, amount: 10_000_000n, of }]);
  });

  it('are told of transfers by the token’s contract, and of what the issuer makes and takes back', async () => {
    const [from, issuer] = [stranger.publicKey(), bed.issuer.publicKey()];
    expect(await seenOf(await bed.transfer(stranger, wallet, 5n))).toEqual([
      { from, to: wallet, amount: 5n, of },
    ]);
    const { nativeContract } = bed.network;
    expect(await seenOf(await bed.transfer(stranger, wallet, 6n, nativeContract))).toEqual([
      { from, to: wallet, amount: 6n, of: 'stellar:xlm' },
    ]);
    expect(await seenOf(await bed.transfer(bed.issuer, wallet, 7n))).toEqual([
      { from: issuer, to: wallet, amount: 7n, of },
    ]);
    const classic = await bed.client.send(bed.issuer, [pay(account.publicKey(), '1')]);
    expect(await seenOf(classic)).toEqual([
      { from: issuer, to: account.publicKey(), amount: 10_000_000n, of },
    ]);
    expect(await seenOf(await bed.transfer(account, issuer, 8n))).toEqual([
      { from: account.publicKey(), to: issuer, amount: 8n, of },
    ]);
  });

  it('have the number of the recipient as their memo, however it is written', async () => {
    const [from, to] = [stranger.publicKey(), account.publicKey()];
    const numbered = new MuxedAccount(new Account(to, '0'), '77').accountId();
    const classic = await bed.client.send(stranger, [pay(numbered, '1')], { memo: Memo.id('1') });
    expect(await seenOf(classic)).toEqual([{ from, to, amount: 10_000_000n, of, memo: '77' }]);
    const args = [addressValue(from), addressValue(numbered), nativeToScVal(3n, { type: 'i128' })];
    const call = Operation.invokeContractFunction({
      contract: bed.contract,
      function: 'transfer',
      args,
    });
    expect(await seenOf((await bed.client.invoke(stranger, call)).hash)).toEqual([
      { from, to, amount: 3n, of, memo: '77' },
    ]);
  });

  it('are told of new accounts and of claimable balances, which lie with nobody in between', async () => {
    const [from, to] = [stranger.publicKey(), account.publicKey()];
    const young = Keypair.random().publicKey();
    bed.own.add(young);
    const create = Operation.createAccount({ destination: young, startingBalance: '5' });
    expect(await seenOf(await bed.client.send(stranger, [create]))).toEqual([
      { from, to: young, amount: 50_000_000n, of: 'stellar:xlm' },
    ]);
    const claimants = [new Claimant(from)];
    const laid = await bed.client.send(account, [
      Operation.createClaimableBalance({ asset: bed.asset, amount: '1', claimants }),
    ]);
    const [put] = await seenOf(laid);
    expect(put).toEqual({
      from: to,
      to: expect.stringMatching(/^B[A-Z2-7]{57}$/),
      amount: 10_000_000n,
      of,
    });
    const back = Operation.createClaimableBalance({
      asset: bed.asset,
      amount: '2',
      claimants: [new Claimant(to)],
    });
    const made = await doneOf(await bed.client.send(stranger, [back]));
    const balanceId = getClaimableBalanceIdFromResult(made.resultXdr, 0);
    const taken = await bed.client.send(account, [Operation.claimClaimableBalance({ balanceId })]);
    expect(await seenOf(taken)).toEqual([
      { from: expect.stringMatching(/^B/), to, amount: 20_000_000n, of },
    ]);
  });

  it('of tokens that are no listed ones are told as what they are, and cannot pass for listed ones', {
    tags: 'slow',
  }, async () => {
    const from = stranger.publicKey();
    const own = await bed.client.deploy(bed.issuer, await compileOwnToken('USDXM'));
    const [seen] = await bed.transfersOf(await bed.transfer(stranger, wallet, 9n, own));
    expect(seen).toMatchObject({ sender: from, recipient: wallet, amountMinor: 9n });
    expect(seen!.token).toEqual({
      chain: 'stellar',
      locator: `stellar:${own}`,
      address: own,
      name: 'Own',
      decimals: 9,
    });
    const euro = new Asset('EURC', bed.issuer.publicKey());
    await bed.client.send(account, [Operation.changeTrust({ asset: euro })]);
    const [foreign] = await bed.transfersOf(
      await bed.client.send(bed.issuer, [pay(account.publicKey(), '1', euro)]),
    );
    const address = euro.contractId(bed.network.passphrase);
    expect(foreign!.token).toEqual({
      chain: 'stellar',
      locator: `stellar:${address}`,
      address,
      symbol: 'EURC',
      name: euro.toString(),
      decimals: 7,
    });
  });

  it('are none of what failed; operations of ours are told either way', async () => {
    const to = account.publicKey();
    const failed = await bed.client.send(stranger, [pay(to, '1'), pay(to, '999999')], {
      mayFail: true,
    });
    const found = await doneOf(failed);
    expect(found.status).toBe('FAILED');
    bed.operationIds.set(failed, 'the operation');
    const again = await bed.watch({ chain: 'stellar again', startLedger: found.ledger });
    await bed.until(() => bed.told.operations.length > 0, 'the operation');
    await again.stop();
    expect(bed.told.operations).toEqual([
      {
        operationId: 'the operation',
        chain: 'stellar',
        txId: failed,
        succeeded: false,
        height: BigInt(found.ledger),
        at: new Date(found.createdAt * 1_000),
      },
    ]);
    expect(bed.told.transfers.filter(({ txId }) => txId === failed)).toEqual([]);
  });

  it('are told once of all ledgers, up to the newest, where nothing happens too', {
    tags: 'slow',
  }, async () => {
    await bed.chain.advanceTime(3_600);
    const { sequence } = await readLatestLedger(connection);
    await bed.until(() => bed.told.final >= BigInt(sequence), 'the newest ledger');
    const ids = bed.told.transfers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('ledgers', () => {
  const hash = 'a'.repeat(64);

  it('are read whole, however many transactions they have and however few are asked for', {
    tags: 'slow',
    timeout: 30_000,
  }, async () => {
    const { sequence } = await readLatestLedger(connection);
    const senders = await Promise.all(Array.from({ length: 15 }, () => bed.client.newAccount()));
    for (const sender of senders)
      for (let count = 0; count < 14; count++)
        await bed.client.send(sender, [Operation.bumpSequence({ bumpTo: '0' })]);
    const head = BigInt((await readLatestLedger(connection)).sequence);
    const from = { next: BigInt(sequence + 1), head };
    const all = (await readLedgers(connection, from, 1_000))!;
    expect(all.transactions).toHaveLength(15 * 15);
    expect(all).toMatchObject({ isBehind: false, last: { height: head } });
    const some = (await readLedgers(connection, from, 4))!;
    expect(some.transactions).toEqual(all.transactions.slice(0, 4));
    expect(some).toMatchObject({ isBehind: true, last: { height: from.next + 3n } });
    const more = (await readLedgers(
      connection,
      { next: some.last.height + 1n, head, last: some.last },
      1_000,
    ))!;
    expect([...some.transactions, ...more.transactions].map(({ txHash }) => txHash)).toEqual(
      all.transactions.map(({ txHash }) => txHash),
    );
  });

  it('of a node that has another history, or has forgotten what comes next, are not believed', async () => {
    const head = BigInt((await readLatestLedger(connection)).sequence);
    const read = (last: string, next = head) =>
      readLedgers(connection, { next, head, last: { height: next - 1n, hash: last } }, 10);
    await expect(read(`${head - 1n}:${hash}`)).rejects.toThrow('it is of another chain');
    const { transactions } = (await readLedgers(connection, { next: 2n, head }, 10))!;
    const [first] = transactions;
    expect(await read(`${first!.ledger}:${first!.txHash}`)).toBeDefined();
    await expect(read(`${first!.ledger + 1}:${first!.txHash}`)).rejects.toThrow(
      'it is of another chain',
    );
    bed.node.lie('getTransaction', (result) => ({ ...result, oldestLedger: Number(head) }));
    await expect(read(`2:${hash}`, head - 5n)).rejects.toThrow(
      `keeps nothing that is older than ledger ${head}`,
    );
    bed.node.lie('getTransactions', (result) => ({
      ...result,
      transactions: (result.transactions as object[]).toReversed(),
    }));
    bed.node.lie('getTransaction', (result) => result);
    await expect(readLedgers(connection, { next: 2n, head }, 10)).rejects.toThrow(
      'The node tells ledger',
    );
  });

  it('are begun no earlier than what the node still has', async () => {
    const head = BigInt((await readLatestLedger(connection)).sequence);
    const timeFrom = (from: bigint) => readTimeFrom(connection, { from, upTo: head });
    expect(await timeFrom(1n)).toEqual(new Date(0));
    const { transactions } = (await readLedgers(connection, { next: 2n, head }, 10))!;
    expect(await timeFrom(2n)).toEqual(new Date(transactions[0]!.createdAt * 1_000));
    expect(await timeFrom(head + 1n)).toBeUndefined();
    bed.node.lie('getTransaction', (result) => ({ ...result, oldestLedger: 4 }));
    expect(await timeFrom(3n)).toEqual(new Date(0));
  });

  it('of a node that is behind the other one are left for later, those that it has are read', async () => {
    const head = BigInt((await readLatestLedger(connection)).sequence);
    bed.node.lie('getTransaction', (result) => ({ ...result, latestLedger: Number(head) - 3 }));
    expect(await readLedgers(connection, { next: head, head }, 10)).toBeUndefined();
    bed.node.lie('getTransaction', (result) => result);
    bed.node.lie('getTransactions', (result) => ({
      ...result,
      transactions: [],
      latestLedger: Number(head) - 1,
    }));
    expect(await readLedgers(connection, { next: head - 3n, head }, 10)).toMatchObject({
      last: { height: head - 1n },
      isBehind: true,
    });
    expect(await readLedgers(connection, { next: head, head }, 10)).toBeUndefined();
  });
});

describe('a payment by way of others', () => {
  const { LedgerEntryChange: make } = xdr;
  const [payer, seller, recipient] = [Keypair.random(), Keypair.random(), Keypair.random()];
  const usd = new Asset('USD', Keypair.random().publicKey());

  function line(owner: Keypair, balance: bigint) {
    const asset = usd.toTrustLineXdrObject();
    const ext = xdr.TrustLineEntryExt.v0();
    const entry = new xdr.TrustLineEntry({
      accountId: owner.xdrAccountId(),
      asset,
      balance,
      limit: 10n ** 18n,
      flags: 1,
      ext,
    });
    return new xdr.LedgerEntry({
      lastModifiedLedgerSeq: 1,
      data: xdr.LedgerEntryData.trustline(entry),
      ext: xdr.LedgerEntryExt.v0(),
    });
  }
  function lumens(owner: Keypair, balance: bigint) {
    const fields = {
      seqNum: 1n,
      numSubEntries: 0,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      signers: [],
    };
    const rest = {
      ...fields,
      thresholds: Uint8Array.of(1, 0, 0, 0),
      ext: xdr.AccountEntryExt.v0(),
    };
    const data = xdr.LedgerEntryData.account(
      new xdr.AccountEntry({ accountId: owner.xdrAccountId(), balance, ...rest }),
    );
    return new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext: xdr.LedgerEntryExt.v0() });
  }
  const change = (before: xdr.LedgerEntry, after: xdr.LedgerEntry) => [
    make.ledgerEntryState(before),
    make.ledgerEntryUpdated(after),
  ];

  function transactionOf(
    operation: xdr.Operation,
    changes: xdr.LedgerEntryChange[],
    events: xdr.ContractEvent[] = [],
  ): ListedTransaction {
    const builder = new TransactionBuilder(new Account(payer.publicKey(), '1'), {
      fee: '100',
      networkPassphrase: bed.network.passphrase,
    });
    const envelopeXdr = xdr.TransactionEnvelope.fromXdr(
      builder.addOperation(operation).setTimeout(0).build().toXdr(),
      'base64',
    );
    const ext = xdr.ExtensionPoint.v0();
    const operations = [new xdr.OperationMetaV2({ ext, changes, events })];
    const empty = {
      txChangesBefore: [],
      txChangesAfter: [],
      sorobanMeta: null,
      events: [],
      diagnosticEvents: [],
    };
    const resultMetaXdr = xdr.TransactionMeta.v4(
      new xdr.TransactionMetaV4({ ext, operations, ...empty }),
    );
    const resultXdr = xdr.TransactionResult.fromXdr('AAAAAAAAAGQAAAAAAAAAAAAAAAA=', 'base64');
    return {
      status: 'SUCCESS',
      txHash: '0'.repeat(64),
      ledger: 5,
      createdAt: 0,
      envelopeXdr,
      resultXdr,
      resultMetaXdr,
    };
  }

  it('is the payer’s, in what arrives', () => {
    const path = {
      sendAsset: Asset.native(),
      destAsset: usd,
      path: [],
      destination: recipient.publicKey(),
    };
    const operation = Operation.pathPaymentStrictSend({ ...path, sendAmount: '9', destMin: '1' });
    const changes = [
      ...change(lumens(payer, 100n), lumens(payer, 10n)),
      ...change(lumens(seller, 100n), lumens(seller, 190n)),
      ...change(line(seller, 50n), line(seller, 20n)),
      ...change(line(recipient, 0n), line(recipient, 30n)),
    ];
    const flows = flowsOf(transactionOf(operation, changes), bed.network);
    expect(
      flows.map(({ sender, recipient: to, amountMinor, asset }) => [
        sender,
        to,
        amountMinor,
        asset!.getCode(),
      ]),
    ).toEqual([
      [payer.publicKey(), seller.publicKey(), 90n, 'XLM'],
      [seller.publicKey(), payer.publicKey(), 30n, 'USD'],
      [payer.publicKey(), recipient.publicKey(), 30n, 'USD'],
    ]);
  });

  it('to oneself is an exchange', () => {
    const path = {
      sendAsset: Asset.native(),
      destAsset: usd,
      path: [],
      destination: payer.publicKey(),
    };
    const operation = Operation.pathPaymentStrictReceive({
      ...path,
      sendMax: '9',
      destAmount: '1',
    });
    const changes = [
      ...change(line(seller, 50n), line(seller, 20n)),
      ...change(line(payer, 0n), line(payer, 30n)),
    ];
    const flows = flowsOf(transactionOf(operation, changes), bed.network);
    expect(
      flows.map(({ sender, recipient: to, amountMinor }) => [sender, to, amountMinor]),
    ).toEqual([[seller.publicKey(), payer.publicKey(), 30n]]);
  });

  it('of a contract that calls its token by the name of an asset is none of that asset', () => {
    const args = [payer, recipient].map((key) => addressValue(key.publicKey()));
    const eventOf = (contract: string) =>
      new xdr.ContractEvent({
        ext: xdr.ExtensionPoint.v0(),
        contractId: new xdr.ContractId(StrKey.decodeContract(contract)),
        type: xdr.ContractEventType.contract,
        body: xdr.ContractEventBody.v0(
          new xdr.ContractEventV0({
            topics: [xdr.ScVal.scvSymbol('transfer'), ...args, xdr.ScVal.scvString(usd.toString())],
            data: nativeToScVal(5n, { type: 'i128' }),
          }),
        ),
      });
    const [real, fake] = [
      usd.contractId(bed.network.passphrase),
      StrKey.encodeContract(Buffer.alloc(32, 3)),
    ];
    const call = Operation.invokeContractFunction({ contract: fake, function: 'transfer', args });
    const flows = flowsOf(transactionOf(call, [], [eventOf(real), eventOf(fake)]), bed.network);
    expect(flows.map(({ contract, asset }) => [contract, asset?.toString()])).toEqual([
      [real, usd.toString()],
      [fake, undefined],
    ]);
  });
});
