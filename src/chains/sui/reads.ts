import type { Config } from '../../config/config.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { Store } from '../../store/types.ts';
import {
  type FollowerEntrances,
  followerStatus,
  selectFinalHeight,
} from '../family/following/index.ts';
import { type MintNetwork, runMints } from '../family/funding/run-mints.ts';
import { selectOperationIds } from '../family/late/store.ts';
import type { Deposits, FamilyReads, Funding, Running } from '../family.ts';
import { canonicalSuiAddress } from './addresses.ts';
import { newSuiMemo, suiDepositInstructions, suiPayerState } from './deposits/deposits.ts';
import { proveSuiDeposits } from './deposits/prove-deposits.ts';
import { readSuiDeposits } from './deposits/read-deposits.ts';
import { fundSuiWallet } from './dev/fund.ts';
import type { SuiConnections } from './rpc/connections.ts';
import { readFinalSuiBalances } from './tokens/final-balances.ts';
import { createSuiTokens, readSuiBalances } from './tokens/tokens.ts';
import { runWatcher } from './watcher/index.ts';

export interface ReadsDeps {
  readonly config: Config;
  readonly store: Store;
  readonly log: Logger;
  readonly connections: SuiConnections;
}

export interface RunReadsDeps extends ReadsDeps {
  readonly workerName: string;
  /** From the start, and not from the chain's first use on. */
  readonly followAlways: boolean;
  readonly mints: MintNetwork | undefined;
}

/** What the family tells of the chain: networks, tokens, balances, deposits; and test funding. */
export function createSuiReads({
  config,
  store,
  connections,
}: ReadsDeps): FamilyReads & { readonly deposits: Deposits; readonly funding: Funding } {
  const tokens = createSuiTokens(connections);
  const chain = connections.network.name;
  const readDeps = {
    tokens,
    operationIds: (digests: readonly string[]) => selectOperationIds(store, chain, digests),
  };
  return {
    networks: [connections.network],
    requireNetwork: connections.requireNetwork,
    resolveToken: tokens.resolve,
    // Tokens are types of coins: none has an id.
    readMetadataUris: async (asked) => asked.map(() => undefined),
    async readBalances(address, asked) {
      return asked.length === 0
        ? []
        : readSuiBalances(await connections.connect(chain), canonicalSuiAddress(address), asked);
    },
    async readFinalBalances({ chain: named, address, tokens: asked }) {
      const connection = await connections.connect(named);
      const finalHeight = () => selectFinalHeight(store, chain);
      return readFinalSuiBalances(connection, {
        address: canonicalSuiAddress(address),
        tokens: asked,
        finalHeight,
      });
    },
    watchStatus: async () => (connections.isUsable ? followerStatus(store, chain) : []),
    deposits: {
      newMemo: newSuiMemo,
      depositInstructions: (intent) => suiDepositInstructions(connections, intent),
      payerState: (input) => suiPayerState(connections, input),
      async readDeposits({ chain: named, txId, recipientAddress }) {
        const connection = await connections.connect(named);
        return readSuiDeposits(readDeps, connection, {
          txId,
          recipientAddress: canonicalSuiAddress(recipientAddress),
        });
      },
      proveDeposits: (input) => proveSuiDeposits({ ...readDeps, config, connections }, input),
    },
    funding: { fund: (input) => fundSuiWallet({ store, config: config.sui, connections }, input) },
  };
}

/** The watcher, and what mints test tokens where something does. */
export async function runSuiReads(
  deps: RunReadsDeps,
  entrances: FollowerEntrances,
): Promise<Running> {
  const { config, connections, store, log, workerName, followAlways, mints } = deps;
  const { watcher } = config.sui;
  const { name: chain } = connections.network;
  const running = [
    await runWatcher({
      store,
      log,
      chain,
      connect: connections.connect,
      ...watcher,
      tokens: createSuiTokens(connections),
      entrances,
      workerName,
      followAlways,
    }),
  ];
  if (mints) running.push(runMints({ store, log, chain, network: mints, pollMs: watcher.pollMs }));
  return { stop: async () => void (await Promise.all(running.map((one) => one.stop()))) };
}
