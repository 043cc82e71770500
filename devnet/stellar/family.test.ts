import { join } from 'node:path';
import { Asset, Keypair, rpc, xdr } from '@stellar/stellar-sdk';
import { afterAll, expect, it } from 'vitest';
import { stellarNetwork } from '../../src/chains/stellar/config/networks.ts';
import { developmentSecrets } from '../../src/config/development-config.ts';
import {
  developmentStellar,
  testAssetCode,
} from '../../src/config/families/development-stellar.ts';
import type { LocalNode } from '../local-chain.ts';
import { aFolder } from '../testing/builders.ts';
import { plan, stellarLocalChain } from './family.ts';

const folder = aFolder();
const input = { dataDir: folder.path, chainsDir: join(folder.path, 'chains') };
let node: LocalNode | undefined;

afterAll(async () => {
  await node?.stop();
  folder.remove();
});

async function start(aheadMs = 0): Promise<rpc.Server> {
  node = await stellarLocalChain(
    { ...input, now: () => new Date(Date.now() + aheadMs) },
    { ledgerMs: 60_000 },
  ).start();
  return new rpc.Server(node.url, { allowHttp: true });
}

it('the local Stellar chain holds money for the accounts of the instance, its test stablecoin and the wallet factory', async () => {
  const server = await start();
  const { stellar } = developmentSecrets(folder.path);
  const { testTokenContract, walletFactoryId, walletCodeHash } = developmentStellar(
    undefined,
    stellar,
  );
  const { passphrase, nativeContract } = stellarNetwork('development');
  const keys = [stellar.treasuryKey, ...stellar.feePayerKeys].map((key) =>
    Keypair.fromRawEd25519Seed(Buffer.from(key.reveal())),
  );
  const balances = await Promise.all(
    keys.map(async (key) => (await server.getAccountEntry(key.publicKey())).balance),
  );
  expect(balances.slice(1)).toEqual([100_000_000_000_000n, 100_000_000_000_000n]);
  expect(balances[0]).toBeGreaterThan(99_999_000_000_000n);
  expect(testTokenContract).toBe(
    new Asset(testAssetCode, keys[0]!.publicKey()).contractId(passphrase),
  );
  for (const contract of [testTokenContract!, walletFactoryId!, nativeContract])
    expect(
      (await server.getContractData(contract, xdr.ScVal.scvLedgerKeyContractInstance())).key,
      contract,
    ).toBeDefined();
  expect(await server.getContractWasmByHash(Buffer.from(walletCodeHash!, 'hex'))).toBeDefined();
});

it('the local Stellar chain is as it was after a restart, and has caught up with the time', async () => {
  const { sequence } = await new rpc.Server(node!.url, { allowHttp: true }).getLatestLedger();
  await node!.stop();
  const server = await start(3_600_000);
  const after = await server.getLatestLedger();
  // An hour of ledgers, and no transaction: nothing is made twice.
  expect(after.sequence).toBe(sequence + 720);
  const { chains, settings } = plan({
    ...input,
    onProgress: () => undefined,
    now: () => new Date(),
  });
  expect([chains.map(({ name, chainId }) => [name, chainId]), settings]).toEqual([
    [['stellar', undefined]],
    {},
  ]);
  await node!.stop();
  await chains[0]!.reset();
  const anew = await start();
  expect((await anew.getLatestLedger()).sequence).toBeLessThan(20);
});
