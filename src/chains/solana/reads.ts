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
import type { Deposits, FamilyReads, Funding, Running } from '../family.ts';
import { newSolanaMemo, solanaDepositInstructions, solanaPayerState } from './deposits/deposits.ts';
import { proveSolanaDeposits } from './deposits/prove-deposits.ts';
import { readSolanaDeposits } from './deposits/read-deposits.ts';
import { fundSolanaWallet } from './dev/fund.ts';
import { createMintNetwork } from './dev/mint.ts';
import type { SolanaConnections } from './rpc/connections.ts';
import { readFinalSolanaBalances, readSolanaBalances } from './tokens/balances.ts';
import { createSolanaTokens } from './tokens/tokens.ts';
import { runWatcher, selectOperationIds } from './watcher/index.ts';

export interface ReadsDeps {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly connections: SolanaConnections;
}

/** What the family tells of the chain: networks, tokens, balances, deposits; and test funding. */
export function createSolanaReads(
  deps: ReadsDeps,
): FamilyReads & { readonly deposits: Deposits; readonly funding: Funding } {
  const { config, store, clock, connections } = deps;
  const tokens = createSolanaTokens(connections);
  const chain = connections.network.name;
  const readDeps = {
    clock,
    tokens,
    operationIds: (signatures: readonly string[]) => selectOperationIds(store, chain, signatures),
  };
  return {
    networks: [connections.network],
    requireNetwork: connections.requireNetwork,
    resolveToken: tokens.resolve,
    readMetadataUris: tokens.readMetadataUris,
    async readBalances(address, asked) {
      return asked.length === 0
        ? []
        : readSolanaBalances(await connections.connect(chain), address, asked);
    },
    async readFinalBalances({ chain: named, address, tokens: asked }) {
      const connection = await connections.connect(named);
      return readFinalSolanaBalances(connection, {
        address,
        tokens: asked,
        finalSlot: () => selectFinalHeight(store, chain),
      });
    },
    watchStatus: async () => (connections.isUsable ? followerStatus(store, chain) : []),
    deposits: {
      newMemo: newSolanaMemo,
      depositInstructions: (intent) => solanaDepositInstructions(connections, intent),
      payerState: (input) => solanaPayerState(connections, input),
      async readDeposits(input) {
        return readSolanaDeposits(readDeps, await connections.connect(input.chain), input);
      },
      proveDeposits: (input) => proveSolanaDeposits({ ...readDeps, config, connections }, input),
    },
    funding: {
      fund: (input) => fundSolanaWallet({ store, config: config.solana, connections }, input),
    },
  };
}

/** The watcher, and where there is a treasury on a test cluster what mints test tokens. */
export async function runSolanaReads(
  deps: ReadsDeps & { readonly workerName: string },
  entrances: FollowerEntrances,
): Promise<Running> {
  const { config, connections, workerName } = deps;
  const { watcher, treasuryKey } = config.solana;
  const { name: chain, testnet } = connections.network;
  const common = { ...deps, chain, connect: connections.connect };
  const running = [
    await runWatcher({
      ...common,
      ...watcher,
      tokens: createSolanaTokens(connections),
      entrances,
      selectOperationIds,
      workerName,
      followAlways: config.environment !== 'development',
    }),
  ];
  if (treasuryKey && testnet) {
    const network = createMintNetwork({ connect: () => connections.connect(chain), treasuryKey });
    running.push(runMints({ ...common, network, pollMs: watcher.pollMs }));
  }
  return { stop: async () => void (await Promise.all(running.map((one) => one.stop()))) };
}
