import { randomUUID } from 'node:crypto';
import {
  Account,
  Asset,
  Claimant,
  encodeMuxedAccount,
  encodeMuxedAccountToAddress,
  Keypair,
  Memo,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeAccount } from '../../../../devnet/stellar/ledger/accounts.ts';
import { addIntents, selectSiblings } from '../../family/late/store.ts';
import type { FamilyWallet, OperationOutcome, Running } from '../../family.ts';
import { refusal, refusalOf } from '../../family-contract/world.ts';
import { readMissing } from '../account/make-ready.ts';
import { storeSetUp } from '../account/set-up.ts';
import { prepareStellarOperation } from '../operation/prepare.ts';
import { readTransaction } from '../rpc/calls.ts';
import { stellarLateSigning } from '../signing/late.ts';
import { custodySigner } from '../testing/custody.ts';
import { openWorld, projectId, type World } from '../testing/world.ts';
import { wrap } from './fee-bump.ts';
import { readClassic, withLastLedger } from './stored.ts';

let world: World;
let relay: Running;
let wallet: FamilyWallet;
beforeAll(async () => {
  world = await openWorld();
  relay = await world.start();
  wallet = world.aKeyWallet();
  await world.chain.friendbot(wallet.address);
});
afterAll(async () => {
  await relay?.stop();
  await world?.close();
});

interface Written {
  readonly of?: string;
  readonly memo?: Memo;
}

/** As a client writes it: any sequence number, any fee, no signature. */
function params(operations: readonly xdr.Operation[], { of = wallet.address, memo }: Written = {}) {
  const builder = new TransactionBuilder(new Account(of, '7'), {
    fee: '100',
    networkPassphrase: world.network.passphrase,
  });
  for (const operation of operations) builder.addOperation(operation);
  if (memo) builder.addMemo(memo);
  const serializedTransaction = builder.setTimeout(60).build().toXdr();
  return { transaction: { type: 'serialized-transaction', serializedTransaction } } as const;
}
const prepare = (operations: readonly xdr.Operation[], written: Written = {}) =>
  world.prepare(wallet, params(operations, written), { signer: wallet.adminSigner });
const run = async (
  operations: readonly xdr.Operation[],
  written: Written = {},
): Promise<OperationOutcome> => world.run(wallet, await prepare(operations, written), []);
const pay = (destination: string, amount = '1', asset = Asset.native()) =>
  Operation.payment({ destination, asset, amount });
async function anAccount(): Promise<string> {
  const address = Keypair.random().publicKey();
  await world.chain.friendbot(address);
  return address;
}

