import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { createTimedCache } from '../../../lib/waiting/timed-cache.ts';
import type { EvmConnection } from './connections.ts';
import type { RpcResult } from './rpc.ts';

/**
 * What a unit of gas costs on a chain now, in wei. For estimates: the relay decides on its own what
 * it pays.
 */
export interface GasPrice {
  readonly priceWei: bigint;
  readonly maxFeeWei: bigint;
  readonly tipWei: bigint;
  /** The chain has no EIP-1559: a price, and no base fee. */
  readonly legacy: boolean;
}

export interface GasPrices {
  read(connection: EvmConnection): Promise<GasPrice>;
}

const ageMaxMs = 2_000;
const chainsMax = 200;
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,32}$/)
  .transform((text) => BigInt(text));
const feeHistory = z.object({
  baseFeePerGas: z.array(quantity).min(1),
  reward: z.array(z.array(quantity)).nullish(),
});

/** Prices at most two seconds old, read along with whatever else is asked of the node. */
export function createGasPrices(clock: Clock): GasPrices {
  const connections = new Map<string, EvmConnection>();
  const cache = createTimedCache<string, GasPrice>({
    clock,
    ttlMs: ageMaxMs,
    sizeMax: chainsMax,
    load: (chain) => readGasPrice(connections.get(chain)!),
  });
  return {
    async read(connection) {
      connections.set(connection.network.name, connection);
      return cache.get(connection.network.name);
    },
  };
}

async function readGasPrice(connection: EvmConnection): Promise<GasPrice> {
  const [price, history] = await connection.ask([
    { method: 'eth_gasPrice', params: [] },
    { method: 'eth_feeHistory', params: ['0x1', 'latest', [50]] },
  ]);
  const priceWei = valueOf(quantity, price) ?? 0n;
  // Chains without EIP-1559 have no history.
  const read = valueOf(feeHistory, history);
  const baseFeeWei = read?.baseFeePerGas.at(-1);
  if (baseFeeWei === undefined)
    return { priceWei, maxFeeWei: priceWei, tipWei: priceWei, legacy: true };
  const tipWei = read?.reward?.[0]?.[0] ?? 0n;
  return {
    priceWei: priceWei === 0n ? baseFeeWei + tipWei : priceWei,
    maxFeeWei: 2n * baseFeeWei + tipWei,
    tipWei,
    legacy: false,
  };
}

function valueOf<S extends z.ZodType>(
  schema: S,
  result: RpcResult | undefined,
): z.output<S> | undefined {
  return result?.ok ? schema.safeParse(result.value).data : undefined;
}
