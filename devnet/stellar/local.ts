import { type Keypair, Networks, type xdr } from '@stellar/stellar-sdk/base';
import { type InProcessOptions, startInProcess } from '../in-process.ts';
import type { LocalNode } from '../local-chain.ts';
import { accountId } from './ledger/accounts.ts';
import { Chain } from './ledger/chain.ts';
import { hasContract, runOperation } from './ledger/run-operation.ts';
import { startRpcServer } from './rpc/server.ts';

export interface StellarChainOptions extends InProcessOptions {
  /** How long a ledger lasts. Default 5 s, as on the network. */
  readonly ledgerMs?: number;
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
  ledgerMs = 5_000,
  ...options
}: StellarChainOptions = {}): Promise<StellarChain> {
  const networkPassphrase = Networks.STANDALONE;
  const { chain, node } = await startInProcess(
    {
      label: 'Stellar',
      open: (kept) => new Chain({ ...kept, networkPassphrase, ledgerMs }),
      listen: startRpcServer,
    },
    options,
  );
  return {
    ...node,
    time: async () => chain.closeTime,
    fund: (address, stroops) => void chain.fund(accountId(address), stroops),
    run: (source, operation) => runOperation(chain, source, operation),
    hasContract: (address) => hasContract(chain, address),
  };
}
