/** @module-tag slow */

import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess } from '../../../test/harness/processes.ts';
import { type Stack, startStack } from '../../../test/harness/stack.ts';
import { startFaultProxy } from '../../chains/evm/relay/testing/fault-proxy.ts';
import { developmentSecrets } from '../../config/development-config.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { runWorker } from '../../processes/worker/run.ts';
import { createProject } from '../projects/index.ts';
import { requireTreasury, sendFromTreasury } from './index.ts';
import type { WorkerChildInput } from './testing/worker-child.ts';

const chain = 'base-sepolia';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ worker: false, families: ['solana'] });
}, 120_000);
afterAll(() => stack?.close());

const query = async (text: string, ...values: unknown[]) =>
  (await stack.ctx.store.query<any>({ text, values })).rows;

/**
 * The operator's command line as a process of its own: it makes a treasury that is not there yet.
 */
function purser(...args: string[]) {
  const { database, keySigning } = stack.ctx.config;
  const { keyEncryptionKey, treasuryKeyEncryptionKey } = developmentSecrets(stack.dataDir);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const env = {
    PURSER_ENVIRONMENT: 'development',
    DATABASE_URL: database.url.reveal(),
    KEY_ENCRYPTION_KEYS: `development=${hex(keyEncryptionKey.reveal())}`,
    TREASURY_KEY_ENCRYPTION_KEYS: `development=${hex(treasuryKeyEncryptionKey.reveal())}`,
    KEY_SIGNING_PUBLIC_KEY: hex(keySigning.publicKey),
  };
  return startProcess({ name: 'purser', program: 'bin/purser.mjs', args, env });
}

