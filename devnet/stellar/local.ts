import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Keypair, Networks, type xdr } from '@stellar/stellar-sdk/base';
import { DevnetError } from '../errors.ts';
import type { LocalNode } from '../local-chain.ts';
import { accountId } from './ledger/accounts.ts';
import { Chain, type ChainOptions } from './ledger/chain.ts';
import { hasContract, runOperation } from './ledger/run-operation.ts';
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

/** A local chain in this process, and what only tests and the devnet may do with it. */
export interface StellarChain extends LocalNode {
  /**
   * Puts an account there with so much, past all rules; one that exists is left alone. In stroops.
   */
  fund(address: string, stroops: bigint): void;
  /**
   * A transaction of one operation, with what its simulation finds out.
   * @throws Error when it does not go through
   */
  run(source: Keypair, operation: xdr.Operation): void;
  hasContract(address: string): boolean;
}

/**
 * Starts a local Stellar chain in this process; with a folder it goes on where it was, `kill -9`
 * included.
 * @throws DevnetError
 */
export async function startStellarChain({
  folder,
  port = 0,
  ledgerMs = 5_000,
  historyMax = 20_000,
}: StellarChainOptions = {}): Promise<StellarChain> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = folder === undefined ? undefined : join(folder, 'journal.jsonl');
  const chain = openChain({ networkPassphrase: Networks.STANDALONE, file, ledgerMs, historyMax });
  let server: RpcServer;
  try {
    server = await startRpcServer(chain, port);
  } catch (error) {
    chain.close();
    throw new DevnetError(
      `The local Stellar chain cannot listen: ${error instanceof Error ? error.message : error}`,
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
    time: async () => chain.closeTime,
    advanceTime: async (seconds) => chain.advanceTime(seconds),
    fund: (address, stroops) => void chain.fund(accountId(address), stroops),
    run: (source, operation) => runOperation(chain, source, operation),
    hasContract: (address) => hasContract(chain, address),
    stop: () => (stopping ??= stop()),
  };
}

function openChain(options: ChainOptions): Chain {
  try {
    return new Chain(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DevnetError(
      `The journal of the local Stellar chain cannot be read (${why}): delete ${options.file} to begin a new chain.`,
    );
  }
}
