import { setTimeout as delay } from 'node:timers/promises';
import bs58 from 'bs58';
import { newAddress, openWorld as openAptos } from '../src/chains/aptos/testing/world.ts';
import type { LateNetwork } from '../src/chains/family/late/network.ts';
import type { LateSignInput, Running } from '../src/chains/family.ts';
import {
  readMessage,
  signersOf,
  writeTransaction,
} from '../src/chains/solana/operation/message.ts';
import { readStatuses, send } from '../src/chains/solana/operation/node.ts';
import {
  newAddress as newSolanaAddress,
  openWorld as openSolana,
} from '../src/chains/solana/testing/world.ts';
import { recordChannels } from '../src/chains/stellar/relay/channels.ts';
import { createStellarNetwork } from '../src/chains/stellar/relay/network.ts';
import { custodySigner, signAsCustody } from '../src/chains/stellar/testing/custody.ts';
import { openWorld as openStellar } from '../src/chains/stellar/testing/world.ts';
import { createSuiNetwork } from '../src/chains/sui/operation/network.ts';
import { newSuiAddress } from '../src/chains/sui/testing/bed.ts';
import { openWorld as openSui, signWith } from '../src/chains/sui/testing/world.ts';
import type { JsonObject } from '../src/lib/json/json.ts';
import { inParallel } from '../src/lib/waiting/in-parallel.ts';
import type { Store } from '../src/store/types.ts';
import type { BenchOptions, Measure } from './measure.ts';

/** What a family's bench has: wallets of type mpc, and transfers of theirs. */
interface Ground {
  readonly outcomes: readonly unknown[];
  /** Gets ready to prepare transfers, and does so; handed over when `submit` is called. */
  prepare(count: number): Promise<readonly (() => Promise<string>)[]>;
  /**
   * Signs as the relay does it, which hears of none of them. Each is handed to the chain when it is
   * called, and is over when the chain has it.
   */
  preSign(submits: readonly (() => Promise<string>)[]): Promise<readonly (() => Promise<void>)[]>;
  start(): Promise<Running>;
  close(): Promise<void>;
}

/** Of families whose relay builds and signs late. */
interface LateGround {
  readonly store: Store;
  readonly late: LateNetwork;
  sign(input: Omit<LateSignInput, 'projectId'>): Promise<Uint8Array>;
}

const parallel = 16;
const waitMaxMs = 120_000;
/**
 * Signed before they are sent: on Stellar each closes a ledger of the local chain, and bytes hold
 * for twelve.
 */
const lot = 8;

async function aptos(): Promise<Ground> {
  const world = await openAptos();
  const late: LateGround = {
    store: world.database.store,
    late: world.late,
    sign: (input) => world.deps().signBuilt({ projectId: '', ...input }),
  };
  return {
    preSign: (submits) => preSignLate(late, submits),
    outcomes: world.outcomes,
    prepare: (count) =>
      inParallel(Array.from({ length: count }), parallel, async () => {
        const wallet = world.aWallet(10n);
        const prepared = await world.prepareTransfer(wallet, 1n, newAddress());
        return () => world.submit(wallet, prepared);
      }),
    start: () => world.start(),
    close: () => world.close(),
  };
}

async function sui(): Promise<Ground> {
  const world = await openSui();
  const late: LateGround = {
    store: world.database.store,
    late: createSuiNetwork({ ...world.deps(), chain: 'sui' }),
    sign: ({ walletId, operation, built }) =>
      signWith(world.seeds)({ projectId: '', walletId, operation, built }),
  };
  return {
    preSign: (submits) => preSignLate(late, submits),
    outcomes: world.outcomes,
    async prepare(count) {
      // The worker makes the coins that pay.
      const relay = await world.start();
      // Whoever prepares waits for a coin for seconds only.
      const ready = await inParallel(Array.from({ length: count }), 4, async () => {
        const wallet = world.aWallet(10n);
        const prepared = await world.prepareTransfer(wallet, 1n, newSuiAddress());
        return () => world.submit(wallet, prepared);
      });
      await relay.stop();
      return ready;
    },
    start: () => world.start(),
    close: () => world.close(),
  };
}

async function stellar(channels: number): Promise<Ground> {
  const world = await openStellar({ channels });
  const { store } = world.database;
  await recordChannels(
    store,
    'stellar',
    world.channels.map(({ address }) => address),
  );
  const late: LateGround = {
    store,
    late: createStellarNetwork({
      db: store,
      network: world.network,
      connect: world.connect,
      channels: world.channels,
    }),
    // A call has its entry, which the key has signed when it was asked for.
    sign: async (input) =>
      'prepared' in input.operation ? new Uint8Array() : signAsCustody(input),
  };
  return {
    preSign: (submits) => preSignLate(late, submits),
    outcomes: world.outcomes,
    async prepare(count) {
      const relay = await world.start();
      const ready = await inParallel(Array.from({ length: count }), parallel, async () => {
        const wallet = world.aKeyWallet();
        const key = custodySigner(wallet);
        const recipient = { wallet, projectId: wallet.projectId!, owner: wallet.address };
        await world.deps.makeReady(world.connection, {
          recipient,
          token: world.token,
          now: new Date(),
        });
        return { wallet, key };
      });
      await relay.stop();
      // The bank has one sequence number: it gives one after the other.
      for (const { wallet } of ready) await world.chain.giveTokens(wallet.address, 10n);
      return inParallel(ready, parallel, async ({ wallet, key }) => {
        const prepared = await world.prepareTransfer(wallet, key, {
          amount: 1n,
          to: world.freshAddress(),
        });
        return () => world.submit(wallet, prepared, [key]);
      });
    },
    start: () => world.start(),
    close: () => world.close(),
  };
}

