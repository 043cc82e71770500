import { randomUUID } from 'node:crypto';
import { countHere, noteHere, remembered, uncountHere } from '../../../store/remembered.ts';
import {
  isFitting,
  type RowMacs,
  rowMacsOf,
  type SealedRow,
  type SealedTable,
} from '../../../store/row-mac.ts';
import type { Db, Store, Tx } from '../../../store/types.ts';
import { readBudgets, type SpendingBounds } from '../../family/spending/budgets.ts';
import type { Hex } from '../abi/words.ts';
import { relayChannel, wakeAfterCommit } from '../relay/queue/queue.ts';
import { isPaymentUnderWay, type Payment } from '../relay/sending/payments.ts';
import { type AccountName, addToFund, readFund } from './fund.ts';

/** SQL of `evm_account_top_ups`: what executors give accounts that send by themselves, for gas. */

export interface AccountTopUp {
  readonly operationId: string;
  readonly projectId: string;
  readonly owner: string;
  readonly chain: string;
  readonly address: string;
  readonly valueWei: bigint;
}

export interface DueTopUp extends AccountTopUp {
  readonly id: string;
  readonly address: Hex;
}

interface SealedTopUpRow {
  id: string;
  operation_id: string;
  project_id: string;
  owner: string;
  chain: string;
  address: Hex;
  value_wei: string;
  /** {@link Payment.by} of what ended it, and whether that failed, as {@link endOf} writes it. */
  ended_by: string | null;
  mac: string | null;
}

const columns = 'id, operation_id, project_id, owner, chain, address, value_wei, ended_by, mac';

function toSealed(row: Omit<SealedTopUpRow, 'mac'>): SealedRow {
  return {
    table: 'evm_account_top_ups',
    id: row.id,
    fields: {
      operationId: row.operation_id,
      projectId: row.project_id,
      owner: row.owner,
      chain: row.chain,
      address: row.address,
      valueWei: row.value_wei,
      // Absent in the seals of rows that are older than the column.
      ...(row.ended_by !== null && { endedBy: row.ended_by }),
    },
  };
}

const topUpOf = (row: SealedTopUpRow): DueTopUp => ({
  id: row.id,
  operationId: row.operation_id,
  projectId: row.project_id,
  owner: row.owner,
  chain: row.chain,
  address: row.address,
  valueWei: BigInt(row.value_wei),
});

export const sealedTopUps: SealedTable = {
  table: 'evm_account_top_ups',
  idColumn: 'id',
  columns,
  toSealed,
  resume: `status = case when status = 'failed' and send_id is null then 'queued' else status end`,
};

export interface TopUpBounds {
  /** What its project, and its owner, may spend in a day (UTC): their accounts get no more. */
  readonly budgets: SpendingBounds;
  /** Of one operation. */
  readonly operationMaxWei: bigint;
  /** Of all accounts on the chain in 24 hours. */
  readonly dayMaxWei: bigint;
}

/** What a transaction of the account takes, in wei, and whose budgets bear it. */
export type Need = Omit<AccountTopUp, 'valueWei'> & { readonly neededWei: bigint };

/**
 * Asks for a top-up of exactly what is missing. `open`: the account is being given something
 * already, or has it meanwhile; `operation-max`, `day-max`: it would be over that bound, `over`: a
 * budget is used up, in a sentence; and nobody is asked.
 */
export async function requestTopUp(
  store: Store,
  topUp: Need,
  { budgets, operationMaxWei, dayMaxWei }: TopUpBounds,
): Promise<'asked' | 'open' | 'operation-max' | 'day-max' | { readonly over: string }> {
  return store.transaction(async (tx) => {
    await tx.query({
      name: 'evm-accounts-top-ups-lock',
      text: `select pg_advisory_xact_lock(hashtextextended('evm account top-ups ' || $1, 0))`,
      values: [topUp.chain],
    });
    const { rows } = await tx.query<{ open: string; own: string; day: string }>({
      name: 'evm-accounts-top-ups-given',
      text: `
        select count(*) filter (where address = $2 and status in ('queued', 'sent')) as open,
          coalesce(sum(value_wei) filter (where operation_id = $3 and status <> 'failed'), 0) as own,
          coalesce(sum(value_wei) filter (where created_at > now() - interval '24 hours' and status <> 'failed'), 0) as day
        from evm_account_top_ups
        where chain = $1 and (created_at > now() - interval '24 hours' or operation_id = $3 or (address = $2 and status in ('queued', 'sent')))`,
      values: [topUp.chain, topUp.address, topUp.operationId],
    });
    const { open, own, day } = rows[0]!;
    if (open !== '0' || (await isPaymentUnderWay(tx, topUp))) return 'open';
    // Behind the look at what is under way: what that has brought is in the fund.
    const missingWei = topUp.neededWei - (await readFund(tx, topUp));
    if (missingWei <= 0n) return 'open';
    const over = await findOver(tx, topUp, budgets);
    if (over !== undefined) return { over };
    const ownWei = atLeast(BigInt(own), givenHere(tx, keyOfOperation(topUp)));
    if (ownWei + missingWei > operationMaxWei) return 'operation-max';
    if (BigInt(day) + missingWei > dayMaxWei) return 'day-max';
    const row = {
      id: randomUUID(),
      operation_id: topUp.operationId,
      project_id: topUp.projectId,
      owner: topUp.owner,
      chain: topUp.chain,
      address: topUp.address as Hex,
      value_wei: missingWei.toString(),
      ended_by: null,
    };
    await tx.query({
      name: 'evm-accounts-top-up',
      text: `
        with added as (
          insert into evm_account_top_ups (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning chain)
        select pg_notify('${relayChannel}', 'call ' || chain) from added`,
      values: [...Object.values(row), rowMacsOf(tx).seal(toSealed(row))],
    });
    wakeAfterCommit(tx, 'call', [topUp.chain]);
    return 'asked';
  });
}

