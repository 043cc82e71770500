import { randomUUID } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { systemClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { Running } from '../family.ts';
import { readyMaker } from './account/make-ready.ts';
import { createStellarReads, type RunReadsDeps, runStellarReads } from './reads.ts';
import { type Bed, startBed } from './testing/bed.ts';

const wallet = StrKey.encodeContract(Buffer.alloc(32, 1));
let bed: Bed;
let deps: RunReadsDeps;
let running: Running;

beforeAll(async () => {
  bed = await startBed();
  const base = testConfig();
  const treasuryKey = new Secret<Uint8Array>(bed.issuer.rawSecretKey());
  const watcher = { ...base.stellar.watcher, pollMs: 20 };
  const config = testConfig({
    stellar: { ...base.stellar, treasuryKey, watcher, testTokenContract: bed.contract },
  });
  const { store, connections, tokens, watcherDeps } = bed;
  deps = { config, store, connections, tokens, log: watcherDeps.log, workerName: 'test' };
  running = await runStellarReads(deps, watcherDeps.entrances);
});
afterAll(async () => {
  await running?.stop();
  await bed?.close();
});

it('what the family tells of the chain is one: money that is asked for comes, is watched, and stands in the balances', async () => {
  const reads = createStellarReads({ ...deps, clock: systemClock, makeReady: readyMaker(deps) });
  // Nobody used the chain so far, so nobody follows it.
  expect(await reads.watchStatus()).toEqual([]);
  bed.own.add(wallet);
  const token = await reads.resolveToken('stellar', { symbol: 'usdxm' });
  const order = {
    chain: 'stellar',
    token,
    amountMinor: 30n,
    recipientAddress: wallet,
    reference: randomUUID(),
  };
  const { txId } = await reads.funding.fund(order);
  expect(await reads.readBalances(wallet, [token])).toEqual([{ token, amountMinor: 30n }]);
  expect(await reads.readBalances(wallet, [])).toEqual([]);
  const [seen] = await bed.transfersOf(txId);
  expect(seen).toMatchObject({
    token,
    amountMinor: 30n,
    recipient: wallet,
    sender: bed.issuer.publicKey(),
  });
  const final = await reads.readFinalBalances({
    chain: 'stellar',
    address: wallet,
    tokens: [token],
  });
  expect(final!.balances).toEqual([{ token, amountMinor: 30n }]);
  const posted = { chain: 'stellar', txId, recipientAddress: wallet };
  expect(await reads.deposits.readDeposits(posted)).toEqual({
    status: 'included',
    transfers: [seen],
  });
  expect(await reads.readMetadataUris([token])).toEqual([undefined]);
  await bed.until(
    async () => (await reads.watchStatus())[0]?.followed === true,
    'the chain to be followed',
  );
  for (const call of [
    reads.readFinalBalances({ chain: 'nowhere', address: wallet, tokens: [token] }),
    reads.deposits.readDeposits({ ...posted, chain: 'nowhere' }),
  ])
    await expect(call).rejects.toMatchObject({ code: 'chain-not-supported' });
});
