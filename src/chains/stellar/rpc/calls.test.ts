import {
  Account,
  Asset,
  Keypair,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LocalNode } from '../../../../devnet/local-chain.ts';
import { startStellarChain } from '../../../../devnet/stellar/local.ts';
import type { Environment } from '../../../context.ts';
import { checkStellarAddress, isStellarRecipient } from '../addresses.ts';
import { explorerLinkOf, networkFacts, stellarNetwork } from '../config/networks.ts';
import { type LyingNode, startLyingNode } from '../testing/lying-node.ts';
import {
  readEntries,
  readEvents,
  readFeeStats,
  readLatestLedger,
  readTransaction,
  readTransactions,
  send,
  simulate,
} from './calls.ts';
import { createConnections, type StellarConnection } from './connections.ts';

const owner = Keypair.random();
const network = stellarNetwork('development');

let chain: LocalNode;
let node: LyingNode;
let connection: StellarConnection;
const closing: { close(): void }[] = [];

beforeAll(async () => {
  chain = await startStellarChain({ ledgerMs: 60_000 });
  node = await startLyingNode(chain.url);
  await fetch(`${chain.url}/friendbot?addr=${owner.publicKey()}`);
  connection = await connectionsTo(node.url).connect('stellar');
});
afterAll(async () => {
  for (const one of closing) one.close();
  node?.close();
  await chain?.stop();
});
beforeEach(() => node.tellTruth());

function connectionsTo(
  rpcUrl: string | undefined,
  environment: Environment = 'development',
  uses: string[] = [],
) {
  const onFirstUse = async (name: string) => void uses.push(name);
  const log = pino({ level: 'silent' });
  const connections = createConnections({
    network: stellarNetwork(environment),
    rpcUrl,
    rpcTimeoutMs: 2_000,
    log,
    onFirstUse,
  });
  closing.push(connections);
  return connections;
}

const accountKey = (address: string) =>
  xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }),
  );

async function build(operation: xdr.Operation): Promise<string> {
  const { entries } = await readEntries(connection, [accountKey(owner.publicKey())]);
  const data = entries[0]!.data;
  const sequence = data.type === 'account' ? data.account.seqNum.toString() : '';
  const builder = new TransactionBuilder(new Account(owner.publicKey(), sequence), {
    fee: '100',
    networkPassphrase: network.passphrase,
  });
  const transaction = builder.addOperation(operation).setTimeout(0).build();
  transaction.sign(owner);
  return transaction.toXdr();
}

