import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Address,
  createKeyPairSignerFromBytes,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { pino } from 'pino';
import { startSolanaChain } from '../../../../devnet/solana/index.ts';
import { kitClient } from '../../../../devnet/solana/testing/clients.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import type { SolanaConfig } from '../../../config/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { watchChain } from '../../family/following/index.ts';
import type { SeenOperation, SeenTransfer } from '../../family.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { createConnections } from '../rpc/connections.ts';
import { associatedTokenAddress } from '../tokens/derived-addresses.ts';
import { createSolanaTokens } from '../tokens/tokens.ts';
import { runWatcher, type WatcherDeps } from '../watcher/index.ts';

export type Bed = Awaited<ReturnType<typeof startBed>>;

export const sol = 1_000_000_000n;
const waitMaxMs = 20_000;
/** Longest before money is final: four slots. */
const slotMs = 50;

/**
 * A local chain, a database, and what watches, reads and pays on Solana; of wallets of ours it
 * knows what it is told.
 */
export async function startBed(settings: Partial<SolanaConfig> = {}) {
  const [chain, database, treasury] = await Promise.all([
    startSolanaChain({ slotMs }),
    startTestDatabase(),
    generateKeyPairSigner(),
  ]);
  const client = kitClient(chain);
  const payer = await client.fundedSigner(1_000n * sol);
  const mint = await createMint(programs.token, { decimals: 6, authority: payer });
  const config = testConfig({
    solana: { ...testConfig().solana, rpcUrl: chain.url, testTokenMint: mint, ...settings },
  });
  const log = pino({ level: 'silent' });
  const { store } = database;
  const connections = createConnections({
    config,
    log,
    onFirstUse: (name) => watchChain(store, name),
  });
  const tokens = createSolanaTokens(connections);
  const own = new Set<string>();
  const taking = new Set<string>();
  const told = { transfers: [] as SeenTransfer[], operations: [] as SeenOperation[], final: 0n };
  const operationIds = new Map<string, string>();
  const pick = (from: ReadonlySet<string>) => async (_: unknown, asked: readonly string[]) =>
    new Set(asked.filter((one) => from.has(one)));
  const watcherDeps: WatcherDeps = {
    store,
    clock: systemClock,
    log,
    chain: 'solana',
    connect: connections.connect,
    tokens,
    entrances: {
      ownAddresses: pick(own),
      depositAddresses: pick(taking),
      recordTransfers: async (_, transfers) => void told.transfers.push(...transfers),
      recordOperations: async (_, operations) => void told.operations.push(...operations),
      finalizeTransfers: async (_, _chain, height) => void (told.final = height),
    },
    selectOperationIds: async (_store, _chain, signatures) =>
      new Map([...operationIds].filter(([signature]) => signatures.includes(signature))),
    blocksMax: 50,
    pollMs: 20,
    workerName: 'test',
  };

  async function createMint(
    tokenProgram: Address,
    {
      decimals,
      authority = payer,
      supply,
    }: { readonly decimals: number; readonly authority?: KeyPairSigner; readonly supply?: bigint },
  ): Promise<Address> {
    const account = await generateKeyPairSigner();
    const space = BigInt(getMintSize());
    const lamports = await client.rpc.getMinimumBalanceForRentExemption(space).send();
    await send(
      [
        getCreateAccountInstruction({
          payer: authority,
          newAccount: account,
          lamports,
          space,
          programAddress: tokenProgram,
        }),
        getInitializeMint2Instruction(
          { mint: account.address, decimals, mintAuthority: authority.address },
          { programAddress: tokenProgram },
        ),
      ],
      authority,
    );
    if (supply !== undefined)
      await giveTokens(authority.address, supply, { of: account.address, tokenProgram });
    return account.address;
  }

  /** @returns the transaction's id, once it is confirmed */
  async function send(
    instructions: readonly Instruction[],
    from: KeyPairSigner = payer,
  ): Promise<string> {
    const signature = await client.send(from, instructions, {});
    await until(async () => {
      const [status] = (await client.rpc.getSignatureStatuses([signature as never]).send()).value;
      return (
        status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized'
      );
    }, `${signature} to be confirmed`);
    return signature;
  }

  const accountOf = (owner: string, of: string, tokenProgram: string) =>
    associatedTokenAddress({ owner, mint: of, tokenProgram }) as Address;

  async function giveTokens(
    owner: string,
    amount: bigint,
    {
      of = mint,
      tokenProgram = programs.token,
    }: { readonly of?: Address; readonly tokenProgram?: Address } = {},
  ): Promise<string> {
    const token = accountOf(owner, of, tokenProgram);
    return send([
      getCreateAssociatedTokenIdempotentInstruction({
        payer,
        ata: token,
        owner: owner as Address,
        mint: of,
        tokenProgram,
      }),
      getMintToInstruction(
        { mint: of, token, mintAuthority: payer, amount },
        { programAddress: tokenProgram },
      ),
    ]);
  }

  /** A transfer of tokens as wallets write it. */
  function tokenTransfer(
    from: KeyPairSigner,
    to: string,
    amount: bigint,
    { of = mint, tokenProgram = programs.token, decimals = 6 } = {} as {
      of?: Address;
      tokenProgram?: Address;
      decimals?: number;
    },
  ): Instruction[] {
    const destination = accountOf(to, of, tokenProgram);
    const source = accountOf(from.address, of, tokenProgram);
    return [
      getCreateAssociatedTokenIdempotentInstruction({
        payer: from,
        ata: destination,
        owner: to as Address,
        mint: of,
        tokenProgram,
      }),
      getTransferCheckedInstruction(
        { source, mint: of, destination, authority: from, amount, decimals },
        { programAddress: tokenProgram },
      ),
    ];
  }

  async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const endAt = Date.now() + waitMaxMs; !(await check()); await delay(20))
      if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
  }

  return {
    chain,
    client,
    config,
    connections,
    database,
    mint,
    own,
    operationIds,
    payer,
    store,
    taking,
    told,
    tokens,
    treasury,
    watcherDeps,
    createMint,
    giveTokens,
    send,
    tokenTransfer,
    until,
    /** A watcher, from the chain's first use on. */
    watch: (overrides: Partial<WatcherDeps> = {}) => runWatcher({ ...watcherDeps, ...overrides }),
    /** Of a transaction, once the watcher told of it. */
    async transfersOf(txId: string, count = 1): Promise<readonly SeenTransfer[]> {
      const found = () => told.transfers.filter((transfer) => transfer.txId === txId);
      await until(() => found().length >= count, `${count} transfers of ${txId}`);
      return found();
    },
    memo: (text: string): Instruction => ({
      programAddress: programs.memo,
      accounts: [],
      data: Buffer.from(text),
    }),
    solTransfer: (from: KeyPairSigner, to: string, amount: bigint) =>
      getTransferSolInstruction({ source: from, destination: to as Address, amount }),
    /** An address of nobody that ever acted. */
    anAddress: async () => (await createKeyPairSignerFromBytes(await aKeypair())).address as string,
    async close() {
      connections.close();
      await Promise.all([chain.stop(), database.close()]);
    },
  };
}

async function aKeypair(): Promise<Uint8Array> {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  const seed = randomBytes(32);
  return Buffer.concat([seed, ed25519.getPublicKey(seed)]);
}
