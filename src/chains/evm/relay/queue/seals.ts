import { createHash } from 'node:crypto';
import {
  isFitting,
  rowMacsOf,
  type SealedRow,
  type SealedTable,
} from '../../../../store/row-mac.ts';
import type { Db } from '../../../../store/types.ts';

/**
 * Seals of `evm_operations`: what is sent, for whom, and whose budget it takes. How far it is may
 * change without one.
 */

export interface SealedOperationRow {
  readonly operation_id: string;
  readonly project_id: string;
  readonly chain: string;
  readonly owner: string;
  readonly subject: string;
  readonly operation_hash: string;
  readonly wallet: string;
  readonly valid_until: Date;
  readonly gas_limit: string;
  readonly batch_gas: string;
  readonly item: Buffer;
  readonly delegation_nonce: string | null;
  readonly delegation_signature: Buffer | null;
  readonly mac: string | null;
}

export const sealedOperationColumns =
  'operation_id, project_id, chain, owner, subject, operation_hash, wallet, valid_until, gas_limit, batch_gas, item, delegation_nonce, delegation_signature, mac';

export function toSealedOperation(row: Omit<SealedOperationRow, 'mac'>): SealedRow {
  return {
    table: 'evm_operations',
    id: row.operation_id,
    fields: {
      projectId: row.project_id,
      chain: row.chain,
      owner: row.owner,
      subject: row.subject,
      operationHash: row.operation_hash,
      wallet: row.wallet,
      validUntil: row.valid_until,
      gasLimit: row.gas_limit,
      batchGas: row.batch_gas,
      item: createHash('sha256').update(row.item).digest(),
      delegationNonce: row.delegation_nonce,
      delegationSignature: row.delegation_signature,
    },
  };
}

export const sealedOperations: SealedTable = {
  table: 'evm_operations',
  idColumn: 'operation_id',
  columns: sealedOperationColumns,
  toSealed: toSealedOperation,
  resume: 'run_at = case when withheld then run_at else now() end',
};

/**
 * Those that are as they were handed over. The others raise an alarm each, and nothing is done with
 * them.
 */
export function splitBySeal<Row extends SealedOperationRow>(
  db: Db,
  rows: readonly Row[],
): { readonly fit: Row[]; readonly changed: Row[] } {
  const macs = rowMacsOf(db);
  const changed = new Set(rows.filter((row) => !isFitting(macs, toSealedOperation(row), row.mac)));
  return { fit: rows.filter((row) => !changed.has(row)), changed: [...changed] };
}

/**
 * Those of the ids that operations of modules have. Whoever has the keys that seal, as the API's
 * host, could put one of them into another queue of these chains, and have it end there.
 */
export async function selectRelayed(
  db: Db,
  operationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (operationIds.length === 0) return new Set();
  const { rows } = await db.query<SealedOperationRow>({
    name: 'evm-relay-relayed',
    text: `select ${sealedOperationColumns} from evm_operations where operation_id = any($1::uuid[])`,
    values: [operationIds],
  });
  return new Set(splitBySeal(db, rows).fit.map((row) => row.operation_id));
}
