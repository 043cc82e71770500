import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes, SuiGrpcClient } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SuiChain, startSuiChain } from '../../../../devnet/sui/local.ts';
import type { DepositIntent, ResolvedToken } from '../../family.ts';
import { suiCoinType, suiNetwork } from '../config/networks.ts';
import { type Recorded, readCheckpoint, readTransaction } from '../rpc/checkpoints.ts';
import { createConnections, type SuiConnection, type SuiConnections } from '../rpc/connections.ts';
import { type LyingNode, startLyingNode } from '../testing/lying-node.ts';
import { movementsOf } from '../watcher/movements.ts';
import { newSuiMemo, suiDepositInstructions, suiPayerState } from './deposits.ts';

const usd = normalizeStructTag('0xabc::usd::USD');
const dollars: ResolvedToken = { chain: 'sui', locator: `sui:${usd}`, address: usd, decimals: 6 };
const native: ResolvedToken = { chain: 'sui', locator: 'sui:sui', symbol: 'sui', decimals: 9 };
const treasury = normalizeSuiAddress('0x0bad0bad');
const payer = new Ed25519Keypair();
const payerAddress = payer.toSuiAddress();

let chain: SuiChain;
let node: LyingNode;
let connections: SuiConnections;
let connection: SuiConnection;
let count = 0x10_000;

beforeAll(async () => {
  chain = await startSuiChain();
  node = await startLyingNode(chain.url);
  const network = suiNetwork('development');
  const log = pino({ level: 'silent' });
  connections = createConnections({
    network,
    rpcUrl: node.url,
    rpcTimeoutMs: 5_000,
    log,
    onFirstUse: async () => undefined,
  });
  connection = await connections.connect('sui');
  for (const amount of [300n, 300n, 500n]) give(payerAddress, usd, amount);
  give(payerAddress, suiCoinType, 2_000_000_000n);
});
afterAll(async () => {
  connections?.close();
  node?.close();
  await chain?.stop();
});
beforeEach(() => node.tellTruth());

const give = (owner: string, type: string, amount: bigint) =>
  chain.fund(normalizeSuiAddress((++count).toString(16)), owner, { type, amount });
const intentOf = (over: Partial<DepositIntent> = {}): DepositIntent => ({
  chain: 'sui',
  token: dollars,
  amountMinor: 700n,
  payerAddress,
  recipientAddress: treasury,
  memo: newSuiMemo(),
  ...over,
});

/** As a wallet does it: signs what it was given, and broadcasts it. */
async function pay(bytes: Uint8Array): Promise<string> {
  const { signature } = await payer.signTransaction(bytes);
  const client = new SuiGrpcClient({ network: 'localnet', baseUrl: chain.url });
  const done = await client.executeTransaction({ transaction: bytes, signatures: [signature] });
  return (done.Transaction ?? done.FailedTransaction).digest;
}

/** What the checkpoint of a transaction says that it moved. */
async function movedBy(digest: string) {
  const found = await readTransaction(connection, digest);
  const checkpoint = await readCheckpoint(connection, found!.sequence);
  expect(checkpoint).toMatchObject({ ...found });
  return checkpoint!.transactions.flatMap(movementsOf);
}

describe('a deposit', () => {
  it('is a transaction that the payer signs as it is, with the memo of its order; its checkpoint tells who paid what, without the gas', async () => {
    const intent = intentOf();
    const { serializedTransaction, carriesMemo } = await suiDepositInstructions(
      connections,
      intent,
    );
    expect(carriesMemo).toBe(true);
    const digest = await pay(Buffer.from(serializedTransaction, 'base64'));
    expect(await movedBy(digest)).toEqual([
      {
        id: `${digest}:${treasury}:${usd}`,
        coinType: usd,
        amount: 700n,
        sender: payerAddress,
        recipient: treasury,
        memo: intent.memo,
      },
    ]);
  });

  it('of SUI comes out of the coins that pay the gas', async () => {
    const intent = intentOf({ token: native, amountMinor: 1_500_000_000n });
    const { serializedTransaction } = await suiDepositInstructions(connections, intent);
    const digest = await pay(Buffer.from(serializedTransaction, 'base64'));
    expect(await movedBy(digest)).toMatchObject([
      { coinType: suiCoinType, amount: 1_500_000_000n, sender: payerAddress, memo: intent.memo },
    ]);
  });

  it('is refused for what cannot be paid, and for addresses that nobody has', async () => {
    const refused: readonly [Partial<DepositIntent>, string][] = [
      [{ amountMinor: 10_000n }, 'insufficient-balance'],
      [{ token: native, amountMinor: 10n ** 12n }, 'insufficient-balance'],
      [{ payerAddress: normalizeSuiAddress('0x99999') }, 'insufficient-balance'],
      [{ payerAddress: '0x9' }, 'validation-error'],
      [{ recipientAddress: normalizeSuiAddress('0x2') }, 'invalid-recipient'],
      [{ token: { ...dollars, tokenId: '1' } }, 'token-not-supported'],
    ];
    for (const [over, code] of refused)
      await expect(suiDepositInstructions(connections, intentOf(over)), code).rejects.toMatchObject(
        { code },
      );
    await expect(suiDepositInstructions(connections, intentOf({ memo: 'x' }))).rejects.toThrow(
      'is no memo of newMemo()',
    );
  });

  it('can be paid, or not for want of the coin or of the fees', async () => {
    const poor = normalizeSuiAddress('0x77777');
    give(poor, usd, 50n);
    const state = (over: Partial<Parameters<typeof suiPayerState>[1]>) =>
      suiPayerState(connections, {
        chain: 'sui',
        token: dollars,
        amountMinor: 50n,
        payerAddress: poor,
        ...over,
      });
    expect(await state({ payerAddress })).toBe('ok');
    expect(await state({ amountMinor: 51n })).toBe('insufficient-funds');
    expect(await state({})).toBe('insufficient-funds-for-gas');
    expect(await state({ sponsored: true })).toBe('ok');
    expect(await state({ payerAddress, token: native, amountMinor: 480_000_000n })).toBe('ok');
    expect(await state({ payerAddress, token: native, amountMinor: 495_000_000n })).toBe(
      'insufficient-funds-for-gas',
    );
  });
});

