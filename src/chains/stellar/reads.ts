import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { Store } from '../../store/types.ts';
import {
  type FollowerEntrances,
  followerStatus,
  selectFinalHeight,
} from '../family/following/index.ts';
import { runMints } from '../family/funding/run-mints.ts';
import { selectOperationIds } from '../family/late/store.ts';
import { readFinalBalances } from '../family/proofs/final-balances.ts';
import type { Deposits, FamilyReads, Funding, Running } from '../family.ts';
import type { MakeReady } from './account/make-ready.ts';
import { newStellarMemo, stellarDepositInstructions } from './deposits/deposits.ts';
import { stellarPayerState } from './deposits/payer-state.ts';
import { proveStellarDeposits } from './deposits/prove-deposits.ts';
import { readStellarDeposits } from './deposits/read-deposits.ts';
import { fundStellarWallet } from './dev/fund.ts';
import { createMintNetwork } from './dev/mint.ts';
import type { StellarConnections } from './rpc/connections.ts';
import { readStellarAmounts, readStellarBalances } from './tokens/balances.ts';
import type { StellarTokens } from './tokens/tokens.ts';
import { runWatcher } from './watcher/index.ts';

export interface ReadsDeps {
  readonly config: Config;
  readonly store: Store;
  readonly connections: StellarConnections;
  readonly tokens: StellarTokens;
}

export interface CreateReadsDeps extends ReadsDeps {
  readonly clock: Clock;
  readonly makeReady: MakeReady;
}

/** What the family tells of the chain: networks, tokens, balances, deposits; and test funding. */
export function createStellarReads(
  deps: CreateReadsDeps,
): FamilyReads & { readonly deposits: Deposits; readonly funding: Funding } {
  const { config, store, connections, tokens } = deps;
  const { name: chain } = connections.network;
  const readDeps = {
    tokens,
    operationIds: (hashes: readonly string[]) => selectOperationIds(store, chain, hashes),
  };
  return {
    networks: [connections.network],
    requireNetwork: connections.requireNetwork,
    resolveToken: tokens.resolve,
    // Tokens with an id are not served.
    readMetadataUris: async (asked) => asked.map(() => undefined),
    async readBalances(address, asked) {
      return asked.length === 0
        ? []
        : readStellarBalances({
            connection: await connections.connect(chain),
            tokens,
            address,
            asked,
          });
    },
    async readFinalBalances({ chain: named, address, tokens: asked }) {
      const connection = await connections.connect(named);
      return readFinalBalances({
        chain,
        tokens: asked,
        toldHeight: () => selectFinalHeight(store, chain),
        readAmounts: () => readStellarAmounts({ connection, tokens, address, asked }),
      });
    },
    watchStatus: async () => (connections.isUsable ? followerStatus(store, chain) : []),
    deposits: {
      newMemo: newStellarMemo,
      depositInstructions: (intent) => stellarDepositInstructions({ connections, tokens }, intent),
      payerState: (input) => stellarPayerState({ connections, tokens }, input),
      async readDeposits(input) {
        return readStellarDeposits(readDeps, await connections.connect(input.chain), input);
      },
      proveDeposits: (input) => proveStellarDeposits({ ...readDeps, config, connections }, input),
    },
    funding: { fund: (input) => fundStellarWallet({ ...deps, config: config.stellar }, input) },
  };
}

export interface RunReadsDeps extends ReadsDeps {
  readonly log: Logger;
  readonly workerName: string;
}

/** The watcher, and where there is a treasury on a test network what mints test tokens. */
export async function runStellarReads(
  deps: RunReadsDeps,
  entrances: FollowerEntrances,
): Promise<Running> {
  const { config, store, log, connections, tokens, workerName } = deps;
  const { watcher, treasuryKey, relay } = config.stellar;
  const { name: chain, testnet } = connections.network;
  const common = { store, log, chain };
  const running = [
    await runWatcher({
      ...common,
      ...watcher,
      connect: connections.connect,
      tokens,
      entrances,
      selectOperationIds,
      workerName,
      followAlways: config.environment !== 'development',
    }),
  ];
  if (treasuryKey && testnet) {
    const network = createMintNetwork({
      connect: () => connections.connect(chain),
      treasuryKey,
      feeMaxStroops: relay.feeMaxStroops,
    });
    running.push(runMints({ ...common, network, pollMs: watcher.pollMs }));
  }
  return { stop: async () => void (await Promise.all(running.map((one) => one.stop()))) };
}
