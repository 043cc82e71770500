import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Networks } from '@stellar/stellar-sdk/base';
import { DevnetError } from '../errors.ts';
import { catchUp, type LocalChain, type LocalNode } from '../local-chain.ts';
import { Chain, type ChainOptions } from './ledger/chain.ts';
import { type RpcServer, startRpcServer } from './rpc/server.ts';

export interface StellarChainOptions {
  /** Where the chain is kept between starts. Absent: in memory, for as long as it runs. */
  readonly folder?: string;
  /** Absent: any that is free. */
  readonly port?: number;
  /** How long a ledger lasts. Default 5 s, as on the network. */
  readonly ledgerMs?: number;
  /** How many transactions are remembered. Default 20,000. */
  readonly historyMax?: number;
}

/** Starts a local Stellar chain in this process; with a folder it goes on where it was, `kill -9` included. @throws DevnetError */
export async function startStellarChain({
  folder,
  port = 0,
  ledgerMs = 5_000,
  historyMax = 20_000,
}: StellarChainOptions = {}): Promise<LocalNode> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = folder === undefined ? undefined : join(folder, 'journal.jsonl');
  const chain = openChain({ networkPassphrase: Networks.STANDALONE, file, ledgerMs, historyMax });
  let server: RpcServer;
  try {
    server = await startRpcServer(chain, port);
  } catch (error) {
    chain.close();
    throw new DevnetError(`The local Stellar chain cannot listen: ${error instanceof Error ? error.message : error}`);
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
    time: async () => chain.closeTime,
    advanceTime: async (seconds) => chain.advanceTime(seconds),
    stop: () => (stopping ??= stop()),
  };
}

function openChain(options: ChainOptions): Chain {
  try {
    return new Chain(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DevnetError(`The journal of the local Stellar chain cannot be read (${why}): delete ${options.file} to begin a new chain.`);
  }
}

/** As a part of the devnet; no start has it by default yet. */
export function stellarLocalChain({ chainsDir, now }: { readonly chainsDir: string; readonly now: () => Date }): LocalChain {
  const folder = join(chainsDir, 'stellar');
  return {
    name: 'stellar',
    async start() {
      const node = await startStellarChain({ folder });
      await catchUp(node, now());
      return node;
    },
    async reset() {
      rmSync(folder, { recursive: true, force: true });
    },
    // It ends with the process that started it.
    hasOrphan: () => false,
  };
}