describe('what a transaction moved', () => {
  const gas = { computation: 1_000n, storage: 500n, rebate: 300n };
  const one: Recorded = {
    digest: 'd',
    sender: 's',
    gasOwner: 'g',
    payment: [],
    program: { inputs: [], commands: [] },
    succeeded: true,
    gas,
    changes: [],
  };
  const change = (address: string, amount: bigint, coinType = usd) => ({
    address,
    amount,
    coinType,
  });
  const cost = change('g', -1_200n, suiCoinType);

  it('is what addresses have more of, from whoever has less', () => {
    const swap = movementsOf({
      ...one,
      changes: [
        cost,
        change('s', -5n),
        change('t', 5n),
        change('t', -7n, 'x'),
        change('s', 7n, 'x'),
      ],
    });
    expect(swap.map(({ sender, recipient, amount }) => [sender, recipient, amount])).toEqual([
      ['s', 't', 5n],
      ['t', 's', 7n],
    ]);
    const [several] = movementsOf({
      ...one,
      changes: [cost, change('a', -2n), change('b', -3n), change('t', 5n)],
    });
    const [minted] = movementsOf({ ...one, changes: [cost, change('t', 5n)] });
    expect([several!.sender, minted!.sender]).toEqual(['s', 's']);
  });

  it('is nothing when it failed, and gas is nothing, though it may hide what its payer got', () => {
    expect(movementsOf({ ...one, changes: [cost] })).toEqual([]);
    expect(movementsOf({ ...one, succeeded: false, changes: [change('t', 5n)] })).toEqual([]);
    const hidden = movementsOf({ ...one, changes: [change('s', -1_200n, suiCoinType)] });
    expect(hidden).toMatchObject([{ sender: 's', recipient: 'g', amount: 1_200n }]);
  });

  it('is for an order by one memo; with two of them nobody knows for which', async () => {
    const [coin] = (
      await new SuiGrpcClient({ network: 'localnet', baseUrl: chain.url }).listCoins({
        owner: payerAddress,
        coinType: usd,
      })
    ).objects;
    const [gasCoin] = (
      await new SuiGrpcClient({ network: 'localnet', baseUrl: chain.url }).listCoins({
        owner: payerAddress,
      })
    ).objects;
    const tx = new Transaction();
    tx.transferObjects([tx.splitCoins(tx.objectRef(coin!), [1])], treasury);
    for (const memo of [newSuiMemo(), newSuiMemo()])
      tx.moveCall({ target: '0x1::string::utf8', arguments: [tx.pure.string(memo)] });
    tx.setSender(payerAddress);
    tx.setGasPayment([gasCoin!]);
    tx.setGasBudget(10_000_000);
    tx.setGasPrice(1_000);
    const [moved] = await movedBy(await pay(await tx.build()));
    expect([moved!.amount, moved!.memo]).toEqual([1n, undefined]);
  });

  it('is not what a node says when its bytes are those of another transaction', async () => {
    const { serializedTransaction } = await suiDepositInstructions(
      connections,
      intentOf({ amountMinor: 1n }),
    );
    const digest = await pay(Buffer.from(serializedTransaction, 'base64'));
    node.lie(
      'LedgerService/GetTransaction',
      GrpcTypes.GetTransactionResponse,
      ({ transaction }) => {
        const data = bcs.TransactionData.parse(transaction!.transaction!.bcs!.value!);
        data.V1!.sender = treasury;
        transaction!.transaction!.bcs!.value = bcs.TransactionData.serialize(data).toBytes();
      },
    );
    await expect(readTransaction(connection, digest)).rejects.toThrow(
      'bytes of another transaction',
    );
    node.lie('LedgerService/GetCheckpoint', GrpcTypes.GetCheckpointResponse, ({ checkpoint }) => {
      checkpoint!.sequenceNumber = 1n;
    });
    await expect(readCheckpoint(connection, 5n)).rejects.toThrow(
      'answered with another checkpoint',
    );
    node.tellTruth();
    expect(await readCheckpoint(connection, 1_000_000n)).toBeUndefined();
  });
});
