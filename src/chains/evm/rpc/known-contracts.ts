import { ServiceError } from '../../../lib/errors.ts';
import { placeOf, type ReadCall } from '../operation/transaction-params.ts';
import { createBoundedSet } from './bounded-set.ts';
import { type EvmConnection, hasCode } from './connections.ts';

/**
 * Contracts known to stand on a chain. A call of a function where nothing stands would succeed and
 * do nothing.
 */
export interface KnownContracts {
  add(chainId: number, address: string): void;
  /** @throws transaction-invalid naming the call whose target has no code */
  requireAll(connection: EvmConnection, calls: readonly ReadCall[]): Promise<void>;
}

const contractsMax = 20_000;

export function createKnownContracts(): KnownContracts {
  const known = createBoundedSet(contractsMax);
  const keyOf = (chainId: number, address: string) => `${chainId}:${address.toLowerCase()}`;

  async function requireAll(connection: EvmConnection, calls: readonly ReadCall[]): Promise<void> {
    const { chainId, network } = connection;
    const unknown = [
      ...new Set(
        calls
          .filter((call) => call.abi && !known.has(keyOf(chainId, call.to)))
          .map((call) => call.to),
      ),
    ];
    if (unknown.length === 0) return;
    const codes = await connection.ask(
      unknown.map((address) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
    );
    for (const [index, address] of unknown.entries()) {
      if (hasCode(codes[index]!)) known.add(keyOf(chainId, address));
      else
        throw new ServiceError('transaction-invalid', {
          message: `${placeOf(
            calls,
            calls.findIndex((call) => call.abi && call.to === address),
          )}.address: no contract stands at this address on "${network.name}".`,
        });
    }
  }

  return { add: (chainId, address) => known.add(keyOf(chainId, address)), requireAll };
}
