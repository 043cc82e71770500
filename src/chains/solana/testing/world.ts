import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ed25519 } from '@noble/curves/ed25519.js';
import { type Address, getAddressEncoder } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import bs58 from 'bs58';
import { type SolanaChain, startSolanaChain } from '../../../../devnet/solana/index.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { createLogger } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type {
  FamilyWallet,
  OperationOutcome,
  PreparedOperation,
  ResolvedToken,
  Running,
} from '../../family.ts';
import { solanaNetwork } from '../config/networks.ts';
import { readTokenAccount } from '../operation/layout.ts';
import { readAccounts } from '../operation/node.ts';
import { type PrepareDeps, prepareSolanaOperation } from '../operation/prepare.ts';
import { submitSolanaOperations } from '../operation/submit.ts';
import { solanaTransferParams } from '../operation/transfer.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { createSigningAccount, type SigningAccount } from '../relay/keys.ts';
import { createNonceLeases } from '../relay/nonces/leases.ts';
import { runRelay } from '../relay/run.ts';
import type { RelayDeps } from '../relay/types.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { createSolanaRpc } from '../rpc/rpc.ts';
import { claimNumbers } from '../wallet/numbers.ts';
import { planAccount } from '../wallet/plan.ts';
import { signWith } from './custody.ts';

