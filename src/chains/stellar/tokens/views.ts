import type { xdr } from '@stellar/stellar-sdk/base';
import { record } from '../operation/simulate.ts';
import type { StellarConnection } from '../rpc/connections.ts';

export interface View {
  readonly contract: string;
  readonly method: string;
  readonly args?: readonly xdr.ScVal[];
}

/**
 * What a contract answers, and as of which ledger; undefined: it refuses, or has no such method.
 */
export async function readView(
  connection: StellarConnection,
  { contract, method, args = [] }: View,
) {
  const { error, results, latestLedger } = await record(connection, { contract, method, args });
  const value = error == null ? results?.[0]?.xdr : undefined;
  return value && { value, latestLedger };
}