describe('a node of Stellar', () => {
  it('is asked for its network once, at the first use; one of another network is refused with the setting', async () => {
    const uses: string[] = [];
    const connections = connectionsTo(node.url, 'development', uses);
    expect(uses).toEqual([]);
    const [one, other] = await Promise.all([
      connections.connect('stellar'),
      connections.connect('stellar'),
    ]);
    expect(one).toBe(other);
    expect(uses).toEqual(['stellar']);
    await expect(connectionsTo(node.url, 'production').connect('stellar')).rejects.toThrow(
      'serves local instead of pubnet: its operator corrects STELLAR_RPC_URL',
    );
    node.lie('getNetwork', { answer: { passphrase: 'Another' } });
    await expect(connectionsTo(node.url).connect('stellar')).rejects.toThrow(
      'serves another network instead of local',
    );
    node.lie('getNetwork', { answer: {} });
    await expect(connectionsTo(node.url).connect('stellar')).rejects.toThrow(
      'does not name its network',
    );
  });

  it('that is absent or silent is named as such, and no other chain is served', async () => {
    await expect(connectionsTo(undefined).connect('stellar')).rejects.toMatchObject({
      code: 'chain-not-supported',
      message: expect.stringContaining('STELLAR_RPC_URL'),
    });
    await expect(connectionsTo(node.url).connect('stellar-testnet')).rejects.toMatchObject({
      code: 'chain-not-supported',
    });
    await expect(connectionsTo('http://127.0.0.1:9').connect('stellar')).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
  });

  it('answers state in the order asked, more than one call takes, with its oldest ledger', async () => {
    const strangers = Array.from({ length: 230 }, () => accountKey(Keypair.random().publicKey()));
    const { entries, latestLedger } = await readEntries(connection, [
      ...strangers,
      accountKey(owner.publicKey()),
    ]);
    expect(entries).toHaveLength(231);
    expect(entries.slice(0, 230).every((entry) => entry === undefined)).toBe(true);
    const data = entries[230]!.data;
    expect(data.type === 'account' && data.account.balance).toBe(100_000_000_000n);
    expect(latestLedger).toBe((await readLatestLedger(connection)).sequence);
    expect((await readFeeStats(connection)).sorobanInclusionFee.p90).toBe(100n);
  });

  it('takes a transaction, finds it, and lists it with its events', async () => {
    const { sequence } = await readLatestLedger(connection);
    const create = Operation.createStellarAssetContract({ asset: Asset.native() });
    const simulated = await simulate(connection, await build(create), 'record');
    expect(simulated).toMatchObject({
      minResourceFee: expect.any(BigInt),
      transactionData: expect.anything(),
    });
    const failing = await simulate(
      connection,
      await build(
        Operation.invokeContractFunction({
          contract: network.nativeContract,
          function: 'decimals',
          args: [],
        }),
      ),
      'record',
    );
    expect(failing.error).toContain('HostError');
    const payment = await build(
      Operation.createAccount({ destination: Keypair.random().publicKey(), startingBalance: '5' }),
    );
    const sent = await send(connection, payment);
    expect(sent).toMatchObject({ status: 'PENDING' });
    expect((await send(connection, payment)).status).toBe('DUPLICATE');
    expect(await readTransaction(connection, sent.hash)).toMatchObject({
      status: 'SUCCESS',
      ledger: sequence + 1,
    });
    expect(await readTransaction(connection, '0'.repeat(64))).toMatchObject({
      status: 'NOT_FOUND',
      oldestLedger: expect.any(Number),
    });
    const page = await readTransactions(connection, { startLedger: sequence + 1 }, 10);
    expect(page.transactions.map(({ txHash }) => txHash)).toEqual([sent.hash]);
    expect((await readTransactions(connection, { cursor: page.cursor }, 10)).transactions).toEqual(
      [],
    );
    const query = {
      begin: { startLedger: sequence },
      filters: [{ contractIds: [network.nativeContract] }],
      limit: 10,
    };
    expect((await readEvents(connection, query)).events).toEqual([]);
    const refused = await send(connection, await build(create));
    expect([refused.status, refused.errorResultXdr?.result.type]).toEqual([
      'ERROR',
      'txSorobanInvalid',
    ]);
  });

  it('that answers nonsense is an error of the node', async () => {
    node.lie('getLatestLedger', { answer: { sequence: 'seven' } });
    await expect(readLatestLedger(connection)).rejects.toMatchObject({ code: 'upstream-error' });
    node.lie('getLedgerEntries', (result) => ({
      ...result,
      entries: [{ key: 'AAAA', xdr: 'AAAA' }],
    }));
    await expect(readEntries(connection, [accountKey(owner.publicKey())])).rejects.toMatchObject({
      code: 'upstream-error',
    });
    await expect(readTransaction(connection, 'no hash')).rejects.toMatchObject({
      code: 'upstream-error',
    });
  });
});

describe('networks of Stellar', () => {
  it('have the contract of lumens where the passphrase puts it', () => {
    for (const { passphrase, nativeContract } of Object.values(networkFacts))
      expect(Asset.native().contractId(passphrase)).toBe(nativeContract);
    const usdcOf = (issuer: string, environment: Environment) => {
      const { passphrase, tokens } = stellarNetwork(environment);
      expect(tokens[0]!.address).toBe(new Asset('USDC', issuer).contractId(passphrase));
    };
    usdcOf('GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN', 'production');
    usdcOf('GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5', 'staging');
  });

  it('are main or test by the environment, with the test stablecoin on test networks alone', () => {
    const symbols = (environment: Environment) =>
      stellarNetwork(environment, { testTokenContract: network.nativeContract }).tokens.map(
        ({ symbol }) => symbol,
      );
    expect([symbols('production'), symbols('staging'), symbols('development')]).toEqual([
      ['usdc'],
      ['usdc', 'usdxm'],
      ['usdxm'],
    ]);
    expect(explorerLinkOf(stellarNetwork('staging'), 'ab')).toBe(
      'https://stellar.expert/explorer/testnet/tx/ab',
    );
    expect(explorerLinkOf(network, 'ab')).toBeUndefined();
  });

  it('have addresses with a checksum, and nobody to pay at the zero address', () => {
    const address = owner.publicKey();
    expect([
      checkStellarAddress(address),
      isStellarRecipient(address),
      isStellarRecipient(network.nativeContract),
    ]).toEqual([undefined, true, true]);
    expect(
      checkStellarAddress(`${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`),
    ).toContain('mistyped');
    const zero = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';
    expect([checkStellarAddress(zero), isStellarRecipient(zero)]).toEqual([undefined, false]);
  });
});
