import { noteHere, remembered } from '../../../store/remembered.ts';
import {
  brokenSeal,
  type RowMacs,
  rowMacsOf,
  type SealedRow,
  type SealedTable,
} from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';

/**
 * SQL of the fund in `evm_paying_accounts`: what of an account's native money is the service's. It
 * is sealed, and each process remembers how far it is: who lowers it would be given gas again.
 */

export interface AccountName {
  readonly chain: string;
  /** Lower case. */
  readonly address: string;
}

interface FundRow {
  id: string;
  chain: string;
  address: string;
  fund_wei: string;
  version: number;
  mac: string | null;
}

const columns = 'id, chain, address, fund_wei, version, mac';

const toSealed = ({ id, chain, address, fund_wei: fundWei, version }: FundRow): SealedRow => ({
  table: 'evm_paying_accounts',
  id,
  fields: { chain, address, fundWei, version },
});

export const sealedFunds: SealedTable = {
  table: 'evm_paying_accounts',
  columns,
  // One that never had a fund has no seal.
  where: 'not (version = 0 and fund_wei = 0 and mac is null)',
  toSealed,
};

const rememberedMs = 30 * 24 * 3_600_000;
const keyOf = ({ chain, address }: AccountName) => `evm-fund:${chain} ${address}`;

function noteVersion(db: Db, name: AccountName, version: number): void {
  const now = new Date();
  const until = new Date(now.getTime() + rememberedMs);
  noteHere(db, { key: keyOf(name), now, until, value: BigInt(version) });
}

/** Why a row is not the last that the service wrote. One that never had a fund has no seal. */
function problemOf(db: Db, macs: RowMacs, row: FundRow): string | undefined {
  const isNew = row.version === 0 && row.mac === null && BigInt(row.fund_wei) === 0n;
  const problem = isNew ? undefined : macs.problemOf(toSealed(row), row.mac);
  if (problem !== undefined) return problem;
  const seen = remembered(db, { key: keyOf(row), now: new Date() });
  return BigInt(row.version) < seen
    ? `it was at version ${seen}, and is at ${row.version} again`
    : undefined;
}

/**
 * Of an account's native money what is the service's, in wei: topped up and not burned yet.
 * @throws internal-error, after an alarm, when somebody changed the row, deleted it or put it back
 */
export async function readFund(db: Db, name: AccountName): Promise<bigint> {
  const { chain, address } = name;
  const { rows } = await db.query<FundRow>({
    name: 'evm-accounts-fund',
    text: `select ${columns} from evm_paying_accounts where chain = $1 and address = $2`,
    values: [chain, address],
  });
  const row = rows[0] ?? { id: address, ...name, fund_wei: '0', version: 0, mac: null };
  const macs = rowMacsOf(db);
  const problem = problemOf(db, macs, row);
  if (problem !== undefined) throw macs.refuse(toSealed(row), problem);
  noteVersion(db, name, row.version);
  return BigInt(row.fund_wei);
}

/**
 * Adds what was given, or takes what was burned. On a row that somebody changed it goes on without
 * a seal, after an alarm: what stands in a block is booked, and nothing more is given.
 */
export async function addToFund(tx: Tx, name: AccountName, wei: bigint): Promise<void> {
  const { chain, address } = name;
  await tx.query({
    name: 'evm-accounts-fund-open',
    text: 'insert into evm_paying_accounts (chain, address) values ($1, $2) on conflict do nothing',
    values: [chain, address],
  });
  const { rows } = await tx.query<FundRow>({
    name: 'evm-accounts-fund-lock',
    text: `select ${columns} from evm_paying_accounts where chain = $1 and address = $2 for update`,
    values: [chain, address],
  });
  const row = rows[0]!;
  const macs = rowMacsOf(tx);
  const problem = problemOf(tx, macs, row);
  if (problem !== undefined) macs.refuse(toSealed(row), problem);
  const version = row.version + 1;
  const after = { ...row, version, fund_wei: (BigInt(row.fund_wei) + wei).toString() };
  const mac = problem === undefined ? macs.seal(toSealed(after)) : brokenSeal;
  await tx.query({
    name: 'evm-accounts-fund-set',
    text: 'update evm_paying_accounts set fund_wei = $3, version = $4, mac = $5 where chain = $1 and address = $2',
    values: [chain, address, after.fund_wei, version, mac],
  });
  tx.afterCommit(() => noteVersion(tx, name, version));
}
