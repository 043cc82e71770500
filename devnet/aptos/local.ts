import { type InProcessOptions, startInProcess } from '../in-process.ts';
import type { LocalNode } from '../local-chain.ts';
import { type Asset, findAsset } from './ledger/assets.ts';
import { Chain } from './ledger/chain.ts';
import { startRestServer } from './rest/server.ts';

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
export async function startAptosChain(options: InProcessOptions = {}): Promise<AptosChain> {
  const { chain, node } = await startInProcess(
    { label: 'Aptos', open: (kept) => new Chain(kept), listen: startRestServer },
    options,
  );
  return {
    ...node,
    time: async () => Number(chain.timestampUs / 1_000_000n),
    addAsset: (address, asset) => chain.addAsset(address, asset),
    hasAsset: (address) => findAsset(chain.state, address) !== undefined,
    give: (asset, owner, amountMinor) => chain.give(asset, owner, amountMinor),
  };
}