describe('classic operations of wallets that are keys', () => {
  it('are sent as the caller wrote them, with their memo, in a fee bump that the service pays', async () => {
    const [friend, before] = [await anAccount(), await world.balance(wallet.address, world.native)];
    const memo = Memo.text('an order at an exchange, 28!');
    const prepared = await prepare(
      [pay(friend, '2.5'), Operation.manageData({ name: 'note', value: 'hello' })],
      { memo },
    );
    expect(prepared).toMatchObject({
      counterparties: [friend],
      onChain: { transaction: { method: 'payment' }, expiration: expect.any(Number) },
    });
    const { onChain, status, costMinor } = await world.run(wallet, prepared, []);
    expect([status, costMinor! > 0n]).toEqual(['success', true]);
    const found = await readTransaction(world.connection, onChain['txId'] as string);
    const envelope = found.status === 'SUCCESS' ? found.envelopeXdr : undefined;
    const bump = envelope?.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx : undefined;
    expect(String(bump?.innerTx.v1.tx.memo.toXdr('base64'))).toBe(
      String(memo.toXdrObject().toXdr('base64')),
    );
    expect(await world.balance(wallet.address, world.native)).toBe(before - 25_000_000n);
  });

  it('run in the order in which they were asked for, each once', { tags: 'slow' }, async () => {
    const friend = await anAccount();
    const before = await world.balance(friend, world.native);
    const all = [];
    for (const amount of ['1', '2', '3']) all.push(await prepare([pay(friend, amount)]));
    const ids: string[] = [];
    for (const one of all) ids.push(await world.submit(wallet, one, []));
    const ends = await Promise.all(ids.map((id) => world.outcomeOf(id)));
    expect(ends.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    const ledgers = ends.map(({ onChain }) => onChain['ledger'] as number);
    expect(ledgers).toEqual(ledgers.toSorted((one, other) => one - other));
    expect((await world.balance(friend, world.native)) - before).toBe(60_000_000n);
    expect(await selectSiblings(world.database.store, ids[0]!)).toEqual([]);
  });

  it('are held against the oldest of the wallet, however many wait', async () => {
    const { store } = world.database;
    const intents = Array.from({ length: 205 }, (_, number) => ({
      operationId: randomUUID(),
      subject: 'transaction',
      projectId,
      owner: 'owner',
      chain: 'another-chain',
      walletId: wallet.id,
      operation: { number },
      costMax: 1n,
      validUntil: new Date(Date.now() + 60_000),
    }));
    await store.transaction((tx) => addIntents(tx, intents));
    // The oldest is the one that was written last.
    const text = `update operation_intents set created_at = now() - interval '1 hour' where operation_id = $1`;
    await store.query({ text, values: [intents[204]!.operationId] });
    expect(await selectSiblings(store, intents[0]!.operationId)).toContainEqual({ number: 204 });
    await store.query({ text: `delete from operation_intents where chain = 'another-chain'` });
  });

  it('that open trust lines find them open, with reserves of the service', {
    tags: 'slow',
  }, async () => {
    const poor = world.aKeyWallet();
    const open = params([Operation.changeTrust({ asset: world.chain.asset })], {
      of: poor.address,
    });
    const prepared = await world.prepare(poor, open, { signer: poor.adminSigner });
    expect(await world.run(poor, prepared, [])).toMatchObject({ status: 'success' });
    expect(
      await readMissing(world.connection, poor.address, world.chain.asset.toString()),
    ).toMatchObject({
      makesAccount: false,
      makesLine: false,
    });
    expect(await world.balance(poor.address, world.native)).toBe(0n);
  });

  it('create a claimable balance for a recipient without a trust line, whom a payment is refused', {
    tags: 'slow',
  }, async () => {
    const friend = await anAccount();
    const { asset } = world.chain;
    await run([Operation.changeTrust({ asset })]);
    await world.chain.giveTokens(wallet.address, 50_000_000n);
    const refused = await refusal(prepare([pay(friend, '2', asset)]));
    expect([refused.code, refused.message]).toEqual([
      'invalid-recipient',
      expect.stringContaining('claimable balance'),
    ]);
    const claimants = [new Claimant(friend)];
    expect(
      await run([Operation.createClaimableBalance({ asset, amount: '2', claimants })]),
    ).toMatchObject({ status: 'success' });
    expect(await world.balance(wallet.address)).toBe(30_000_000n);
  });

  it('are screened by the accounts that they pay, whatever number of a customer stands in the address', async () => {
    const friend = await anAccount();
    const numbered = (account: string) =>
      encodeMuxedAccountToAddress(encodeMuxedAccount(account, '4711'));
    const swap = {
      sendAsset: Asset.native(),
      sendAmount: '1',
      destAsset: Asset.native(),
      destMin: '1',
      path: [],
    };
    for (const operation of [
      pay(numbered(friend)),
      Operation.pathPaymentStrictSend({ ...swap, destination: numbered(friend) }),
    ])
      expect(await prepare([operation])).toMatchObject({ counterparties: [friend] });
    expect(await refusalOf(prepare([pay(numbered(Keypair.random().publicKey()))]))).toBe(
      'invalid-recipient',
    );
  });

  it('get no sequence number after one that no account can have, whatever a node says', async () => {
    const friend = await anAccount();
    const { rpc } = world.connection;
    const request: typeof rpc.request = async (method, asked) => {
      const answer = (await rpc.request(method, asked)) as { entries?: { xdr: string }[] };
      if (method !== 'getLedgerEntries') return answer;
      const entries = answer.entries?.map((entry) => {
        const data = xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64');
        if (data.type !== 'account') return entry;
        return {
          ...entry,
          xdr: xdr.LedgerEntryData.account(
            changeAccount(data.account, { seqNum: 2n ** 63n - 9n }),
          ).toXdr('base64'),
        };
      });
      return { ...answer, entries };
    };
    const lying = {
      ...world.deps,
      connect: async () => ({ network: world.network, rpc: { ...rpc, request } }),
    };
    const input = {
      wallet,
      params: params([pay(friend)]),
      now: new Date(),
      signer: wallet.adminSigner,
    };
    expect(await refusalOf(prepareStellarOperation(lying, input))).toBe('upstream-error');
    expect(await run([pay(friend)])).toMatchObject({ status: 'success' });
  });

  it('are refused with the reason where they would fail, or make the wallet another one’s', async () => {
    const friend = await anAccount();
    const asked: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['insufficient-balance', () => prepare([pay(friend, '900000')])],
      ['invalid-recipient', () => prepare([pay(Keypair.random().publicKey())])],
      ['transaction-invalid', () => prepare([Operation.setOptions({ masterWeight: 0 })])],
      ['transaction-invalid', () => prepare([Operation.accountMerge({ destination: friend })])],
      ['transaction-invalid', () => prepare([Operation.bumpSequence({ bumpTo: '99' })])],
      [
        'transaction-invalid',
        () =>
          prepare([
            Operation.payment({
              destination: friend,
              asset: Asset.native(),
              amount: '1',
              source: friend,
            }),
          ]),
      ],
      ['transaction-invalid', () => prepare([pay(friend)], { of: friend })],
      ['transaction-invalid', () => prepare(Array.from({ length: 21 }, () => pay(friend)))],
    ];
    for (const [index, [code, ask]] of asked.entries())
      expect([index, await refusalOf(ask())]).toEqual([index, code]);
    const { message } = await refusal(prepare([Operation.setOptions({ masterWeight: 0 })]));
    expect(message).toContain('other keys beside the wallet’s own');
  });

  it('that fail in a ledger say which and why, and cost the wallet nothing', async () => {
    const before = await world.balance(wallet.address, world.native);
    const end = await run([
      Operation.createAccount({ destination: await anAccount(), startingBalance: '5' }),
    ]);
    expect(end).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('operation 1: the account exists already') },
    });
    expect(await world.balance(wallet.address, world.native)).toBe(before);
  });
});

