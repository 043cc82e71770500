import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import type { Store } from '../../store/types.ts';
import {
  type FoundPayout,
  type NoticeOfChange,
  type PayoutCallback,
  PayoutNotSentError,
  type PayoutOrder,
  PayoutOutcomeUnknownError,
  type PayoutProvider,
  type PayoutReport,
  PayoutUnavailableError,
} from './payout.ts';
import { findRail, payoutRails, railsOf } from './rails.ts';
import { readSandboxCallback, writeSandboxCallback } from './sandbox-callbacks.ts';
import {
  chooseScript,
  findScript,
  planSteps,
  type SandboxScript,
  type SandboxStep,
  sandboxRefusals,
  sandboxSilenceMs,
  suffixOf,
} from './sandbox-script.ts';
import {
  acceptTransfer,
  countCall,
  findByKey,
  findCounterpartyScript,
  insertCounterparty,
  listDue,
  listTaken,
  type SandboxTransfer,
  storeEventsSent,
} from './sandbox-store.ts';

export interface SandboxBankOptions {
  /** The vault's database: the bank's books outlive a restart. */
  readonly store: Store;
  /** Movable in development: returns come in days of this clock. */
  readonly clock: Clock;
  readonly ids: Ids;
  /** Signs its callbacks. */
  readonly callbackSecret: Secret;
}

export interface SandboxBank extends PayoutProvider {
  /**
   * Hands over what has happened since, event by event, as callbacks. An event whose `deliver`
   * throws comes again.
   * @returns how many were handed over
   */
  deliverDue(deliver: (callback: PayoutCallback) => Promise<void>): Promise<number>;
}

const sandboxName = 'sandbox';
const accountTypes = [
  'bank-account-us',
  'bank-account-sepa-iban',
  'bank-account-mx-clabe',
  'bank-account-co',
] as const;
const transfersPerDelivery = 100;
const dayMs = 86_400_000;

/**
 * A bank inside the database, steered by account numbers ({@link chooseScript}). It moves no money.
 */
export function createSandboxBank(options: SandboxBankOptions): SandboxBank {
  const { store, clock, ids } = options;
  return {
    name: sandboxName,
    isSandbox: true,
    offers: accountTypes.map((type) => ({ type, rails: railsOf(type) })),
    lookupLagMs: 2_000,
    keyKeptMs: 30 * dayMs,
    async introduce({ key, destination }) {
      const script = chooseScript(destination);
      if (script.introduction === 'refused') return { status: 'rejected', code: 'account-invalid' };
      const id = `cpty_${ids.randomUuid()}`;
      const now = clock.now();
      return {
        status: 'known',
        counterparty: await insertCounterparty(store, {
          id,
          key,
          script: script.name,
          suffix: suffixOf(destination),
          now,
        }),
      };
    },
    submit: (order) => submit(options, order),
    async find({ key }) {
      const transfer = await findByKey(store, key);
      if (transfer === undefined) return undefined;
      const now = clock.now();
      if (
        findScript(transfer.script).calls === 'answer-lost-and-silent' &&
        now.getTime() < transfer.createdAt.getTime() + sandboxSilenceMs
      )
        throw new PayoutUnavailableError(
          sandboxName,
          'the sandbox bank does not answer look-ups of this account for ten minutes.',
        );
      return transfer.takenAt === null ? undefined : readBooks(transfer, now);
    },
    readCallback: (callback) => readSandboxCallback(callback, options.callbackSecret),
    async listTransfers({ rail, from, until, cursor, limit }) {
      const taken = await listTaken(store, { rail, from, until, after: cursor, limit });
      const now = clock.now();
      return {
        transfers: taken.map((transfer) => ({
          ...readBooks(transfer, now).report,
          key: transfer.key,
          createdAt: transfer.createdAt,
        })),
        nextCursor: taken.length === limit ? taken.at(-1)!.id : undefined,
      };
    },
    deliverDue: (deliver) => deliverDue(options, deliver),
  };
}

/**
 * Written down first, whatever becomes of the answer: that is what makes a lost answer dangerous.
 */
