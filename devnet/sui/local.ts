import { type InProcessOptions, startInProcess } from '../in-process.ts';
import type { LocalNode } from '../local-chain.ts';
import { Chain, type Currency } from './ledger/chain.ts';
import { startRpcServer } from './rpc/server.ts';

export interface SuiChainOptions extends InProcessOptions {
  /** How long an epoch lasts. Default a day, as on the network. */
  readonly epochMs?: number;
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
  epochMs = 24 * 60 * 60 * 1_000,
  ...options
}: SuiChainOptions = {}): Promise<SuiChain> {
  const { chain, node } = await startInProcess(
    { label: 'Sui', open: (kept) => new Chain({ ...kept, epochMs }), listen: startRpcServer },
    options,
  );
  return {
    ...node,
    time: async () => Math.floor(chain.now() / 1_000),
    fund: (id, owner, coin) => chain.fund(id, owner, coin),
    addCurrency: (currency) => chain.addCurrency(currency),
    hasCurrency: (type) => chain.currencies.has(type),
  };
}
