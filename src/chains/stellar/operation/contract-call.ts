import { TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { type ContractCall, dataKey } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { readStellarAddress } from '../strkey.ts';
import { muxedAddress, readPlainTransfer, tokenArgs } from './calls.ts';
import type { Memo, TransactionParams } from './params.ts';
import { addressCredentials, callOf, entryAddress } from './stored.ts';

/** What callers ask for, as a call of a contract. */

export interface AskedCall {
  readonly call: ContractCall;
  /** Signed entries of others that came with it. */
  readonly others: readonly xdr.SorobanAuthorizationEntry[];
}

type CallParams = Extract<TransactionParams, { type: 'contract-call' }>;
type SerializedParams = Extract<TransactionParams, { type: 'serialized-transaction' }>;

/** @throws validation-error, transaction-invalid, upstream-error, provider-unavailable */
export async function readContractCall(
  connection: StellarConnection,
  params: CallParams,
  wallet: string,
): Promise<AskedCall> {
  const { contractId: contract, method, memo } = params;
  const code = await readCode(connection, contract);
  const args = await asValidation(async () =>
    code === 'asset' ? tokenArgs(method, params.args) : specArgs(code, params),
  );
  const call = { contract, method, args };
  const from = code === 'asset' ? readPlainTransfer(call)?.from : undefined;
  if (from !== undefined && from !== wallet)
    throw invalid(
      `params.transaction.args.from: is ${from}, and must be the wallet itself, ${wallet}`,
    );
  return { call: memo ? withMemo(call, memo) : call, others: [] };
}

/** The code of a contract; `asset` for the network's own of an asset. */
async function readCode(
  connection: StellarConnection,
  contract: string,
): Promise<Uint8Array | 'asset'> {
  const { entries } = await readEntries(connection, [
    dataKey(contract, xdr.ScVal.scvLedgerKeyContractInstance()),
  ]);
  const data = entries[0]?.data;
  const instance =
    data?.type === 'contractData' && data.contractData.val.type === 'scvContractInstance'
      ? data.contractData.val.instance
      : undefined;
  if (!instance)
    throw invalid(`params.transaction.contractId: there is no contract at ${contract}`);
  const { executable } = instance;
  if (executable.type === 'contractExecutableStellarAsset') return 'asset';
  if (executable.type !== 'contractExecutableWasm')
    throw invalid(`params.transaction.contractId: ${contract} is of a kind that is not known here`);
  const key = xdr.LedgerKey.contractCode(
    new xdr.LedgerKeyContractCode({ hash: executable.wasmHash }),
  );
  const found = (await readEntries(connection, [key])).entries[0]?.data;
  if (found?.type !== 'contractCode')
    throw invalid(`params.transaction.contractId: the code of ${contract} cannot be read`);
  return found.contractCode.code;
}

/** Arguments by the names and types that the contract publishes in its file. */
async function specArgs(code: Uint8Array, { method, args }: CallParams): Promise<xdr.ScVal[]> {
  const { Spec } = await import('@stellar/stellar-sdk/contract');
  let spec: InstanceType<typeof Spec>;
  try {
    spec = Spec.fromWasm(code);
  } catch {
    throw new TypeError(
      'contractId: the contract does not publish what its methods take; send a serialized-transaction',
    );
  }
  const known = spec.funcs().find(({ name }) => String(name) === method);
  if (!known) throw new TypeError(`method: the contract has no method ${method}`);
  const names = known.inputs.map(({ name }) => String(name));
  const odd =
    Object.keys(args).find((name) => !names.includes(name)) ??
    names.find((name) => args[name] === undefined);
  if (odd !== undefined)
    throw new TypeError(
      `args.${odd.slice(0, 40)}: ${method} takes ${names.join(', ') || 'nothing'}`,
    );
  try {
    return spec.funcArgsToScVals(method, args);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'are not what the method takes';
    throw new TypeError(`args: ${why.replace(/[^\x20-\x7e]/g, ' ').slice(0, 200)}`, {
      cause: error,
    });
  }
}

async function asValidation<T>(run: () => Promise<T>): Promise<T> {
  return run().catch((error: unknown) => {
    if (error instanceof TypeError)
      throw new ServiceError('validation-error', {
        message: `params.transaction.${error.message}.`,
      });
    throw error;
  });
}

/**
 * The network refuses memos beside a call that others than its source allow (protocol 25): a number
 * may stand in the recipient.
 */
function withMemo(call: ContractCall, memo: Memo): ContractCall {
  const transfer = readPlainTransfer(call);
  const isAccount = transfer !== undefined && readStellarAddress(transfer.to)?.kind === 'G';
  if (memo.type !== 'id' || !isAccount || BigInt(memo.value) >= 2n ** 64n)
    throw invalid(
      'params.transaction.memo: the network takes no memo beside a call of a contract. Of a transfer to an account (G…) it may be of type "id", which is put into the recipient as its number',
    );
  const [from, , amount] = call.args;
  return { ...call, args: [from!, muxedAddress(transfer.to, BigInt(memo.value)), amount!] };
}

/** @throws validation-error, transaction-invalid */
export function readSerialized(
  { network }: StellarConnection,
  { serializedTransaction, contractId }: SerializedParams,
  wallet: string,
): AskedCall {
  const operation = onlyOperation(serializedTransaction, network.passphrase);
  if (operation.body.type !== 'invokeHostFunction') throw invalid(noCall);
  const { hostFunction, auth } = operation.body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') throw invalid(noCall);
  const called = xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
    hostFunction.invokeContract,
  );
  const call = callOf(
    new xdr.SorobanAuthorizedInvocation({ function: called, subInvocations: [] }),
  );
  if (contractId === undefined)
    throw new ServiceError('validation-error', {
      message: `params.transaction.contractId: is required, the transaction calls ${call.contract}.`,
    });
  if (call.contract !== contractId)
    throw new ServiceError('validation-error', {
      message: `params.transaction.contractId: the transaction calls ${call.contract}, not ${contractId}.`,
    });
  // The wallet's own is made anew; what the source of the transaction would allow, the service does
  // not.
  return {
    call,
    others: auth.filter(
      (entry) => ![undefined, wallet].includes(entryAddress(entry)) && isSigned(entry),
    ),
  };
}

const noCall =
  'params.transaction.serializedTransaction: its operation calls no contract. Classic operations are made by accounts: use a wallet of type "mpc"';

function onlyOperation(text: string, passphrase: string): xdr.Operation {
  let operations: readonly xdr.Operation[];
  let memo: string;
  try {
    TransactionBuilder.fromXdr(text, passphrase);
    const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
    if (envelope.type !== 'envelopeTypeTx') throw new TypeError('another envelope');
    operations = envelope.v1.tx.operations;
    memo = envelope.v1.tx.memo.type;
  } catch {
    throw new ServiceError('validation-error', {
      message:
        'params.transaction.serializedTransaction: must be a transaction of version 1, XDR in base64.',
    });
  }
  const [operation, ...more] = operations;
  if (!operation || more.length > 0)
    throw invalid('params.transaction.serializedTransaction: must have exactly one operation');
  if (memo !== 'memoNone')
    throw invalid(
      'params.transaction.serializedTransaction: has a memo, which the network takes beside no call of a contract',
    );
  return operation;
}

function isSigned(entry: xdr.SorobanAuthorizationEntry): boolean {
  const credentials = addressCredentials(entry);
  return credentials !== undefined && credentials.signature.type !== 'scvVoid';
}

export function invalid(message: string): ServiceError {
  return new ServiceError('transaction-invalid', { message: `${message}.` });
}
