import { randomUUID } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SuiChain, startSuiChain } from '../../../../devnet/sui/local.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { PrepareOperationInput, TransferIntent } from '../../family.ts';
import { suiCoinType, suiNetwork } from '../config/networks.ts';
import { createConnections, type SuiConnection, type SuiConnections } from '../rpc/connections.ts';
import { readCoins, readTreasuryCap } from '../rpc/objects.ts';
import { sendTransaction } from '../rpc/transactions.ts';
import { createSuiTokens } from '../tokens/tokens.ts';
import { describeOperation } from './describe.ts';
import { coinsFor, type LeasedCoin, type PrepareDeps, prepareSuiOperation } from './prepare.ts';
import { type ObjectRef, type Program, programBytes } from './program.ts';
import { readOperation, readSigned, signedBytes } from './stored.ts';
import {
  buildTransaction,
  serializeSignature,
  signedBytesOf,
  transactionDigest,
} from './transaction.ts';
import { readTransfer, type Transfer, transferProgram } from './transfer-program.ts';

const usd = normalizeStructTag('0xabc::usd::USD');
const [wallet, sponsor] = [new Ed25519Keypair(), new Ed25519Keypair()];
const owner = wallet.toSuiAddress();
const friend = normalizeSuiAddress('0x0bad0bad');
const network = suiNetwork('development');

let chain: SuiChain;
let connections: SuiConnections;
let connection: SuiConnection;
let deps: PrepareDeps;
let count = 0x10_000;
const leases = new Set<string>();

beforeAll(async () => {
  chain = await startSuiChain();
  chain.addCurrency({ type: usd, decimals: 6, symbol: 'USD', name: 'Dollar' });
  const log = pino({ level: 'silent' });
  connections = createConnections({
    network,
    rpcUrl: chain.url,
    rpcTimeoutMs: 5_000,
    log,
    onFirstUse: async () => undefined,
  });
  connection = await connections.connect('sui');
  const coins = {
    lease: () => leaseCoin(),
    giveBack: async (lease: string) => void leases.delete(lease),
  };
  deps = {
    connections,
    coins,
    tokens: { resolveToken: createSuiTokens(connections).resolve },
    budgetMax: 20_000_000n,
    priceMax: 2_000n,
  };
});
afterAll(async () => {
  connections?.close();
  await chain?.stop();
});

function give(address: string, type: string, amount: bigint): string {
  const id = normalizeSuiAddress((++count).toString(16));
  chain.fund(id, address, { type, amount });
  return id;
}

/** A new coin of the sponsor for each. */
async function leaseCoin(mist = 100_000_000n): Promise<LeasedCoin> {
  const id = give(sponsor.toSuiAddress(), suiCoinType, mist);
  const coins = await readCoins(connection, {
    owner: sponsor.toSuiAddress(),
    coinType: suiCoinType,
  });
  const lease = randomUUID();
  leases.add(lease);
  return {
    lease,
    sponsor: sponsor.toSuiAddress(),
    coin: coins.find(({ objectId }) => objectId === id)!,
  };
}

const paramsOf = (program: Program) => ({
  transaction: Buffer.from(programBytes(program)).toString('base64'),
});

const setup = { publicKey: Buffer.from(wallet.getPublicKey().toRawBytes()).toString('hex') };
function prepare(params: JsonObject, over: Partial<PrepareDeps> = {}, transfer?: TransferIntent) {
  const signer = { type: 'api-key', locator: 'api-key' } as PrepareOperationInput['signer'];
  const family = {
    id: randomUUID(),
    type: 'mpc',
    address: owner,
    setup,
    adminSigner: signer,
  } as const;
  return prepareSuiOperation(
    { ...deps, ...over },
    { wallet: family, params, signer, now: new Date(), ...(transfer && { transfer }) },
  );
}

const transferOf = (over: Partial<Transfer> = {}): Transfer => ({
  coinType: usd,
  amount: 250_000n,
  recipient: friend,
  ...over,
});

async function transferParams(transfer: Transfer): Promise<JsonObject> {
  return paramsOf(transferProgram(transfer, await coinsFor(connection, { owner, ...transfer })));
}