describe('transfers with a memo', () => {
  it('are payments, whose memo the recipient reads', async () => {
    const friend = await anAccount();
    const send = (memo: { type: string; value: string }) =>
      world.prepareTransfer(
        wallet,
        { signer: wallet.adminSigner },
        { amount: 15n, to: friend, of: world.native, memo },
      );
    const prepared = await send({ type: 'text', value: 'order 4711' });
    const before = await world.balance(friend, world.native);
    expect(await world.run(wallet, prepared, [])).toMatchObject({ status: 'success' });
    expect(await world.balance(friend, world.native)).toBe(before + 15n);
    expect(readClassic(prepared.operation).transaction.memo.value).toEqual(expect.anything());
    expect(await refusalOf(send({ type: 'text', value: 'x'.repeat(29) }))).toBe('validation-error');
  });

  it('are refused where the network has no room for the memo, or an account none for the amount', async () => {
    const friend = await anAccount();
    const send = (memo: { type: string; value: string }, amount = 15n) =>
      world.prepareTransfer(
        wallet,
        { signer: wallet.adminSigner },
        { amount, to: friend, of: world.native, memo },
      );
    const memos = [
      { type: 'text', value: 'é'.repeat(15) },
      { type: 'id', value: (2n ** 64n).toString() },
    ];
    for (const memo of memos)
      expect([memo, await refusalOf(send(memo))]).toEqual([memo, 'validation-error']);
    for (const amount of [0n, -5n, 2n ** 63n])
      expect([amount, await refusalOf(send({ type: 'id', value: '1' }, amount))]).toEqual([
        amount,
        'validation-error',
      ]);
    await expect(send({ type: 'text', value: 'é'.repeat(14) })).resolves.toBeDefined();
  });
});

describe('what the key of the wallet signs for classic operations', () => {
  it('is what was asked for, once: not other operations, nor the same with another number or on another network', async () => {
    const friend = await anAccount();
    const [one, other] = [await prepare([pay(friend)]), await prepare([pay(friend)])];
    const payer = world.channels[0]!.address;
    const built = (value: typeof one.operation) =>
      new Uint8Array(
        Buffer.from(
          wrap(withLastLedger(readClassic(value), 99), { payer, fee: 200n }).toXdr(),
          'base64',
        ),
      );
    expect(stellarLateSigning.signedBytes(one.operation, built(one.operation))).toHaveLength(32);
    expect(() => stellarLateSigning.signedBytes(one.operation, built(other.operation))).toThrow(
      'something else',
    );
    const elsewhere = {
      ...one.operation,
      passphrase: 'Public Global Stellar Network ; September 2015',
    };
    const signed = Buffer.from(stellarLateSigning.signedBytes(elsewhere, built(elsewhere)));
    expect(
      signed.equals(
        Buffer.from(stellarLateSigning.signedBytes(one.operation, built(one.operation))),
      ),
    ).toBe(false);
    // Of a treasury it needs a transfer, and what makes its account does not.
    const { chain, passphrase } = readClassic(one.operation);
    const setUp = storeSetUp({ chain, passphrase, wallet: friend });
    expect([one.operation, setUp].map(stellarLateSigning.movesNothing)).toEqual([false, true]);
    const stolen = { ...one.operation, wallet: friend };
    expect(() => stellarLateSigning.signedBytes(stolen, built(one.operation))).toThrow(
      'it was changed',
    );
  });

  it('is not sent a second time, whoever puts it back into the queue', async () => {
    const friend = await anAccount();
    const prepared = await prepare([pay(friend, '4')]);
    const before = await world.balance(friend, world.native);
    expect(await world.run(wallet, prepared, [])).toMatchObject({ status: 'success' });
    const again = await world.submit(wallet, prepared, []);
    await world.run(
      wallet,
      await world.prepareTransfer(wallet, custodySigner(wallet), {
        amount: 1n,
        to: friend,
        of: world.native,
      }),
      [custodySigner(wallet)],
    );
    expect(world.outcomes.filter(({ operationId }) => operationId === again)).toEqual([]);
    expect(await world.balance(friend, world.native)).toBe(before + 40_000_001n);
    await world.database.store.query({
      text: 'delete from operation_intents where operation_id = $1',
      values: [again],
    });
  });
});