/**
 * What is given counts on the budgets at once, though it is charged as it burns: an owner of many
 * accounts would have gas lie in each. The last one may go beyond a budget, by no more than the
 * bound of an operation.
 */
async function findOver(
  tx: Tx,
  { chain, projectId, owner }: Need,
  bounds: SpendingBounds,
): Promise<string | undefined> {
  const pairs = [{ projectId, owner }];
  const [budget] = await readBudgets(tx, { kind: 'gas', chain, pairs, bounds, open: [] });
  const { rows } = await tx.query<{ project: string; owner: string }>({
    name: 'evm-accounts-top-ups-of-budgets',
    text: `
      select coalesce(sum(value_wei), 0) as project, coalesce(sum(value_wei) filter (where owner = $3), 0) as owner
      from evm_account_top_ups
      where chain = $1 and project_id = $2 and status <> 'failed' and created_at > now() - interval '1 day'
        and (created_at at time zone 'utc')::date = (now() at time zone 'utc')::date`,
    values: [chain, projectId, owner],
  });
  const [ofProject, ofOwner] = keysOfBudgets({ chain, projectId, owner });
  const given = {
    project: atLeast(BigInt(rows[0]!.project), givenHere(tx, ofProject)),
    owner: atLeast(BigInt(rows[0]!.owner), givenHere(tx, ofOwner)),
  };
  const over = [
    { whose: 'project', gotWei: given.project, maxWei: budget!.project.max },
    { whose: 'owner of the wallet', gotWei: given.owner, maxWei: budget!.ownOwner.max },
  ].find(({ gotWei, maxWei }) => gotWei >= maxWei);
  return (
    over &&
    `The gas budget of the ${over.whose} on ${chain} is used up for today: its accounts got ${over.gotWei} of ${over.maxWei} wei. Create it again after 00:00 UTC, or ask the operator of the service for more (purser gas).`
  );
}

const atLeast = (stored: bigint, seen: bigint) => (stored > seen ? stored : seen);

/** No day, and no operation, is asked for after this long. */
const rememberedMs = 30 * 3_600_000;
const dayMs = 24 * 3_600_000;

type Whose = Pick<AccountTopUp, 'chain' | 'projectId' | 'owner'>;

/** Days (UTC) since 1970. */
const today = () => BigInt(Math.floor(Date.now() / dayMs));

function keysOfBudgets(
  { chain, projectId, owner }: Whose,
  day = today(),
): readonly [string, string] {
  const ofProject = `evm-given:${day} ${chain} ${projectId}`;
  return [ofProject, `${ofProject} ${owner}`];
}

const keyOfOperation = ({ operationId }: Pick<AccountTopUp, 'operationId'>) =>
  `evm-given:${operationId}`;

/** Under it stands the day on which a top-up was given. */
const keyOfDay = ({ id }: Pick<DueTopUp, 'id'>) => `evm-given-on:${id}`;

const givenHere = (db: Db, key: string) => remembered(db, { key, now: new Date() });

const keysOf = (topUp: AccountTopUp, day: bigint) => [
  ...keysOfBudgets(topUp, day),
  keyOfOperation(topUp),
];

/**
 * Remembers in this process that it has given: who deletes or lowers rows of top-ups has no more
 * given for it.
 */
export function noteGiven(db: Db, topUp: DueTopUp): void {
  const now = new Date();
  const until = new Date(now.getTime() + rememberedMs);
  const day = today();
  for (const key of keysOf(topUp, day)) countHere(db, { key, now, until, by: topUp.valueWei });
  noteHere(db, { key: keyOfDay(topUp), now, until, value: day });
}

/** Takes it back, on the day on which it was counted; nothing where another process has given. */
function uncountGiven(db: Db, topUp: DueTopUp): void {
  const day = givenHere(db, keyOfDay(topUp));
  if (day === 0n) return;
  for (const key of keysOf(topUp, day)) uncountHere(db, { key, by: topUp.valueWei });
  uncountHere(db, { key: keyOfDay(topUp), by: day });
}

/** Whether this process has given it, and does not know that it was in vain. */
export const wasGivenHere = (db: Db, topUp: DueTopUp): boolean =>
  givenHere(db, keyOfDay(topUp)) !== 0n;