// A trigger holds the statement, so that the process dies in the middle of it; what waits in the
// database ends with its client.
it.each([
  {
    at: 'the key is stored',
    table: 'custody_keys',
    whose: `new.purpose = 'treasury'`,
    keysLeft: 0,
  },
  {
    at: 'the wallet is stored, after its key',
    table: 'wallets',
    whose: `new.purpose = 'treasury'`,
    keysLeft: 1,
  },
])(
  'a treasury whose maker is killed while $at has one key and one wallet at the end, and pays',
  async ({ table, whose, keysLeft }) => {
    await query(
      `create or replace function hold() returns trigger language plpgsql as $$ begin if ${whose} then perform pg_sleep(600); end if; return new; end $$`,
    );
    await query(
      `create trigger hold before insert on ${table} for each row execute function hold()`,
    );
    const { id: projectId } = await createProject(stack.ctx, { name: `kill ${table}` });
    const keys = () =>
      query(
        `select id from custody_keys where project_id = $1 and purpose = 'treasury'`,
        projectId,
      );
    const child = purser('treasury', 'address', '--chain-type', 'evm', '--project', projectId);
    const held = () =>
      query(
        `select pid from pg_stat_activity where wait_event = 'PgSleep' and query like $1 and application_name like 'purser%'`,
        `%${table}%`,
      );
    await eventually('it is in the middle', async () => (await held()).length > 0, 60_000);
    process.kill(child.pid, 'SIGKILL');
    expect(await child.ended, child.output()).toEqual({ code: null, signal: 'SIGKILL' });
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`,
    );
    await query(`drop trigger hold on ${table}`);
    expect(await keys()).toHaveLength(keysLeft);

    const wallet = await requireTreasury(stack.ctx, { projectId, chainType: 'evm' });
    expect(await keys()).toEqual([{ id: wallet.adminSigner['keyId'] }]);
    expect(
      await query(
        `select id from wallets where project_id = $1 and purpose = 'treasury' and chain_type = 'evm'`,
        projectId,
      ),
    ).toHaveLength(1);
    const worker = await runWorker(stack.ctx);
    try {
      const family = stack.ctx.chains.familyOfChain(chain);
      const token = await family.resolveToken(chain, { symbol: 'usdxm' });
      await family.funding!.fund({
        chain,
        token,
        amountMinor: 5_000_000n,
        recipientAddress: wallet.address,
        reference: wallet.id,
      });
      const transferId = stack.ctx.ids.uuid();
      const recipientAddress = '0x000000000000000000000000000000000000bEEF';
      await sendFromTreasury(stack.ctx, {
        projectId,
        subject: table,
        transferId,
        chain,
        token,
        amountMinor: 5_000_000n,
        recipientAddress,
      });
      await eventually('it has paid', async () => {
        const [row] = await query(
          'select status from treasury_transfers where id = $1',
          transferId,
        );
        return row?.status === 'success' || row?.status === 'final';
      });
    } finally {
      await worker.stop();
    }
  },
);

describe('a transfer on Solana, which is signed when it is sent', { tags: 'slow' }, () => {
  const recipient = () => bs58.encode(randomBytes(32));
  const statusOf = async (id: string) =>
    (await query('select status from treasury_transfers where id = $1', id))[0]?.status;

  async function send(recipientAddress: string): Promise<string> {
    const transferId = stack.ctx.ids.uuid();
    await sendFromTreasury(stack.ctx, {
      projectId: stack.api.projectId,
      subject: 'kill',
      transferId,
      chain: 'solana',
      token: await stack.ctx.chains.family('solana').resolveToken('solana', { symbol: 'sol' }),
      amountMinor: 10_000_000n,
      recipientAddress,
    });
    return transferId;
  }

  /** A worker of this process, until what it is for has come. */
  async function whileWorking(what: string, check: () => Promise<boolean>): Promise<void> {
    const worker = await runWorker(stack.ctx);
    try {
      await eventually(what, check, 60_000);
    } finally {
      await worker.stop();
    }
  }
  beforeAll(async () => {
    const { address } = await requireTreasury(stack.ctx, {
      projectId: stack.api.projectId,
      chainType: 'solana',
    });
    await stack.chainCall('solana', 'requestAirdrop', [address, 1_000_000_000]);
    // The first one has the worker make nonces.
    await whileWorking('nonces are there', async () => {
      await send(recipient()).catch(() => undefined);
      return (await query(`select 1 from solana_nonces where status = 'free'`)).length > 5;
    });
  }, 120_000);

  function startWorker(solanaUrl: string) {
    const { config } = stack.ctx;
    const input: WorkerChildInput = {
      dataDir: stack.dataDir,
      databaseUrl: config.database.url.reveal(),
      rpcUrls: [...config.evm.rpcUrls, ['solana', solanaUrl]],
      testTokenAddress: config.evm.testTokenAddress!,
    };
    const program = 'src/areas/treasury/testing/worker-child.ts';
    return startProcess({ name: 'worker', program, args: [JSON.stringify(input)], env: {} });
  }

  it.each([
    { when: 'it has signed and not stored it', isStored: false, fault: undefined },
    { when: 'it has stored and not sent it', isStored: true, fault: 'lose-request' },
    { when: 'it has sent it, and nobody knows', isStored: true, fault: 'lose-answer' },
  ] as const)('whose worker dies when $when happens once', async ({ isStored, fault }) => {
    const to = recipient();
    const transferId = await send(to);
    const node = await startFaultProxy(stack.urlOf('solana'));
    if (!isStored) {
      await query(
        `create or replace function hold() returns trigger language plpgsql as $$ begin if old.raw is null and new.raw is not null then perform pg_sleep(600); end if; return new; end $$`,
      );
      await query(
        `create trigger hold before update on solana_operations for each row execute function hold()`,
      );
    }
    const child = startWorker(node.url);
    node.rule = (methods, body) => {
      if (fault === undefined || !methods.includes('sendTransaction')) return 'pass';
      const [bytes] = JSON.parse(body).params as [string];
      if (!Buffer.from(bytes, 'base64').includes(Buffer.from(bs58.decode(to)))) return 'pass';
      process.kill(child.pid, 'SIGKILL');
      return fault;
    };
    if (!isStored) {
      const held = () =>
        query(
          `select pid from pg_stat_activity where wait_event = 'PgSleep' and query like '%solana_operations%'`,
        );
      await eventually('it stores', async () => (await held()).length > 0, 60_000);
      process.kill(child.pid, 'SIGKILL');
    }
    expect(await child.ended, child.output()).toEqual({ code: null, signal: 'SIGKILL' });
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`,
    );
    if (!isStored) await query('drop trigger hold on solana_operations');
    const [row] = await query(
      'select raw is not null as stored from solana_operations where operation_id = $1',
      transferId,
    );
    expect(row).toEqual({ stored: isStored });
    await whileWorking('it is final', async () => (await statusOf(transferId)) === 'final');
    await node.close();
    const { value } = await stack.chainCall<{ value: number }>('solana', 'getBalance', [to]);
    expect(value).toBe(10_000_000);
  });
});
