import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAssetName } from '../../../../devnet/aptos/ledger/assets.ts';
import { type AptosChain, startAptosChain } from '../../../../devnet/aptos/local.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { followerStatus, runFollower, watchChain } from '../../family/following/index.ts';
import { aptosNetwork } from '../config/networks.ts';
import { createTreasury } from '../relay/treasury.ts';
import { connectNode } from '../rpc/node.ts';
import { createAptosTokens } from '../tokens/tokens.ts';
import { createAptosHistory } from './history.ts';

const network = aptosNetwork('development');
let chain: AptosChain;
let database: TestDatabase;
beforeAll(async () => {
  [chain, database] = await Promise.all([startAptosChain({ historyMax: 6 }), startTestDatabase()]);
});
afterAll(() => Promise.all([chain?.stop(), database?.close()]));

const payer = createTreasury({
  connect: () =>
    connectNode({ network, url: chain.url, setting: 'APTOS_RPC_URL', timeoutMs: 5_000 }),
  key: new Secret(new Uint8Array(randomBytes(32))),
  ceilings: testConfig().aptos.relay,
}).topUps;

/** Two versions each. */
async function happen(times: number): Promise<void> {
  for (let time = 0; time < times; time++)
    await payer.send((await payer.sign([`0x${randomBytes(32).toString('hex')}`], 1n)).raw);
}

it('a node that has pruned what was not read yet is an alarm, and nothing is skipped', async () => {
  const node = await connectNode({
    network,
    url: chain.url,
    setting: 'APTOS_RPC_URL',
    timeoutMs: 5_000,
  });
  const tokens = createAptosTokens(network, async () => node);
  const log = createLogger({ level: 'silent', process: 'test' });
  const history = createAptosHistory({
    chain: 'aptos',
    connect: async () => node,
    tokens,
    operationIds: async () => new Map(),
    versionsMax: 20,
  });
  const nobody = async () => new Set<string>();
  const nothing = async () => undefined;
  const entrances = {
    ownAddresses: nobody,
    depositAddresses: nobody,
    recordTransfers: nothing,
    recordOperations: nothing,
    finalizeTransfers: nothing,
  };
  const follow = () =>
    runFollower({
      store: database.store,
      log,
      history,
      entrances,
      pollMs: 20,
      leaseMs: 600,
      workerName: 'test',
    });
  const status = async () => (await followerStatus(database.store, 'aptos'))[0]!;
  const nextHeight = async () =>
    (
      await database.store.query<{ next: string }>({
        text: `select next_height as next from followed_chains`,
      })
    ).rows[0]!.next;
  chain.give(readAssetName('0xa'), payer.address, 100_000_000n);
  await happen(2);
  await watchChain(database.store, 'aptos');
  const first = await follow();
  await expect
    .poll(async () => [(await status()).followed, (await status()).lagBlocks, await nextHeight()])
    .toEqual([true, 0n, expect.any(String)]);
  await first.stop();
  const next = await nextHeight();
  await happen(12);
  const second = await follow();
  await expect.poll(async () => (await status()).failure).toMatch(/no more history/);
  expect([await nextHeight(), (await status()).failingSince]).toEqual([next, expect.any(Date)]);
  await second.stop();
});
