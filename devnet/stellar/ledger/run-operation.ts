import {
  Account,
  Address,
  type Keypair,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { instanceKey, ledgerKey } from '../host/storage.ts';
import { simulate } from '../rpc/simulate.ts';
import { accountId, accountKey } from './accounts.ts';
import type { Chain } from './chain.ts';

/** Calls that the chain makes of itself, before anybody uses it. */

/**
 * A transaction of one operation, with what its simulation finds out.
 * @throws Error when it does not go through
 */
export function runOperation(chain: Chain, source: Keypair, operation: xdr.Operation): void {
  const found = simulationOf(chain, source, operation);
  const transaction = build(chain, source, found?.operation ?? operation, found?.data);
  transaction.sign(source);
  const envelope = chain.read(transaction.toXdr());
  const refusal = chain.submit(envelope);
  if (refusal) throw new Error(`The local Stellar chain does not let it in: ${refusal}`);
  const { status, notes } = chain.record(Buffer.from(envelope.hash).toString('hex'))!;
  if (status === 'FAILED')
    throw new Error(`The local Stellar chain does not run it: ${notes.join('; ')}`);
}

export function hasContract(chain: Chain, address: string): boolean {
  return chain.entries.has(ledgerKey(instanceKey(new Address(address).toScAddress())));
}

function build(
  chain: Chain,
  source: Keypair,
  operation: xdr.Operation,
  data?: xdr.SorobanTransactionData,
) {
  const entry = chain.entries.get(ledgerKey(accountKey(accountId(source.publicKey()))))?.entry.data;
  if (entry?.type !== 'account')
    throw new Error(`There is no account ${source.publicKey()} on the local Stellar chain.`);
  const builder = new TransactionBuilder(
    new Account(source.publicKey(), entry.account.seqNum.toString()),
    {
      fee: '100',
      networkPassphrase: chain.options.networkPassphrase,
    },
  );
  if (data) builder.setSorobanData(data);
  return builder.addOperation(operation).setTimeout(0).build();
}

/** What a call needs, and what its source has to allow. Undefined for other operations. */
function simulationOf(chain: Chain, source: Keypair, operation: xdr.Operation) {
  if (operation.body.type !== 'invokeHostFunction') return undefined;
  const simulated = simulate(
    chain,
    chain.read(build(chain, source, operation).toXdr()),
    'record',
  ) as {
    readonly error?: string;
    readonly transactionData?: string;
    readonly results?: readonly { readonly auth: readonly string[] }[];
  };
  if (simulated.transactionData === undefined)
    throw new Error(`The local Stellar chain does not run it: ${simulated.error}`);
  const auth = (simulated.results?.[0]?.auth ?? []).map((text) =>
    xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64'),
  );
  const { hostFunction: func } = operation.body.invokeHostFunctionOp;
  return {
    operation: Operation.invokeHostFunction({ func, auth }),
    data: xdr.SorobanTransactionData.fromXdr(simulated.transactionData, 'base64'),
  };
}
