import { randomBytes } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { readFeeAccounts } from '../../family/spending/accounts.ts';
import { accountKey, readAccountEntry } from '../account/entry.ts';
import { readEntries } from '../rpc/calls.ts';
import { openWorld, type World } from '../testing/world.ts';
import { runFeePayers } from './fee-payers.ts';
import { createTopUps } from './top-ups.ts';

const newSeed = () => new Uint8Array(randomBytes(32));
const addressOf = (seed: Uint8Array) => Keypair.fromRawEd25519Seed(Buffer.from(seed)).publicKey();
const min = 100_000_000n;
let world: World;
beforeAll(async () => {
  world = await openWorld({ channels: 0 });
});
afterAll(() => world?.close());

async function balancesOf(addresses: readonly string[]) {
  const { entries } = await readEntries(world.connection, addresses.map(accountKey));
  return entries.map((entry) => readAccountEntry(entry?.data)?.balance);
}

function look(
  treasuryKey: Secret<Uint8Array> | undefined,
  feePayers: readonly string[],
  topUpDayMaxStroops = min * 100n,
) {
  const { connect } = world;
  return runFeePayers({
    store: world.database.store,
    log: createLogger({ level: 'silent', process: 'test' }),
    chain: 'stellar',
    connect,
    feePayers,
    treasury: treasuryKey && createTopUps({ connect, treasuryKey, feeMaxStroops: 10_000_000n }),
    settings: { feePayerBalanceMinStroops: min, topUpDayMaxStroops },
    isUsed: async () => true,
  });
}

it('accounts that pay get money of the treasury, which makes those that are not there yet, up to a bound a day', async () => {
  const treasuryKey = new Secret(newSeed());
  const [rich, missing, other] = [newSeed(), newSeed(), newSeed()].map(addressOf) as [
    string,
    string,
    string,
  ];
  for (const address of [addressOf(treasuryKey.reveal()), rich])
    await world.chain.friendbot(address);
  const paying = look(treasuryKey, [rich, missing]);
  await world.until(async () => (await balancesOf([missing]))[0] !== undefined, 'the account');
  await paying.stop();
  expect(await balancesOf([rich, missing])).toEqual([100_000_000_000n, min * 2n]);
  const bounded = look(treasuryKey, [rich, other], min);
  const alarmOf = async (address: string) =>
    (await readFeeAccounts(world.database.store, 'stellar')).find((one) => one.address === address)
      ?.alarm;
  await world.until(
    async () => ((await alarmOf(other)) ?? '').includes('STELLAR_TOP_UP_DAY_MAX_STROOPS'),
    'the refusal',
  );
  expect([bounded.isEmpty(other), bounded.isEmpty(rich), await alarmOf(rich)]).toEqual([
    true,
    false,
    undefined,
  ]);
  await bounded.stop();
  expect(await balancesOf([other])).toEqual([undefined]);
});

it('accounts that pay are looked at without a treasury too, and told when they hold too little', async () => {
  const poor = addressOf(newSeed());
  const paying = look(undefined, [poor]);
  await world.until(
    async () =>
      (await readFeeAccounts(world.database.store, 'stellar')).some(
        ({ address }) => address === poor,
      ),
    'a look',
  );
  await paying.stop();
  const [account] = (await readFeeAccounts(world.database.store, 'stellar')).filter(
    ({ address }) => address === poor,
  );
  expect(account).toMatchObject({
    balanceMinor: 0n,
    alarm: expect.stringContaining('send it XLM'),
  });
});

it('accounts that pay are left alone until somebody uses the chain: a local one starts at its first use', async () => {
  const [poor, store] = [addressOf(newSeed()), world.database.store];
  let looks = 0;
  const log = createLogger({ level: 'silent', process: 'test' });
  const settings = { feePayerBalanceMinStroops: min, topUpDayMaxStroops: min };
  const common = { store, log, chain: 'stellar', feePayers: [poor], treasury: undefined, settings };
  const connect = async () => {
    looks++;
    return world.connection;
  };
  let asked = 0;
  const isUsed = async () => ++asked < 0;
  const paying = runFeePayers({ ...common, connect, isUsed });
  await world.until(() => asked > 0, 'the question');
  await paying.stop();
  expect(looks).toBe(0);
});
