import { xdr } from '@stellar/stellar-sdk/base';
import { addressCredentials } from '../../operation/stored.ts';
import type { LedgerEntry } from '../../rpc/calls.ts';
import type { StellarConnection } from '../../rpc/connections.ts';
import type { ListedTransaction } from '../../rpc/schemas.ts';
import { findInLedger } from './in-ledger.ts';

/**
 * What used the nonce of an entry. Whoever signs for a wallet can sign something else with the same
 * nonce, and anybody can send an entry that he saw: that a nonce is used says neither that the
 * operation ran, nor by which transaction.
 */
export type Use =
  | { readonly kind: 'own'; readonly transaction: ListedTransaction }
  /** Something else of the same wallet: the operation can never run. */
  | { readonly kind: 'other' };

/**
 * Where the chain notes that an entry was used: it does so where its transaction did what it
 * should.
 */
export function nonceKey(entry: xdr.SorobanAuthorizationEntry): xdr.LedgerKey {
  const { address: contract, nonce } = credentialsOf(entry)!;
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }));
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract,
      key,
      durability: xdr.ContractDataDurability.temporary,
    }),
  );
}

/**
 * @param entry the wallet's, as its signers allowed it
 * @param used what the chain has under its {@link nonceKey}; without it the nonce is not used
 * @throws Error where the node does not show by what it is: told as failed it might be made once
 * more
 */
export async function readUse(
  connection: StellarConnection,
  entry: xdr.SorobanAuthorizationEntry,
  used: LedgerEntry | undefined,
): Promise<Use | undefined> {
  if (!used) return undefined;
  const key = nonceKey(entry).toXdr('base64');
  // Its envelope alone does not tell who wrote it: it may name entries that it does not use.
  const isWriter = (one: ListedTransaction) =>
    one.status === 'SUCCESS' && writtenBy(one).includes(key);
  const transaction =
    used.modified === undefined
      ? undefined
      : await findInLedger(connection, used.modified, isWriter);
  const roots = transaction ? rootsOf(transaction, key) : [];
  const own = roots.filter((root) => root === entry.rootInvocation.toXdr('base64')).length;
  // Beside the entry that was used, others with its nonce may stand there for nothing.
  if (!transaction || roots.length === 0 || (own > 0 && own < roots.length))
    throw new Error('Its nonce is used: by which transaction, the node does not show.');
  return own > 0 ? { kind: 'own', transaction } : { kind: 'other' };
}

/** Keys of data of contracts. */
function writtenBy({ resultMetaXdr: meta }: ListedTransaction): string[] {
  const operations =
    meta.type === 'v4' ? meta.v4.operations : meta.type === 'v3' ? meta.v3.operations : [];
  return operations.flatMap(({ changes }) =>
    changes.flatMap((change) => {
      const made =
        change.type === 'ledgerEntryCreated'
          ? change.created
          : change.type === 'ledgerEntryUpdated'
            ? change.updated
            : undefined;
      if (made?.data.type !== 'contractData') return [];
      const { contract, key, durability } = made.data.contractData;
      return [
        xdr.LedgerKey.contractData(
          new xdr.LedgerKeyContractData({ contract, key, durability }),
        ).toXdr('base64'),
      ];
    }),
  );
}

/** What the entries with this nonce allow, each as XDR. */
function rootsOf({ envelopeXdr: envelope }: ListedTransaction, key: string): string[] {
  const inner = envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx.innerTx : envelope;
  const operations = inner.type === 'envelopeTypeTx' ? inner.v1.tx.operations : [];
  const entries = operations.flatMap(({ body }) =>
    body.type === 'invokeHostFunction' ? body.invokeHostFunctionOp.auth : [],
  );
  return entries
    .filter((entry) => credentialsOf(entry) && nonceKey(entry).toXdr('base64') === key)
    .map(({ rootInvocation }) => rootInvocation.toXdr('base64'));
}

/** Of every form of entry that has a nonce. */
function credentialsOf(
  entry: xdr.SorobanAuthorizationEntry,
): xdr.SorobanAddressCredentials | undefined {
  const { credentials } = entry;
  return credentials.type === 'sorobanCredentialsAddressWithDelegates'
    ? credentials.addressWithDelegates.addressCredentials
    : addressCredentials(entry);
}
