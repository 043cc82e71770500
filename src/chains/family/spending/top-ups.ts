import { randomUUID } from 'node:crypto';
import type { Logger } from '../../../lib/log/log.ts';
import type { Db, Store, Tx } from '../../../store/types.ts';
import type { SentBytes, SentBytesNetwork } from '../nodes/sent-bytes.ts';
import { type FeeAccount, recordFeeAccounts } from './accounts.ts';
import { recordSpending } from './budgets.ts';
import { createDayCeiling, type DayCeiling } from './day-ceiling.ts';

/** The accounts that pay fees: looked at, told, and topped up from the treasury. */

export interface FeeAccountsNetwork {
  /** In the native token's smallest unit, in the order asked. */
  readBalances(addresses: readonly string[]): Promise<readonly bigint[]>;
  /** Present where there is a treasury. */
  readonly treasury?: TopUpNetwork | undefined;
}

export interface TopUpNetwork extends SentBytesNetwork {
  readonly address: string;
  /** Receivers of one transaction. */
  readonly receiversMax: number;
  /** One transaction that gives each of them as much; `done` is final. */
  sign(receivers: readonly string[], amountMinor: bigint): Promise<SentBytes>;
}

export interface FeeAccountsDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly chain: string;
  readonly network: FeeAccountsNetwork;
  readonly feePayers: readonly string[];
  /** What else is wrong with one, by its address. */
  readonly alarms?: ReadonlyMap<string, string>;
  /** One with less is topped up to about twice of it. */
  readonly balanceMinMinor: bigint;
  /** All that they get in 24 hours, and the setting that says so. */
  readonly topUpDayMaxMinor: bigint;
  readonly topUpSetting: string;
  /** Words for sentences, e.g. `lamports` and `SOL`. */
  readonly unit: string;
  readonly coin: string;
}

/** One look at the accounts that pay fees. Answers what they hold. */
export async function watchFeeAccounts(
  deps: FeeAccountsDeps,
): Promise<ReadonlyMap<string, bigint>> {
  const { network, feePayers, chain, balanceMinMinor, unit, coin } = deps;
  const { treasury } = network;
  const addresses = [...feePayers, ...(treasury ? [treasury.address] : [])];
  const found = await network.readBalances(addresses);
  const balances = new Map(addresses.map((address, index) => [address, found[index] ?? 0n]));
  const short = feePayers.filter((address) => balances.get(address)! < balanceMinMinor);
  const refusal =
    treasury &&
    (await tryTopUp(deps, treasury, { short, treasuryMinor: balances.get(treasury.address)! }));
  const alarm = `It holds less than ${balanceMinMinor} ${unit}: send it ${coin}.${refusal === undefined ? '' : ` ${refusal}`}`;
  await recordFeeAccounts(
    deps.store,
    chain,
    addresses.map(
      (address): FeeAccount => ({
        address,
        role: address === treasury?.address ? 'treasury' : 'fee-payer',
        balanceMinor: balances.get(address)!,
        alarm:
          [short.includes(address) ? alarm : '', deps.alarms?.get(address) ?? '']
            .filter(Boolean)
            .join(' ') || undefined,
      }),
    ),
  );
  return balances;
}

/**
 * A treasury that gives nothing is told as such, and hides nothing else: what the accounts hold is
 * known all the same.
 */
async function tryTopUp(
  deps: FeeAccountsDeps,
  treasury: TopUpNetwork,
  input: TopUpInput,
): Promise<string | undefined> {
  try {
    return await topUp(deps, treasury, input);
  } catch (error) {
    deps.log.warn(
      { err: error, chain: deps.chain, treasury: treasury.address },
      'the treasury could not give fee payers more; trying again',
    );
    return `The treasury ${treasury.address} could not give it more the last time: the log of the worker says why.`;
  }
}

interface TopUpInput {
  readonly short: readonly string[];
  readonly treasuryMinor: bigint;
}

/**
 * What was signed goes on until it has ended, whichever process signed it; else those that are
 * short get some. The balances may be older than the end of what was under way, so that the next
 * look decides anew. @returns why nobody gets more today
 */
