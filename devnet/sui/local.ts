import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevnetError } from '../errors.ts';
import type { LocalNode } from '../local-chain.ts';
import { Chain, type ChainOptions, type Currency } from './ledger/chain.ts';
import { type RpcServer, startRpcServer } from './rpc/server.ts';

export interface SuiChainOptions {
  /** Where the chain is kept between starts. Absent: in memory, for as long as it runs. */
  readonly folder?: string;
  /** Absent: any that is free. */
  readonly port?: number;
  /** How long an epoch lasts. Default a day, as on the network. */
  readonly epochMs?: number;
  /** How many checkpoints are remembered. Default 20,000. */
  readonly historyMax?: number;
}

/** A local Sui chain that runs, with what its network has no calls for. */
export interface SuiChain extends LocalNode {
  /** A coin out of nothing. Ids are given, so that a start may repeat it. */
  fund(id: string, owner: string, coin: { readonly type: string; readonly amount: bigint }): void;
  /** A type of coins, and a treasury cap for its minter. */
  addCurrency(currency: Currency): void;
  hasCurrency(type: string): boolean;
}

/**
 * Starts a local Sui chain in this process; with a folder it goes on where it was, `kill -9`
 * included.
 * @throws DevnetError
 */
export async function startSuiChain({
  folder,
  port = 0,
  epochMs = 24 * 60 * 60 * 1_000,
  historyMax = 20_000,
}: SuiChainOptions = {}): Promise<SuiChain> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = folder === undefined ? undefined : join(folder, 'journal.jsonl');
  const chain = openChain({ file, epochMs, historyMax });
  let server: RpcServer;
  try {
    server = await startRpcServer(chain, port);
  } catch (error) {
    chain.close();
    throw new DevnetError(
      `The local Sui chain cannot listen: ${error instanceof Error ? error.message : error}`,
    );
  }
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await server.close();
    chain.close();
    end();
  };
  return {
    url: `http://127.0.0.1:${server.port}`,
    ended,
    save: async () => chain.save(),
    time: async () => Math.floor(chain.now() / 1_000),
    advanceTime: async (seconds) => chain.advanceTime(seconds),
    stop: () => (stopping ??= stop()),
    fund: (id, owner, coin) => chain.fund(id, owner, coin),
    addCurrency: (currency) => chain.addCurrency(currency),
    hasCurrency: (type) => chain.currencies.has(type),
  };
}

function openChain(options: ChainOptions): Chain {
  try {
    return new Chain(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DevnetError(
      `The journal of the local Sui chain cannot be read (${why}): delete ${options.file} to begin a new chain.`,
    );
  }
}