async function submit(
  { store, clock, ids }: SandboxBankOptions,
  order: PayoutOrder,
): Promise<PayoutReport> {
  if (findRail(order.rail, order.type) === undefined)
    throw new PayoutNotSentError(
      sandboxName,
      `the rail ${order.rail} does not reach a ${order.type}.`,
    );
  const scriptName = await findCounterpartyScript(store, order.counterparty);
  if (scriptName === undefined)
    throw new PayoutNotSentError(sandboxName, 'the counterparty is not known.');
  const script = findScript(scriptName);
  const now = clock.now();
  const call = await store.transaction(async (tx) => {
    const transfer = await countCall(tx, {
      id: `po_${ids.randomUuid()}`,
      key: order.key,
      counterparty: order.counterparty,
      script: script.name,
      accountType: order.type,
      rail: order.rail,
      amountMinor: order.amountMinor,
      currency: order.currency,
      statement: order.statement,
      now,
    });
    if (!isSame(transfer, order)) return { transfer, fate: 'other-payout' as const };
    if (transfer.takenAt !== null) return { transfer, fate: 'repeated' as const };
    const fate = decideFate(script, transfer.calls);
    if (fate === 'taken' || fate === 'answer-lost')
      await acceptTransfer(tx, { id: transfer.id, now });
    return { transfer: { ...transfer, takenAt: now }, fate };
  });
  if (call.fate === 'other-payout')
    throw new PayoutNotSentError(sandboxName, 'the key was used for another payout.');
  if (call.fate === 'refused')
    throw new PayoutNotSentError(
      sandboxName,
      'the sandbox bank cannot be reached for three calls.',
    );
  if (call.fate === 'answer-lost' || call.fate === 'request-lost')
    throw new PayoutOutcomeUnknownError(sandboxName, 'the call ended without an answer.');
  return readBooks(call.transfer, now).report;
}

function decideFate(
  script: SandboxScript,
  calls: number,
): 'taken' | 'answer-lost' | 'request-lost' | 'refused' {
  if (script.calls === 'down-three-times' && calls <= sandboxRefusals) return 'refused';
  if (script.calls === 'request-lost' && calls === 1) return 'request-lost';
  return script.calls === 'answer-lost' || script.calls === 'answer-lost-and-silent'
    ? 'answer-lost'
    : 'taken';
}

function isSame(transfer: SandboxTransfer, order: PayoutOrder): boolean {
  return (
    transfer.counterparty === order.counterparty &&
    transfer.rail === order.rail &&
    transfer.amountMinor === order.amountMinor &&
    transfer.currency === order.currency
  );
}

/** What the bank's books say at `now`: nothing in them is stored but when it began. */
function readBooks(transfer: SandboxTransfer, now: Date): FoundPayout {
  const past = stepsOf(transfer).filter(({ at }) => at <= now);
  const last = past.findLast((step) => step.status !== 'notice');
  return {
    report: reportOf(transfer, last ?? { status: 'pending', at: now }),
    notices: past.flatMap((step) => (step.status === 'notice' ? [noticeOf(transfer, step)] : [])),
  };
}

function stepsOf(transfer: SandboxTransfer): readonly SandboxStep[] {
  const rules = findRail(transfer.rail, transfer.accountType);
  if (rules === undefined || !payoutRails.includes(transfer.rail))
    throw new Error(`sandbox bank: ${transfer.id} is on no rail`);
  return planSteps(findScript(transfer.script), rules, transfer.takenAt ?? transfer.createdAt);
}

function reportOf(transfer: SandboxTransfer, step: SandboxStep): PayoutReport {
  const common = {
    bankReference: transfer.id,
    at: step.at,
    money: { amountMinor: transfer.amountMinor, currency: transfer.currency },
  };
  if (step.status === 'rejected' || step.status === 'returned')
    return { ...common, status: step.status, code: step.code };
  return { ...common, status: step.status === 'notice' ? 'settled' : step.status };
}

function noticeOf(
  transfer: SandboxTransfer,
  step: SandboxStep & { status: 'notice' },
): NoticeOfChange {
  const { notice } = findScript(transfer.script);
  return {
    id: `noc_${transfer.id}`,
    code: step.code,
    at: step.at,
    corrected: notice?.corrected ?? {},
  };
}

/** A transfer whose event cannot be handed over does not hold up the others. */
async function deliverDue(
  options: SandboxBankOptions,
  deliver: (callback: PayoutCallback) => Promise<void>,
): Promise<number> {
  const now = options.clock.now();
  const failures: unknown[] = [];
  let delivered = 0;
  for (const transfer of await listDue(options.store, { now, limit: transfersPerDelivery })) {
    try {
      delivered += await deliverTransfer(options, transfer, { now, deliver });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return delivered;
}

async function deliverTransfer(
  { store, callbackSecret }: SandboxBankOptions,
  transfer: SandboxTransfer,
  {
    now,
    deliver,
  }: { readonly now: Date; readonly deliver: (callback: PayoutCallback) => Promise<void> },
): Promise<number> {
  const steps = stepsOf(transfer);
  const due = steps.slice(transfer.eventsSent).filter(({ at }) => at <= now);
  for (const [index, step] of due.entries()) {
    const number = transfer.eventsSent + index;
    const event = {
      id: `evt_${transfer.id}_${number}`,
      key: transfer.key,
      at: step.at,
      report: step.status === 'notice' ? undefined : reportOf(transfer, step),
      notice: step.status === 'notice' ? noticeOf(transfer, step) : undefined,
      bankReference: transfer.id,
    };
    await deliver(writeSandboxCallback(event, { now, secret: callbackSecret }));
    await storeEventsSent(store, {
      id: transfer.id,
      eventsSent: number + 1,
      nextEventAt: steps[number + 1]?.at,
    });
  }
  return due.length;
}