export interface TestWallet extends FamilyWallet {
  readonly seed: Uint8Array;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

const sol = 1_000_000_000n;
export const projectId = '00000000-0000-4000-8000-000000000001';

/** A local chain, a database and wallets that are keys, with the relay as it is asked for. */
export async function openWorld(
  options: { readonly feePayers?: number; readonly slotMs?: number } = {},
) {
  const [chain, database]: [SolanaChain, TestDatabase] = await Promise.all([
    startSolanaChain({ slotMs: options.slotMs ?? 50 }),
    startTestDatabase(),
  ]);
  const rpc = createSolanaRpc({ url: chain.url, timeoutMs: 10_000 });
  const mint = newAddress();
  const network = solanaNetwork('development', { testTokenMint: mint });
  const token: ResolvedToken = {
    chain: 'solana',
    locator: 'solana:usdxm',
    symbol: 'usdxm',
    decimals: 6,
    address: mint,
  };
  const native: ResolvedToken = {
    chain: 'solana',
    locator: 'solana:sol',
    symbol: 'sol',
    decimals: 9,
  };
  const feePayerSeeds = Array.from(
    { length: options.feePayers ?? 1 },
    () => new Uint8Array(randomBytes(32)),
  );
  const feePayers = feePayerSeeds.map((seed) => createSigningAccount(new Secret(seed)));
  for (const { address } of feePayers)
    await rpc.request('requestAirdrop', [address, Number(10n * sol)]);
  await setAccount(mint, programs.token, mintData());
  const connection: SolanaConnection = { network, rpc };
  const connect = async () => connection;
  const seeds = new Map<string, Uint8Array>();
  const outcomes: OperationOutcome[] = [];
  const running: Running[] = [];
  const deps: PrepareDeps = {
    connect,
    nonces: createNonceLeases(database.store),
    claimNumbers: (input) => claimNumbers(database.store, input),
    tokens: {
      resolveToken: async (_chain, asked) =>
        'symbol' in asked && asked.symbol === 'sol' ? native : token,
    },
    unitPriceMax: 1_000_000n,
  };

  async function setAccount(address: string, owner: string, data: Uint8Array): Promise<void> {
    await rpc.request('devnet_setAccount', [
      address,
      { lamports: 2_039_280, owner, data: Buffer.from(data).toString('base64') },
    ]);
  }
  function relayDeps(rest: Partial<RelayDeps> = {}): RelayDeps {
    return {
      store: database.store,
      clock: systemClock,
      log: createLogger({ level: (process.env.TEST_LOG ?? 'silent') as 'silent', process: 'test' }),
      chain: 'solana',
      connect,
      feePayers,
      settings: testConfig().solana.relay,
      bounds: { projectDayMaxMinor: 10n * sol, ownerDayMaxMinor: 10n * sol },
      settle: async (tx, told) => tx.afterCommit(() => void outcomes.push(...told)),
      signBuilt: signWith(seeds),
      workerName: 'test',
      ...rest,
    };
  }
  const world = {
    chain,
    rpc,
    database,
    network,
    connection,
    connect,
    deps,
    token,
    native,
    mint,
    feePayers: feePayers as readonly SigningAccount[],
    feePayerSeeds: feePayerSeeds as readonly Uint8Array[],
    seeds: seeds as ReadonlyMap<string, Uint8Array>,
    outcomes,
    relayDeps,
    setAccount,
    async start(rest: Partial<RelayDeps> = {}): Promise<Running> {
      const relay = await runRelay(relayDeps(rest));
      running.push(relay);
      return relay;
    },
    /** A wallet that is a key, with so much of the test token and of native money. */
    async aWallet({
      tokens = 0n,
      lamports = 0n,
    }: {
      readonly tokens?: bigint;
      readonly lamports?: bigint;
    } = {}): Promise<TestWallet> {
      const seed = new Uint8Array(randomBytes(32));
      const { address, setup } = planAccount(ed25519.getPublicKey(seed));
      if (lamports > 0n) await rpc.request('requestAirdrop', [address, Number(lamports)]);
      if (tokens > 0n) await world.giveTokens(address, tokens);
      const id = randomUUID();
      seeds.set(id, seed);
      return {
        id,
        type: 'mpc',
        address,
        setup,
        adminSigner: { type: 'api-key', locator: `api-key:${address}`, address },
        seed,
      };
    },
    async tokenAccountOf(owner: string): Promise<string> {
      const [account] = await findAssociatedTokenPda({
        owner: owner as Address,
        mint: mint as Address,
        tokenProgram: programs.token,
      });
      return account;
    },
    async giveTokens(owner: string, amount: bigint): Promise<void> {
      await setAccount(
        await world.tokenAccountOf(owner),
        programs.token,
        tokenAccountData(mint, owner, amount),
      );
    },
    async tokensOf(owner: string): Promise<bigint> {
      const [account] = await readAccounts(
        connection,
        [await world.tokenAccountOf(owner)],
        'processed',
      );
      return readTokenAccount(account)?.amount ?? 0n;
    },
    async lamportsOf(address: string): Promise<bigint> {
      const [account] = await readAccounts(connection, [address], 'processed');
      return account?.lamports ?? 0n;
    },
    async transferParams(
      wallet: FamilyWallet,
      amountMinor: bigint,
      recipientAddress: string,
      of = token,
    ): Promise<JsonObject> {
      return solanaTransferParams(connect, {
        wallet,
        chain: 'solana',
        token: of,
        amountMinor,
        recipientAddress,
      });
    },
    async prepareTransfer(
      wallet: FamilyWallet,
      amountMinor: bigint,
      recipientAddress: string,
      of = token,
    ): Promise<PreparedOperation> {
      const transfer = { wallet, chain: 'solana', token: of, amountMinor, recipientAddress };
      return world.prepare(wallet, await solanaTransferParams(connect, transfer), transfer);
    },
    prepare(
      wallet: FamilyWallet,
      params: JsonObject,
      transfer?: Parameters<typeof solanaTransferParams>[1],
    ): Promise<PreparedOperation> {
      return prepareSolanaOperation(deps, {
        wallet,
        params,
        signer: wallet.adminSigner,
        now: new Date(),
        ...(transfer ? { transfer } : {}),
      });
    },
    async submit(
      wallet: TestWallet,
      prepared: Pick<PreparedOperation, 'operation'>,
      operationId = randomUUID(),
      project = projectId,
    ): Promise<string> {
      const operation = JSON.parse(JSON.stringify(prepared.operation)) as JsonObject;
      const input = {
        operationId,
        subject: 'transaction',
        projectId: project,
        wallet,
        chain: 'solana',
        operation,
        approvals: [],
      };
      await database.store.transaction((tx) => submitSolanaOperations(tx, [input]));
      return operationId;
    },
    async outcomeOf(operationId: string): Promise<OperationOutcome> {
      const find = () => outcomes.find((one) => one.operationId === operationId);
      await world.until(() => find() !== undefined, `an outcome of ${operationId}`);
      return find()!;
    },
    async until(
      check: () => boolean | Promise<boolean>,
      what: string,
      waitMaxMs = 30_000,
    ): Promise<void> {
      for (const endAt = Date.now() + waitMaxMs; !(await check()); await delay(25))
        if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
    },
    async close(): Promise<void> {
      await Promise.all(running.map((one) => one.stop()));
      rpc.close();
      await Promise.all([chain.stop(), database.close()]);
    },
  };
  return world;
}

export function newAddress(): string {
  return bs58.encode(ed25519.getPublicKey(randomBytes(32)));
}

function mintData(): Uint8Array {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(10n ** 15n, 36);
  data[44] = 6;
  data[45] = 1;
  return data;
}

function tokenAccountData(mint: string, owner: string, amount: bigint): Uint8Array {
  const data = Buffer.alloc(165);
  data.set(getAddressEncoder().encode(mint as Address), 0);
  data.set(getAddressEncoder().encode(owner as Address), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  return data;
}