async function topUp(
  deps: FeeAccountsDeps,
  treasury: TopUpNetwork,
  { short, treasuryMinor }: TopUpInput,
): Promise<string | undefined> {
  const { store, chain, log } = deps;
  const open = await selectTopUp(store, chain);
  if (open) {
    await follow(deps, treasury, open);
    return undefined;
  }
  const amountMinor = deps.balanceMinMinor * 2n;
  const affordable = Number(treasuryMinor / amountMinor) - 1;
  const receivers = short.slice(0, Math.max(0, Math.min(affordable, treasury.receiversMax)));
  if (receivers.length === 0) return undefined;
  const made = await treasury.sign(receivers, amountMinor);
  const minor = amountMinor * BigInt(receivers.length);
  const own = ceilingOf(store, chain);
  const stored = await store.transaction(async (tx) => {
    if (!(await insertTopUp(tx, chain, made))) return 'another';
    const refusal = await allowTopUp(deps, tx, { minor, ownMinor: own.given() });
    if (refusal !== undefined) await deleteTopUp(tx, chain, made.txId);
    return { refusal };
  });
  if (stored === 'another') return undefined;
  const { refusal } = stored;
  if (refusal === undefined) {
    own.add(minor);
    await treasury.send(made.raw);
  } else log.error({ alarm: 'top-ups', chain }, refusal);
  return refusal;
}

async function follow(
  { store, chain, log }: FeeAccountsDeps,
  treasury: TopUpNetwork,
  open: SentBytes,
): Promise<void> {
  const found = await treasury.look(open);
  if (found === 'pending') await treasury.send(open.raw);
  if (found === 'pending' || found === 'seen') return;
  await store.transaction(async (tx) => {
    if ((await deleteTopUp(tx, chain, open.txId)) && typeof found === 'object')
      await recordSpending(tx, 'fees', chain, found.costMinor);
  });
  if (typeof found === 'object' && found.failed !== undefined)
    log.error({ alarm: 'top-ups', chain, txId: open.txId }, `a top-up failed: ${found.failed}`);
}

/** Of each chain's treasury, for as long as the process has its database open. */
const ceilings = new WeakMap<Store, Map<string, DayCeiling>>();

function ceilingOf(store: Store, chain: string): DayCeiling {
  const ofChains = ceilings.get(store) ?? new Map<string, DayCeiling>();
  ceilings.set(store, ofChains);
  const own = ofChains.get(chain) ?? createDayCeiling();
  ofChains.set(chain, own);
  return own;
}

/**
 * What they get in 24 hours is bounded, over processes and restarts by the database, and by this
 * process's own memory whatever the database says. Remembered before it is sent. @returns the
 * refusal
 */
async function allowTopUp(
  { chain, topUpDayMaxMinor: max, topUpSetting, unit }: FeeAccountsDeps,
  tx: Tx,
  { minor, ownMinor }: { readonly minor: bigint; readonly ownMinor: bigint },
): Promise<string | undefined> {
  const { rows } = await tx.query<{ given: string }>({
    name: 'fees-top-ups-given',
    text: `select coalesce(sum(minor), 0) as given from fee_top_ups_given where chain = $1 and created_at > now() - interval '24 hours'`,
    values: [chain],
  });
  const stored = BigInt(rows[0]!.given);
  const given = stored > ownMinor ? stored : ownMinor;
  if (given + minor > max)
    return `Fee payers got ${given} ${unit} in 24 hours, and with ${minor} more it would be over ${max}: look for whoever causes it, or raise ${topUpSetting}.`;
  await tx.query({
    name: 'fees-top-up-remember',
    text: 'insert into fee_top_ups_given (id, chain, minor) values ($1, $2, $3)',
    values: [randomUUID(), chain, minor.toString()],
  });
  await tx.query({
    name: 'fees-top-ups-prune',
    text: `delete from fee_top_ups_given where chain = $1 and created_at < now() - interval '7 days'`,
    values: [chain],
  });
  return undefined;
}

async function selectTopUp(db: Db, chain: string): Promise<SentBytes | undefined> {
  const { rows } = await db.query<{ tx_id: string; raw: Buffer; mark: string }>({
    name: 'fees-top-up-select',
    text: 'select tx_id, raw, mark from fee_top_ups where chain = $1',
    values: [chain],
  });
  return rows[0] && { txId: rows[0].tx_id, raw: new Uint8Array(rows[0].raw), mark: rows[0].mark };
}

/** Whether a top-up may be anywhere. */
export async function hasOpenTopUp(db: Db, chain: string): Promise<boolean> {
  return (await selectTopUp(db, chain)) !== undefined;
}

/** From here on these bytes may be anywhere. False: another process was first. */
async function insertTopUp(
  db: Db,
  chain: string,
  { txId, raw, mark }: SentBytes,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'fees-top-up-insert',
    text: 'insert into fee_top_ups (chain, tx_id, raw, mark) values ($1, $2, $3, $4) on conflict do nothing',
    values: [chain, txId, Buffer.from(raw), mark],
  });
  return rowCount > 0;
}

/** False: another process was first. */
async function deleteTopUp(db: Db, chain: string, txId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'fees-top-up-delete',
    text: 'delete from fee_top_ups where chain = $1 and tx_id = $2',
    values: [chain, txId],
  });
  return rowCount > 0;
}
