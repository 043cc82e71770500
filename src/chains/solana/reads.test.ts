import { randomUUID } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { watchChain } from '../family/following/index.ts';
import type { Running } from '../family.ts';
import { programs } from './operation/wrapping/programs.ts';
import { createSolanaReads, type ReadsDeps, runSolanaReads } from './reads.ts';
import { createConnections } from './rpc/connections.ts';
import { type Bed, sol, startBed } from './testing/bed.ts';

const seed = ed25519.utils.randomSecretKey();
const keypair = Buffer.concat([seed, ed25519.getPublicKey(seed)]);

let bed: Bed;
let deps: ReadsDeps;
let running: Running;
beforeAll(async () => {
  bed = await startBed();
  const treasury = await createKeyPairSignerFromBytes(keypair);
  await bed.send([bed.solTransfer(bed.payer, treasury.address, 10n * sol)]);
  const testTokenMint = await bed.createMint(programs.token, { decimals: 6, authority: treasury });
  const config = {
    ...bed.config,
    solana: { ...bed.config.solana, testTokenMint, treasuryKey: new Secret<Uint8Array>(keypair) },
  };
  const { store, watcherDeps } = bed;
  const connections = createConnections({
    config,
    log: watcherDeps.log,
    onFirstUse: (chain) => watchChain(store, chain),
  });
  deps = { config, store, clock: systemClock, log: watcherDeps.log, connections };
  running = await runSolanaReads({ ...deps, workerName: 'test' }, watcherDeps.entrances);
});
afterAll(async () => {
  await running?.stop();
  deps?.connections.close();
  await bed?.close();
});

it('what the family tells of the chain is one: money that is asked for comes, is watched, and stands in the balances', async () => {
  const reads = createSolanaReads(deps);
  // Nobody used the chain so far, so nobody follows it.
  expect(await reads.watchStatus()).toEqual([]);
  const wallet = await bed.anAddress();
  bed.own.add(wallet);
  const token = await reads.resolveToken('solana', { symbol: 'usdxm' });
  const order = {
    chain: 'solana',
    token,
    amountMinor: 30n,
    recipientAddress: wallet,
    reference: randomUUID(),
  };
  const { txId } = await reads.funding.fund(order);
  expect(await reads.readBalances(wallet, [token])).toEqual([{ token, amountMinor: 30n }]);
  expect(await reads.readBalances(wallet, [])).toEqual([]);
  expect(await bed.transfersOf(txId)).toEqual([
    expect.objectContaining({ token, amountMinor: 30n, recipient: wallet }),
  ]);
  const final = await reads.readFinalBalances({
    chain: 'solana',
    address: wallet,
    tokens: [token],
  });
  expect(final!.balances).toEqual([{ token, amountMinor: 30n }]);
  expect(
    await reads.deposits.readDeposits({ chain: 'solana', txId, recipientAddress: wallet }),
  ).toMatchObject({ status: 'included' });
  await bed.until(
    async () => (await reads.watchStatus())[0]?.followed === true,
    'the chain to be followed',
  );
});