/** As the relay does it when it is about to send: fresh coins, the wallet's key, the sponsor's. */
async function carryOut(operation: JsonObject) {
  const read = readOperation(operation);
  const coins =
    'transfer' in read.does ? await coinsFor(connection, { owner, ...read.does.transfer }) : [];
  const bytes = buildTransaction(read, {
    coins,
    budget: read.gas.budgetMax,
    price: 1_000n,
    expiresAfterEpoch: 1n,
  });
  const own = serializeSignature(
    wallet.getPublicKey().toRawBytes(),
    await wallet.sign(signedBytes(operation, bytes)),
  );
  const paying = serializeSignature(
    sponsor.getPublicKey().toRawBytes(),
    await sponsor.sign(signedBytesOf(bytes)),
  );
  return sendTransaction(connection, {
    digest: transactionDigest(bytes),
    bytes,
    signatures: [own, paying],
  });
}

describe('an operation', () => {
  it('is prepared with its price and changes, and sent later with the coins of that moment', async () => {
    give(owner, usd, 200_000n);
    give(owner, usd, 100_000n);
    const prepared = await prepare(await transferParams(transferOf({ memo: 'ab'.repeat(16) })));
    expect(prepared).toMatchObject({
      chain: 'sui',
      feesEstimate: { priceMist: '1000', token: 'sui' },
      preview: {
        balanceChanges: [{ token: `sui:${usd}`, amount: '-0.25', rawAmount: '-250000' }],
        sponsored: true,
      },
      counterparties: [friend],
    });
    expect(prepared.message).toBe(readSigned(prepared.operation).message);
    expect(describeOperation(network, prepared.operation)).toBe(
      `send 250000 of the smallest unit of a coin of ${usd.split('::')[0]} to ${friend} on sui`,
    );
    // The wallet's coins have other versions now: what was prepared named none of them.
    await carryOut((await prepare(await transferParams(transferOf({ amount: 1n })))).operation);
    expect(await carryOut(prepared.operation)).toMatchObject({ failure: undefined });
    expect(await carryOut(prepared.operation).catch(({ code }: { code: string }) => code)).toBe(
      'transaction-simulation-failed',
    );
    give(owner, usd, 900_000n);
    expect(await carryOut(prepared.operation)).toMatchObject({
      refusal: expect.stringContaining('is unavailable for consumption'),
    });
  });

  it('of any program is what was asked for, to the byte', async () => {
    give(owner, usd, 500_000n);
    const [coin] = await readCoins(connection, { owner, coinType: usd });
    const params = await paramsBy((tx) =>
      tx.transferObjects([tx.object(tx.objectRef(refOf(coin!)))], friend),
    );
    const { operation, params: answered } = await prepare(params);
    expect(answered).toEqual(params);
    expect(describeOperation(network, operation)).toBe('give objects away on sui');
    expect(await carryOut(operation)).toMatchObject({ failure: undefined });
  });

  it('names everybody who gets something, to the last one, and whoever gets what is no coin', async () => {
    const minted = normalizeStructTag('0xabc::minted::MINTED');
    chain.addCurrency({ type: minted, decimals: 0, symbol: 'M', name: 'M', minter: owner });
    const cap = await readTreasuryCap(connection, { owner, coinType: minted });
    const given = await prepare(
      await paramsBy((tx) => tx.transferObjects([tx.objectRef(cap!)], friend)),
    );
    expect(given.counterparties).toEqual([friend]);
    give(owner, usd, 1_000n);
    const [coin] = await readCoins(connection, { owner, coinType: usd });
    const many = Array.from({ length: 110 }, (_, nr) =>
      normalizeSuiAddress((0xbad_0000 + nr).toString(16)),
    );
    const params = await paramsBy((tx) => {
      const parts = tx.splitCoins(
        tx.objectRef(refOf(coin!)),
        many.map(() => 1),
      );
      for (const [nr, address] of many.entries()) tx.transferObjects([parts[nr]!], address);
    });
    const coins = { ...deps.coins, lease: () => leaseCoin(1_000_000_000n) };
    const { counterparties } = await prepare(params, { coins, budgetMax: 500_000_000n });
    expect(counterparties.toSorted()).toEqual(many.toSorted());
  });

  it('that cannot be is refused, and its coin goes back', async () => {
    const before = leases.size;
    const intent = {
      token: { chain: 'sui', locator: `sui:${usd}`, address: usd, decimals: 6, symbol: 'USD' },
    } as TransferIntent;
    give(owner, usd, 10n);
    const [coin] = await readCoins(connection, { owner, coinType: usd });
    const much = paramsOf(transferProgram(transferOf({ amount: 10n ** 12n }), [coin!]));
    await expect(prepare(much, {}, intent)).rejects.toMatchObject({
      code: 'insufficient-balance',
      message: expect.stringContaining('the transfer needs 1000000 USD'),
    });
    const failing = await paramsBy(
      (tx) => void tx.splitCoins(tx.objectRef(refOf(coin!)), [10n ** 12n]),
    );
    const error = {
      reason: 'program_error',
      message: expect.stringContaining('Insufficient coin balance'),
    };
    await expect(prepare(failing)).rejects.toMatchObject({
      code: 'transaction-simulation-failed',
      details: { error },
    });
    await expect(prepare(failing, { priceMax: 999n })).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
    const draining = await paramsBy((tx) =>
      tx.transferObjects([tx.splitCoins(tx.gas, [1])], friend),
    );
    await expect(prepare(draining)).rejects.toMatchObject({
      code: 'transaction-invalid',
      message: expect.stringContaining('uses the gas coin'),
    });
    for (const params of [
      {},
      { transaction: '' },
      { transaction: 'AA==' },
      { transaction: 'AA==', more: 1 },
    ])
      await expect(prepare(params)).rejects.toMatchObject({ code: 'validation-error' });
    expect(leases.size).toBe(before);
  });

  it('that was changed where it lies is refused', async () => {
    give(owner, usd, 300_000n);
    const { operation } = await prepare(await transferParams(transferOf()));
    const { transfer, ...rest } = operation as { transfer: JsonObject };
    const stored = { ...operation, transfer: { ...transfer, recipient: owner } };
    expect(readSigned(stored).message).not.toBe(readSigned(operation).message);
    for (const changed of [
      rest,
      { ...operation, program: 'AA==' },
      { ...operation, more: 1 },
      { ...operation, transfer: { ...transfer, amount: '-1' } },
    ])
      expect(() => readOperation(changed)).toThrow();
    const read = readOperation(stored);
    const coins = await coinsFor(connection, { owner, ...transferOf() });
    const bytes = buildTransaction(read, {
      coins,
      budget: read.gas.budgetMax,
      price: 1_000n,
      expiresAfterEpoch: 1n,
    });
    expect(() => signedBytes(operation, bytes)).toThrow('does something else');
  });
});

