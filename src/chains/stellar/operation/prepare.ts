import { migrate, upgrade } from '../../../../contracts/stellar/index.ts';
import type { PreparedOperation, PrepareOperationInput } from '../../family.ts';
import { paymentOf } from '../classic/memo-payment.ts';
import {
  type ClassicDeps,
  type ClassicInput,
  prepareClassic,
  readOperations,
  readTransaction,
} from '../classic/prepare.ts';
import { stellarChain } from '../config/networks.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { StellarTokens } from '../tokens/tokens.ts';
import { type BuildDeps, buildOperation } from './build.ts';
import { type AskedCall, invalid, readContractCall, readSerialized } from './contract-call.ts';
import { readTransactionParams, type TransactionParams } from './params.ts';

export interface PrepareDeps extends BuildDeps, ClassicDeps {
  /** SHA-256 of the code that `upgrade-wallet` puts in place, in hexadecimal. */
  readonly walletCodeHash?: string | undefined;
  readonly describeTokens: StellarTokens['describe'];
}

/** As {@link ChainFamily.prepareOperation}. */
export async function prepareStellarOperation(
  deps: PrepareDeps,
  input: PrepareOperationInput,
): Promise<PreparedOperation> {
  const { wallet, params, signer, delegate, now, transfer } = input;
  const transaction = readTransactionParams(wallet.type, params);
  const connection = await deps.connect(stellarChain);
  const classic =
    wallet.type === 'mpc'
      ? await readClassicOperations(deps, connection, { transaction, wallet: wallet.address })
      : undefined;
  if (classic) return prepareClassic(deps, connection, { wallet, params, now, ...classic });
  const { call, others } = await readAsked(deps, connection, {
    transaction,
    wallet: wallet.address,
  });
  if (
    transaction.type !== 'upgrade-wallet' &&
    transaction.type !== 'migrate-wallet' &&
    call.contract === wallet.address
  )
    throw invalid(
      'params.transaction calls the wallet itself: register and remove signers with the signers routes',
    );
  return buildOperation(deps, connection, {
    wallet,
    signer,
    delegate,
    now,
    transfer,
    params,
    others,
    callOf: () => call,
  });
}

/** Undefined: it is a call of a contract. */
async function readClassicOperations(
  { describeTokens }: PrepareDeps,
  connection: StellarConnection,
  { transaction, wallet }: { readonly transaction: TransactionParams; readonly wallet: string },
): Promise<Pick<ClassicInput, 'operations' | 'memo'> | undefined> {
  if (transaction.type === 'serialized-transaction') {
    const written = readTransaction(transaction.serializedTransaction, connection.network);
    const isCall =
      written.operations.length === 1 && written.operations[0]!.type === 'invokeHostFunction';
    return isCall ? undefined : readOperations(written, wallet);
  }
  return transaction.type === 'contract-call' && transaction.memo
    ? paymentOf(connection, transaction, { wallet, describeTokens })
    : undefined;
}

async function readAsked(
  { walletCodeHash }: PrepareDeps,
  connection: StellarConnection,
  { transaction, wallet }: { readonly transaction: TransactionParams; readonly wallet: string },
): Promise<AskedCall> {
  switch (transaction.type) {
    case 'contract-call':
      return readContractCall(connection, transaction, wallet);
    case 'serialized-transaction':
      return readSerialized(connection, transaction, wallet);
    case 'migrate-wallet':
      return { call: migrate(wallet), others: [] };
    case 'upgrade-wallet':
      if (walletCodeHash === undefined)
        throw invalid(
          'This instance has no newer code for wallets on stellar: its operator sets STELLAR_WALLET_CODE_HASH',
        );
      return {
        call: upgrade(wallet, new Uint8Array(Buffer.from(walletCodeHash, 'hex'))),
        others: [],
      };
  }
}
