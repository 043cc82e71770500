import type { Db } from '../../../store/types.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { type Head, headSchema } from '../relay/rpc-schemas.ts';
import { isTooDear, marketFeesOf, readNodePrice } from '../relay/sending/fees.ts';
import { noteTip } from '../relay/spending/spending.ts';
import type { Fees } from '../relay/types.ts';
import type { RpcClient } from '../rpc/rpc.ts';

export interface Market {
  readonly head: Head;
  /** Within the network's bounds, whatever the node says. */
  readonly fees: Fees;
  /** The least that gets a transaction into one of the next blocks. */
  readonly leastWei: bigint;
  /** No fee that may be paid gets a transaction in. */
  readonly isTooDear: boolean;
}

export interface MarketDeps {
  readonly store: Db;
  readonly network: EvmNetwork;
  readonly rpc: RpcClient;
}

/** What a transaction costs now, as the relay of executors reads it. */
export async function readMarket({ store, network, rpc }: MarketDeps): Promise<Market> {
  const { bounds, name } = network;
  const head = headSchema.parse(await rpc.request('eth_getBlockByNumber', ['latest', false]));
  const price = await readNodePrice(rpc, head);
  const namedWei = price.tipWei < bounds.tipMaxWei ? price.tipWei : bounds.tipMaxWei;
  const usualWei = price.legacy ? undefined : await noteTip(store, name, namedWei);
  const fees = marketFeesOf(price, bounds, usualWei);
  // A base fee rises by an eighth from block to block, at most.
  const leastWei = price.baseWei + price.baseWei / 8n + fees.tipWei;
  return { head, fees, leastWei, isTooDear: isTooDear(price, bounds) };
}
