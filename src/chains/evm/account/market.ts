import type { Db } from '../../../store/types.ts';
import { keccakOfText } from '../abi/keccak.ts';
import { bytesTail, hexOf, wordOf } from '../abi/words.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { type Head, headSchema } from '../relay/rpc-schemas.ts';
import { isTooDear, marketFeesOf, readNodePrice } from '../relay/sending/fees.ts';
import { noteTip } from '../relay/spending/spending.ts';
import type { Fees } from '../relay/types.ts';
import { type RpcClient, RpcError } from '../rpc/rpc.ts';

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

/** Where chains of the OP stack tell what the data of a transaction costs. */
const gasPriceOracle = '0x420000000000000000000000000000000000000f';
const dataFeeSelector = keccakOfText('getL1Fee(bytes)').slice(0, 8);

/**
 * What a chain takes for the data of a transaction beside gas, in wei, with a quarter for a price
 * that rises; 0 where nothing is told.
 */
export async function readDataFee(rpc: RpcClient, unsigned: Uint8Array): Promise<bigint> {
  const data = `0x${dataFeeSelector}${wordOf(0x20)}${bytesTail(hexOf(unsigned))}`;
  try {
    const answer = await rpc.request('eth_call', [{ to: gasPriceOracle, data }, 'latest']);
    return typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer)
      ? (BigInt(answer) * 5n) / 4n
      : 0n;
  } catch (error) {
    if (error instanceof RpcError) return 0n;
    throw error;
  }
}
