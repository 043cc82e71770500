import { Account, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk/base';
import { simulate } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';

export interface View {
  readonly contract: string;
  readonly method: string;
  readonly args?: readonly xdr.ScVal[];
}

/** A simulation needs a source, which need not exist: the account of the zero key. */
export const nobody = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';

/** What a contract answers, and as of which ledger; undefined: it refuses, or has no such method. */
export async function readView(connection: StellarConnection, { contract, method, args = [] }: View) {
  const operation = Operation.invokeContractFunction({ contract, function: method, args: [...args] });
  const { passphrase: networkPassphrase } = connection.network;
  const transaction = new TransactionBuilder(new Account(nobody, '0'), { fee: '100', networkPassphrase })
    .addOperation(operation)
    .setTimeout(0)
    .build();
  const { error, results, latestLedger } = await simulate(connection, transaction.toXdr(), 'record');
  const value = error == null ? results?.[0]?.xdr : undefined;
  return value && { value, latestLedger };
}