async function solana(): Promise<Ground> {
  const world = await openSolana({ feePayers: 2 });
  const { store } = world.database;
  return {
    outcomes: world.outcomes,
    async prepare(count) {
      // The worker makes the accounts of nonces.
      const relay = await world.start();
      const ready = await inParallel(Array.from({ length: count }), parallel, async () => {
        const wallet = await world.aWallet({ tokens: 10n });
        const prepared = await world.prepareTransfer(wallet, 1n, newSolanaAddress());
        return () => world.submit(wallet, prepared);
      });
      await relay.stop();
      return ready;
    },
    async preSign(submits) {
      const ids = await inParallel(submits, parallel, (submit) => submit());
      const { rows } = await store.query<{ message: Buffer; signatures: Record<string, string> }>({
        text: 'delete from solana_operations where operation_id = any($1) returning message, signatures',
        values: [ids],
      });
      return rows.map(({ message, signatures }) => {
        const [feePayer] = signersOf(readMessage(message));
        const signature = world.feePayers
          .find(({ address }) => address === feePayer)!
          .sign(message);
        const given = Object.entries(signatures).map(
          ([address, text]) => [address, bs58.decode(text)] as const,
        );
        const raw = writeTransaction(message, {
          ...Object.fromEntries(given),
          [feePayer!]: signature,
        });
        return async () => {
          await send(world.connection, raw);
          await untilThere(async () => {
            const [status] = await readStatuses(world.connection, [bs58.encode(signature)]);
            return status === undefined ? false : status.err === null || JSON.stringify(status);
          });
        };
      });
    },
    start: () => world.start(),
    close: () => world.close(),
  };
}

/**
 * Sponsored transfers of mpc wallets per second, from the queue to the told outcome, beside
 * transactions that were built and signed before and are handed to the same local chain until it
 * has them.
 */
export async function benchFamilies({ quick, progress }: BenchOptions): Promise<Measure[]> {
  const count = quick ? 6 : 40;
  const measures: Measure[] = [];
  for (const [name, open] of [
    ['aptos', aptos],
    ['sui', sui],
    ['stellar', () => stellar(count)],
    ['solana', solana],
  ] as const) {
    progress(`families: ${name}`);
    const ground = await open();
    try {
      const ready = await ground.prepare(2 * count);
      let sendingMs = 0;
      for (let at = 0; at < count; at += lot) {
        const signed = await ground.preSign(ready.slice(at, Math.min(at + lot, count)));
        sendingMs += await timed(() => inParallel(signed, parallel, (one) => one()));
      }
      const limit = (count * 1_000) / sendingMs;
      const before = ground.outcomes.length;
      for (const submit of ready.slice(count)) await submit();
      let relay: Running | undefined;
      const relayedMs = await timed(async () => {
        relay = await ground.start();
        for (
          const endAt = Date.now() + waitMaxMs;
          ground.outcomes.length < before + count;
          await delay(10)
        )
          if (Date.now() > endAt)
            throw new Error(`${name}: ${ground.outcomes.length - before} of ${count} have ended`);
      });
      await relay!.stop();
      const rate = (count * 1_000) / relayedMs;
      measures.push({
        name: `sponsored transfers on ${name}`,
        value: rate,
        unit: '/s',
        beside: { what: 'signed before', value: limit, unit: '/s' },
        ratio: rate / limit,
      });
    } finally {
      await ground.close();
    }
  }
  return measures;
}

/** In milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function preSignLate(
  { store, late, sign }: LateGround,
  submits: readonly (() => Promise<string>)[],
) {
  const ids = await inParallel(submits, parallel, (submit) => submit());
  const { rows } = await store.query<{
    operationId: string;
    projectId: string;
    owner: string;
    walletId: string;
    operation: JsonObject;
  }>({
    text: `select operation_id as "operationId", project_id as "projectId", owner, wallet_id as "walletId", operation
      from operation_intents where operation_id = any($1)`,
    values: [ids],
  });
  const signed = await inParallel(rows, parallel, async (of) => {
    const { operation, walletId } = of;
    const built = await late.build(operation, of);
    if (built === 'later' || !('bytes' in built))
      throw new Error(`${of.operationId} was not built: ${JSON.stringify(built)}`);
    const signature = await sign({ walletId, operation, built: built.bytes });
    return { of, sent: await late.complete(operation, built.bytes, signature, of) };
  });
  await store.transaction(async (tx) => {
    await tx.query({
      text: 'delete from operation_intents where operation_id = any($1)',
      values: [ids],
    });
    await late.ended?.(tx, ids);
  });
  return signed.map(({ of, sent }) => async () => {
    await late.send(sent.raw);
    await untilThere(async () => {
      const found = await late.look(sent, { ...of, withheld: false });
      if (found === 'pending') return false;
      return typeof found === 'object' && found.status === 'success'
        ? true
        : JSON.stringify(found, (_, v) => (typeof v === 'bigint' ? String(v) : v));
    });
  });
}

/** @param look true: the chain has it; a text: how else it ended */
async function untilThere(look: () => Promise<boolean | string>): Promise<void> {
  for (const endAt = Date.now() + waitMaxMs; ; await delay(5)) {
    const found = await look();
    if (found === true) return;
    if (found !== false || Date.now() > endAt) throw new Error(`It ended as ${found}`);
  }
}
