import type { Network } from '../../family.ts';
import type { NodeRpc } from './node.ts';

/** A cluster with a node behind it. */
export interface SolanaConnection {
  readonly network: Network;
  readonly rpc: NodeRpc;
}

/** @throws chain-not-supported, provider-unavailable, upstream-error */
export type Connect = (chain: string) => Promise<SolanaConnection>;
