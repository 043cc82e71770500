import { ServiceError } from '../../../lib/errors.ts';
import { afterFailover, noteHere, remembered } from '../../../store/remembered.ts';
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

/** A fund lives as long as its account, and is remembered for as long as the process runs. */
const rememberedUntil = new Date(8_640_000_000_000_000);
const keyOf = ({ chain, address }: AccountName) => `evm-fund:${chain} ${address}`;

/** The version that this process has seen; 0 where it has seen none. */
const seenVersion = (db: Db, name: AccountName): bigint =>
  remembered(db, { key: keyOf(name), now: new Date() });

function noteVersion(db: Db, name: AccountName, version: number): void {
  if (version === 0) return;
  const value = BigInt(version);
  noteHere(db, { key: keyOf(name), now: new Date(), until: rememberedUntil, value });
}

/** As its column takes it. */
const fundMax = 10n ** 78n - 1n;
function withinColumn(wei: bigint): bigint {
  if (wei > fundMax) return fundMax;
  return wei < -fundMax ? -fundMax : wei;
}

/** More than any account has changes. */
const versionMax = 1_000_000_000;
const isVersion = ({ version }: FundRow) => version >= 0 && version <= versionMax;

/**
 * Why a row is not the last that the service wrote. One that never had a fund has no seal.
 * @param seen before the row was read, or while it is locked
 */
function problemOf(macs: RowMacs, row: FundRow, seen: bigint): string | undefined {
  const isNew = row.version === 0 && row.mac === null && row.fund_wei === '0';
  const problem = isNew ? undefined : macs.problemOf(toSealed(row), row.mac);
  if (problem !== undefined) return problem;
  if (!isVersion(row)) return 'the service writes no such version';
  return BigInt(row.version) < seen
    ? `its version ${row.version} is behind ${seen}, which this process has seen: it was put back, or deleted; ${afterFailover}`
    : undefined;
}

/**
 * Of an account's native money what is the service's, in wei: topped up and not burned yet.
 * @throws internal-error, after an alarm, when somebody changed the row, deleted it or put it back
 */
export async function readFund(db: Db, name: AccountName): Promise<bigint> {
  const { chain, address } = name;
  // Before the row is read: what others write meanwhile is no earlier version.
  const seen = seenVersion(db, name);
  const { rows } = await db.query<FundRow>({
    name: 'evm-accounts-fund',
    text: `select ${columns} from evm_paying_accounts where chain = $1 and address = $2`,
    values: [chain, address],
  });
  const row = rows[0] ?? { id: address, ...name, fund_wei: '0', version: 0, mac: null };
  const macs = rowMacsOf(db);
  const problem = problemOf(macs, row, seen);
  if (problem !== undefined) throw macs.refuse(toSealed(row), problem);
  noteVersion(db, name, row.version);
  return BigInt(row.fund_wei);
}

/** Whether a fund is believed; after an alarm where it is not. */
export async function isFundSound(db: Db, name: AccountName): Promise<boolean> {
  try {
    await readFund(db, name);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/**
 * Adds what was given, or takes what was burned. On a row that somebody changed it goes on without
 * a seal, after an alarm: what stands in a block is booked, and nothing more is given.
 * @param doubt why the sum itself is not believed: the account is given no more
 */
export async function addToFund(
  tx: Tx,
  name: AccountName,
  wei: bigint,
  doubt?: string,
): Promise<void> {
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
  const seen = seenVersion(tx, name);
  const problem = problemOf(macs, row, seen) ?? doubt;
  if (problem !== undefined) macs.refuse(toSealed(row), problem);
  // Beyond what was seen: once an operator accepts the row, it counts here too.
  const version = Math.max(Number(seen), isVersion(row) ? row.version : 0) + 1;
  const fundWei = withinColumn(BigInt(row.fund_wei) + wei);
  const after = { ...row, version, fund_wei: fundWei.toString() };
  const mac = problem === undefined ? macs.seal(toSealed(after)) : brokenSeal;
  await tx.query({
    name: 'evm-accounts-fund-set',
    text: 'update evm_paying_accounts set fund_wei = $3, version = $4, mac = $5 where chain = $1 and address = $2',
    values: [chain, address, after.fund_wei, version, mac],
  });
  tx.afterCommit(() => noteVersion(tx, name, version));
}
