import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeFunctionData, parseAbi, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { mint } from '../../../../../contracts/test/chain.ts';
import { anEvmItem } from '../../../../../test/attacks/queue-items.ts';
import { programArgs } from '../../../../../test/harness/programs.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import type { Running } from '../../../family.ts';
import type { Hex } from '../../abi/words.ts';
import { enqueueOperation } from '../../relay/queue/queue.ts';
import { chainName, type RelayTestChain } from '../../relay/testing/chain.ts';
import { readOutcomes } from '../../relay/testing/relay.ts';
import { aWorld } from '../../relay/testing/world.ts';
import { addToFund } from '../fund.ts';
import { type AccountCall, storeAccountCall } from '../stored.ts';
import { submitAccountCalls } from '../submit.ts';
import { requestTopUp } from '../top-ups.ts';
import { type AccountsHooks, type AccountsSetup, type KillAt, startTestAccounts } from './relay.ts';

const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
const parseSigned = (raw: Hex) => parseTransaction(raw);
const projectId = '00000000-0000-4000-8000-000000000001';

export interface Wallet {
  readonly id: string;
  readonly key: Hex;
  /** Lower case. */
  readonly address: Hex;
}

export type AccountsWorld = Awaited<ReturnType<typeof anAccountsWorld>>;

/** A database, an executor and accounts with tokens, which have sent nothing. */
export async function anAccountsWorld(chain: RelayTestChain) {
  const world = await aWorld(chain);
  const { database, recipient } = world;
  const wallets: Wallet[] = [];
  const running: Running[] = [];

  const setupOf = (more: Partial<AccountsSetup> = {}): AccountsSetup => ({
    rpcUrl: chain.url,
    executorKeys: world.executorKeys,
    workerName: `worker-${randomUUID().slice(0, 8)}`,
    walletKeys: Object.fromEntries(wallets.map(({ id, key }) => [id, key])),
    ...more,
  });
  /** A transfer of one token unit to the world's recipient. */
  const aCall = ({ address }: Wallet, other: Partial<AccountCall>): JsonObject =>
    storeAccountCall({
      chain: chainName,
      chainId: chain.chainId,
      wallet: address,
      to: chain.token.toLowerCase() as Hex,
      valueWei: 0n,
      data: encodeFunctionData({ abi: erc20, args: [recipient, 1n] }),
      gasLimit: 100_000n,
      feeMaxWei: 200n * 10n ** 9n,
      costMaxWei: 10n ** 15n,
      validUntil: new Date(Date.now() + 600_000),
      ...other,
    });
  async function query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await database.store.query<Row>({ text, values })).rows;
  }
  async function rawAttemptsOf({ address }: Wallet): Promise<Hex[]> {
    const rows = await query<{ raw: Buffer }>(
      'select raw from evm_account_attempts where address = $1 order by created_at',
      [address],
    );
    return rows.map(({ raw }): Hex => `0x${raw.toString('hex')}`);
  }

  /** So much more of its native money is the service's. */
  async function credit({ address }: Wallet, wei: bigint): Promise<void> {
    await database.store.transaction((tx) => addToFund(tx, { chain: chainName, address }, wei));
  }

  async function stopAll(): Promise<void> {
    await Promise.all(running.splice(0).map((relay) => relay.stop()));
  }

  return {
    recipient,
    query,
    async aWallet(): Promise<Wallet> {
      const key = generatePrivateKey();
      const { address } = privateKeyToAccount(key);
      await mint(chain, address, 1_000n);
      const wallet = { id: randomUUID(), key, address: address.toLowerCase() as Hex };
      wallets.push(wallet);
      return wallet;
    },
    credit,
    /** Has it hold so much native money of the service's. */
    async feed(wallet: Wallet, wei: bigint): Promise<void> {
      await chain.setBalance(wallet.address, wei);
      await credit(wallet, wei);
    },
    /** Asks for what a transaction of so much takes. */
    need: ({ address }: Wallet, neededWei: bigint) =>
      requestTopUp(
        database.store,
        { operationId: randomUUID(), projectId, owner: 'x', chain: chainName, address, neededWei },
        {
          budgets: { projectDayMaxMinor: 10n ** 18n, ownerDayMaxMinor: 10n ** 18n },
          operationMaxWei: 10n ** 18n,
          dayMaxWei: 10n ** 18n,
        },
      ),
    /** What the budgets of owners have paid, in wei. */
    async spentOfOwners(): Promise<bigint> {
      const [row] = await query<{ wei: string }>(
        `select coalesce(sum(spent_wei), 0) as wei from evm_gas_spent where owner <> ''`,
      );
      return BigInt(row!.wei);
    },
    /** Hands a call over; answers its id. */
    async submit(
      wallet: Wallet,
      other: Partial<AccountCall> = {},
      owner?: string,
    ): Promise<string> {
      const operationId = randomUUID();
      const { id, address } = wallet;
      await database.store.transaction((tx) =>
        submitAccountCalls(tx, [
          {
            operationId,
            subject: 'transaction',
            projectId,
            chain: chainName,
            operation: aCall(wallet, other),
            approvals: [],
            wallet: {
              id,
              type: 'mpc',
              address,
              ...(owner !== undefined && { owner }),
              setup: { form: 'account' },
              adminSigner: { type: 'api-key', locator: 'api-key:x' },
            },
          },
        ]),
      );
      return operationId;
    },
    /** Has an operation of a module with this id, which has ended. */
    async relayed(operationId: string): Promise<void> {
      await database.store.transaction((tx) => enqueueOperation(tx, anEvmItem(operationId)));
      await query(`update evm_operations set status = 'settled' where operation_id = $1`, [
        operationId,
      ]);
    },
    async start(more: Partial<AccountsSetup> = {}, hooks?: AccountsHooks): Promise<Running> {
      const relay = await startTestAccounts(database.store, setupOf(more), hooks);
      running.push(relay);
      return relay;
    },
    spawnWorker(killAt: KillAt, more: Partial<AccountsSetup> = {}): ChildProcess {
      const setup = { databaseUrl: database.url, accounts: setupOf(more), killAt };
      const script = programArgs('src/chains/evm/account/testing/worker.ts');
      return spawn(process.execPath, [...script, JSON.stringify(setup)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    },
    /** Every telling of its end. @throws after 40 s, or this long; with 0 none is an answer */
    async outcomesOf(operationId: string, withinMs = 40_000) {
      for (const endAt = Date.now() + withinMs; ; await delay(50)) {
        const told = await readOutcomes(database.store);
        const own = told.filter((outcome) => outcome.operationId === operationId);
        if (own.length > 0 || withinMs === 0) return own;
        if (Date.now() > endAt) throw new Error(`${operationId} has no outcome`);
      }
    },
    topUpsOf: ({ address }: Wallet) =>
      query<{ value_wei: string; status: string }>(
        'select value_wei, status from evm_account_top_ups where address = $1',
        [address],
      ),
    /** What its key has signed, oldest first. */
    attemptsOf: async (wallet: Wallet) => (await rawAttemptsOf(wallet)).map(parseSigned),
    rawAttemptsOf,
    async fundOf({ address }: Wallet): Promise<bigint> {
      const [row] = await query<{ fund_wei: string }>(
        'select fund_wei from evm_paying_accounts where address = $1',
        [address],
      );
      return BigInt(row!.fund_wei);
    },
    countOf: ({ address }: Wallet) => chain.client.getTransactionCount({ address }),
    stop: stopAll,
    async close() {
      await stopAll();
      await world.close();
    },
  };
}
