import { Account, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { type ContractCall, invokeArgs } from '../../../../contracts/stellar/index.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { simulate } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { Simulation } from '../rpc/schemas.ts';

/** Calls that are tried before anybody signs. */

/**
 * An account that nobody has the key of: what a contract wants of the source of a transaction,
 * nobody can give.
 */
export const nobody = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';

export function invokeOperation(
  call: ContractCall,
  auth: readonly xdr.SorobanAuthorizationEntry[] = [],
): xdr.Operation {
  const func = xdr.HostFunction.hostFunctionTypeInvokeContract(invokeArgs(call));
  return Operation.invokeHostFunction({ func, auth: [...auth] });
}

/** A transaction by nobody with one call: what is simulated. */
export function assembleProbe(
  { passphrase }: StellarNetwork,
  call: ContractCall,
  auth: readonly xdr.SorobanAuthorizationEntry[] = [],
): string {
  const builder = new TransactionBuilder(new Account(nobody, '0'), {
    fee: '100',
    networkPassphrase: passphrase,
  });
  return builder.addOperation(invokeOperation(call, auth)).setTimeout(0).build().toXdr();
}

/**
 * A call by nobody, with what it would have to be allowed by.
 * @throws upstream-error, provider-unavailable
 */
export async function record(
  connection: StellarConnection,
  call: ContractCall,
): Promise<Simulation> {
  return simulate(connection, assembleProbe(connection.network, call), 'record_allow_nonroot');
}

/**
 * What a call that changes nothing answers; undefined when it fails.
 * @throws upstream-error, provider-unavailable
 */
export async function ask(
  connection: StellarConnection,
  call: ContractCall,
): Promise<xdr.ScVal | undefined> {
  const { error, results } = await record(connection, call);
  return error == null ? results?.[0]?.xdr : undefined;
}