const refOf = ({ objectId, version, digest }: ObjectRef): ObjectRef => ({
  objectId,
  version,
  digest,
});

async function paramsBy(fill: (tx: Transaction) => void): Promise<JsonObject> {
  const tx = new Transaction();
  fill(tx);
  return {
    transaction: Buffer.from(await tx.build({ onlyTransactionKind: true })).toString('base64'),
  };
}

describe('a program', () => {
  const coins = [1, 2].map((id) => ({
    objectId: normalizeSuiAddress(`${id}`),
    version: '1',
    digest: '11111111111111111111111111111111',
  }));
  const plain = transferProgram(transferOf({ memo: 'x' }), coins);

  it('is a transfer word for word, or none', () => {
    expect(readTransfer(plain)).toEqual({ transfer: transferOf({ memo: 'x' }), from: coins });
    expect(readTransfer(transferProgram(transferOf(), 'gas'))).toEqual({
      transfer: transferOf(),
      from: 'gas',
    });
    const { inputs, commands } = plain;
    const others: readonly Program[] = [
      { inputs: [...inputs, inputs[0]!], commands },
      { inputs, commands: [...commands, commands.at(-1)!] },
      { inputs, commands: commands.slice(1) },
      {
        inputs,
        commands: commands.map((one) =>
          one.MoveCall ? { ...one, MoveCall: { ...one.MoveCall, package: friend } } : one,
        ),
      },
      transferProgram(transferOf({ amount: 0n }), coins),
      { inputs: [], commands: [] },
    ];
    for (const other of others) expect(readTransfer(other)).toBeUndefined();
  });
});
