import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevnetError } from '../errors.ts';
import type { LocalNode } from '../local-chain.ts';
import { type Asset, findAsset } from './ledger/assets.ts';
import { Chain, type ChainOptions } from './ledger/chain.ts';
import { type RestServer, startRestServer } from './rest/server.ts';

export interface AptosChainOptions {
  /** Where the chain is kept between starts. Absent: in memory, for as long as it runs. */
  readonly folder?: string;
  /** Absent: any that is free. */
  readonly port?: number;
  /** How many transactions are remembered. Default 20,000. */
  readonly historyMax?: number;
}

/** A local chain in this process, and what only tests and the devnet may do with it. */
export interface AptosChain extends LocalNode {
  /** Puts a fungible asset there, past all rules. */
  addAsset(address: string, asset: Asset): void;
  hasAsset(address: string): boolean;
  /** Gives money, past all rules. */
  give(asset: string, owner: string, amountMinor: bigint): void;
}

/**
 * Starts a local Aptos chain in this process; with a folder it goes on where it was, `kill -9`
 * included.
 * @throws DevnetError
 */
export async function startAptosChain({
  folder,
  port = 0,
  historyMax = 20_000,
}: AptosChainOptions = {}): Promise<AptosChain> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const chain = openChain({
    file: folder === undefined ? undefined : join(folder, 'journal.jsonl'),
    historyMax,
  });
  let server: RestServer;
  try {
    server = await startRestServer(chain, port);
  } catch (error) {
    chain.close();
    throw new DevnetError(
      `The local Aptos chain cannot listen: ${error instanceof Error ? error.message : error}`,
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
    time: async () => Number(chain.timestampUs / 1_000_000n),
    advanceTime: async (seconds) => chain.advanceTime(seconds),
    addAsset: (address, asset) => chain.addAsset(address, asset),
    hasAsset: (address) => findAsset(chain.state, address) !== undefined,
    give: (asset, owner, amountMinor) => chain.give(asset, owner, amountMinor),
    stop: () => (stopping ??= stop()),
  };
}

function openChain(options: ChainOptions): Chain {
  try {
    return new Chain(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DevnetError(
      `The journal of the local Aptos chain cannot be read (${why}): delete ${options.file} to begin a new chain.`,
    );
  }
}
