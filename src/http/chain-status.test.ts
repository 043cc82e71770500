import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import type { ChainFamily, ChainRelayStatus, WatchStatus } from '../chains/family.ts';
import { createChains } from '../chains/registry.ts';
import type { Providers } from '../providers/registry.ts';
import type { ListStatus } from '../providers/screening/screening.ts';
import { checkReadiness } from './health.ts';
import {
  addChainMetrics,
  addCounters,
  addRelayMetrics,
  addScreeningMetrics,
  createMetrics,
} from './metrics.ts';

const log = pino({ level: 'silent' });
const good: WatchStatus = {
  chain: 'base-sepolia',
  lagBlocks: 3n,
  silentMs: 1_500,
  followed: true,
  stalled: false,
};
const silent: WatchStatus = {
  chain: 'zora-sepolia',
  lagBlocks: 0n,
  silentMs: 90_500,
  followed: false,
  stalled: true,
  failure: 'down',
  failingSince: new Date(0),
};

const relays: readonly ChainRelayStatus[] = [
  {
    chain: 'base-sepolia',
    queued: 4,
    inFlight: 2,
    oldestQueuedMs: 1_500,
    spentHourMinor: 9n,
    alarm: 'the fees are too high',
    accounts: [{ address: '0xaa', role: 'executor', balanceMinor: 7n, alarm: 'no money' }],
  },
];

let statuses: () => Promise<readonly WatchStatus[]>;
const chains = createChains([
  {
    chainType: 'evm',
    networks: [],
    watchStatus: () => statuses(),
    relayStatus: async () => relays,
  } as unknown as ChainFamily,
]);

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  statuses = async () => [good, silent];
});

describe('readiness', () => {
  const check = async () => checkReadiness({ store: database.store, log, chains });

  it('names chains that nobody reads, and stays ready: requests can be served', async () => {
    expect(await check()).toEqual({
      ready: true,
      checks: { database: 'ok', migrations: 'ok', chains: 'zora-sepolia silent for 90 s' },
    });
  });

  it('says ok when every chain in use is read, and unknown when that cannot be told', async () => {
    statuses = async () => [good];
    expect((await check()).checks.chains).toBe('ok');
    statuses = async () => {
      throw new Error('the database is gone');
    };
    expect(await check()).toMatchObject({ ready: true, checks: { chains: 'unknown' } });
  });
});

describe('metrics of the chains', () => {
  it('are read anew at each scrape', async () => {
    const metrics = createMetrics();
    addChainMetrics(metrics, { chains, log });
    const first = await metrics.registry.metrics();
    expect(first).toContain('purser_chain_lag_blocks{chain="base-sepolia"} 3');
    expect(first).toContain('purser_chain_silent_seconds{chain="zora-sepolia"} 90.5');
    expect(first).toContain('purser_chain_followed{chain="zora-sepolia"} 0');
    expect(first).toContain('purser_chain_failing{chain="zora-sepolia"} 1');
    expect(first).toContain('purser_chain_failing{chain="base-sepolia"} 0');
    statuses = async () => [{ ...good, lagBlocks: 4n }];
    const second = await metrics.registry.metrics();
    expect(second).toContain('purser_chain_lag_blocks{chain="base-sepolia"} 4');
    expect(second).not.toContain('zora-sepolia');
  });

  it('of a database that is gone leave the others standing', async () => {
    const metrics = createMetrics();
    addChainMetrics(metrics, { chains, log });
    statuses = async () => {
      throw new Error('the database is gone');
    };
    expect(await metrics.registry.metrics()).toContain('process_cpu_seconds_total');
  });
});

describe('metrics of the relay and of the jobs', () => {
  it('show queues, balances, alarms and counters', async () => {
    const metrics = createMetrics();
    addRelayMetrics(metrics, { chains, log });
    let flowsDone = 5;
    addCounters(metrics, 'purser_jobs', () => ({ flowsDone }));
    const first = await metrics.registry.metrics();
    expect(first).toContain('purser_relay_queued{chain="base-sepolia"} 4');
    expect(first).toContain('purser_relay_in_flight{chain="base-sepolia"} 2');
    expect(first).toContain('purser_relay_oldest_queued_seconds{chain="base-sepolia"} 1.5');
    expect(first).toContain(
      'purser_relay_account_balance_minor{chain="base-sepolia",address="0xaa",role="executor"} 7',
    );
    expect(first).toContain(
      'purser_relay_account_alarm{chain="base-sepolia",address="0xaa",role="executor"} 1',
    );
    expect(first).toContain('purser_relay_spent_last_hour_minor{chain="base-sepolia"} 9');
    expect(first).toContain('purser_relay_chain_alarm{chain="base-sepolia"} 1');
    expect(first).toContain('purser_jobs_flows_done_total 5');
    flowsDone = 6;
    expect(await metrics.registry.metrics()).toContain('purser_jobs_flows_done_total 6');
  });
});

describe('metrics of the sanctions lists', () => {
  it('show the size of each list and which cannot be read', async () => {
    const metrics = createMetrics();
    let lists: readonly ListStatus[] = [
      { list: 'sdn_advanced.xml', version: '2026-01-09', digest: 'ab', entryCount: 700 },
      { list: 'eu.json', entryCount: 0, alarm: 'The file is missing.' },
    ];
    addScreeningMetrics(metrics, {
      providers: { screening: { status: () => lists } } as unknown as Providers,
    });
    const first = await metrics.registry.metrics();
    expect(first).toContain('purser_screening_list_entries{list="sdn_advanced.xml"} 700');
    expect(first).toContain('purser_screening_list_alarm{list="sdn_advanced.xml"} 0');
    expect(first).toContain('purser_screening_list_alarm{list="eu.json"} 1');
    lists = lists.slice(0, 1);
    expect(await metrics.registry.metrics()).not.toContain('eu.json');
  });
});