/**
 * What is to be given, oldest first. One that somebody changed raises an alarm, and is over, as is
 * one that was set back after it had ended.
 */
export async function readDueTopUps(
  db: Db,
  { chain, countMax }: { readonly chain: string; readonly countMax: number },
): Promise<DueTopUp[]> {
  const { rows } = await db.query<SealedTopUpRow>({
    name: 'evm-accounts-due-top-ups',
    text: `select ${columns} from evm_account_top_ups where chain = $1 and status = 'queued' order by created_at limit $2`,
    values: [chain, countMax],
  });
  const macs = rowMacsOf(db);
  const due: DueTopUp[] = [];
  for (const row of rows)
    if (row.ended_by === null && fits(macs, row)) due.push(topUpOf(row));
    else await failTopUp(db, row.id);
  return due;
}

/** Ends one that is not sent. */
export async function failTopUp(db: Db, id: string): Promise<void> {
  await db.query({
    name: 'evm-accounts-fail-top-up',
    text: `update evm_account_top_ups set status = 'failed' where id = $1 and status = 'queued'`,
    values: [id],
  });
}

/** Who pays for the transaction that gave it. */
export type EndedTopUp = Pick<AccountTopUp, 'projectId' | 'owner'>;

/**
 * Records that what an executor gave stands in a block: it is the account's fund from here on. To
 * whom, and how much, say the signed bytes. The account of one whose row says otherwise, or is gone,
 * is given no more, after an alarm, until an operator has looked at it.
 * @returns undefined when an end of it was told before, or it was changed
 */
export async function endTopUp(
  tx: Tx,
  input: {
    readonly sendId: string;
    readonly chain: string;
    readonly payment: Payment;
    readonly succeeded: boolean;
  },
): Promise<EndedTopUp | undefined> {
  const { sendId, chain, payment, succeeded } = input;
  const account = { chain, address: payment.to };
  const { rows } = await tx.query<SealedTopUpRow & { status: string }>({
    name: 'evm-accounts-lock-sent-top-ups',
    text: `select ${columns}, status from evm_account_top_ups where send_id = $1 limit 10 for update`,
    values: [sendId],
  });
  const macs = rowMacsOf(tx);
  const row = rows.find((one) => isOf(one, account, payment) && fits(macs, one));
  const end = endOf(payment, succeeded);
  if (row && (row.ended_by === end || isSameFailure(row, payment, succeeded))) return undefined;
  const ended = row && { ...row, ended_by: end };
  await tx.query({
    name: 'evm-accounts-end-top-up',
    text: `
      update evm_account_top_ups set status = case when $2 then 'done' else 'failed' end,
        ended_by = case when id = $3 then $4 else ended_by end, mac = case when id = $3 then $5 else mac end
      where send_id = $1`,
    values: [sendId, succeeded, row?.id ?? null, end, ended ? macs.seal(toSealed(ended)) : null],
  });
  if (!row) {
    const doubt = `the row of what ${payment.by} gave it was changed or deleted on its way: look at what it has`;
    await addToFund(tx, account, 0n, doubt);
    return undefined;
  }
  if (succeeded) await addToFund(tx, account, payment.valueWei);
  // After a reorganisation it has ended otherwise: what it had brought is not there.
  else if (row.ended_by === endOf(payment, true)) await addToFund(tx, account, -payment.valueWei);
  if (row.ended_by !== null) return undefined;
  return { projectId: row.project_id, owner: row.owner };
}

const failedMark = 'failed';
const endOf = ({ by }: Payment, succeeded: boolean) => (succeeded ? by : `${by} ${failedMark}`);

/**
 * Failures were sealed without their mark once. Whoever writes such a status has no more given: what
 * it had brought stays in the fund.
 */
const isSameFailure = (
  { ended_by: endedBy, status }: SealedTopUpRow & { readonly status: string },
  { by }: Payment,
  succeeded: boolean,
) => !succeeded && endedBy === by && status === 'failed';

const isOf = (row: SealedTopUpRow, { chain, address }: AccountName, { valueWei, by }: Payment) =>
  row.chain === chain &&
  row.address === address &&
  BigInt(row.value_wei) === valueWei &&
  (row.ended_by === null || [by, `${by} ${failedMark}`].includes(row.ended_by));

const fits = (macs: RowMacs, row: SealedTopUpRow) => isFitting(macs, toSealed(row), row.mac);

/** Queues a top-up again whose nonce is finally used by something else: it cannot land any more. */
export async function requeueTopUp(tx: Tx, sendId: string): Promise<void> {
  const { rows } = await tx.query<SealedTopUpRow>({
    name: 'evm-accounts-requeue-top-up',
    text: `update evm_account_top_ups set status = 'queued', send_id = null where send_id = $1 and status = 'sent' returning ${columns}`,
    values: [sendId],
  });
  const macs = rowMacsOf(tx);
  const fitting = rows.filter((row) => fits(macs, row)).map(topUpOf);
  tx.afterCommit(() => {
    for (const topUp of fitting) uncountGiven(tx, topUp);
  });
}
