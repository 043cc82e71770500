import { startFlow } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { move } from '../../machine/machine.ts';
import type { PayoutProvider } from '../../providers/payout/payout.ts';
import {
  findRail,
  type PayoutAccountType,
  type PayoutRail,
  payoutRails,
  type RailRules,
  railTable,
} from '../../providers/payout/rails.ts';
import { explainCode } from '../../providers/payout/reason-codes.ts';
import type { Tx } from '../../store/types.ts';
import { heldView } from './events.ts';
import { payoutFlow } from './flow.ts';
import { exceededLimit, holdPayout, readHold } from './limits.ts';
import { type PayoutStatus, payoutMachine } from './machine.ts';
import { refusePayout } from './reports.ts';
import { findPayout, insertPayout, type NewPayout } from './store.ts';
import type { Payout, PayoutCtx } from './types.ts';

export interface DisburseInput {
  readonly projectId: string;
  /** The token: the one name that an account has outside of the vault. */
  readonly paymentMethodId: string;
  readonly payout: {
    /**
     * UUID of the caller: asked again with it, the payout is the same one and nobody is paid twice.
     */
    readonly id: string;
    /** What it serves, e.g. `order:<id>`: 1 to 120 characters. */
    readonly object: string;
    readonly rail: string;
    /** Smallest units of the currency. */
    readonly amountMinor: bigint;
    readonly currency: string;
    /** On the recipient's statement: up to 10 letters, digits and spaces. `PAYOUT` when absent. */
    readonly statement?: string;
  };
}

/** A payout as other processes see it. No account, no name. */
export interface PayoutView {
  readonly payoutId: string;
  readonly projectId: string;
  readonly paymentMethodId: string;
  readonly object: string;
  readonly provider: string;
  readonly rail: PayoutRail;
  readonly amountMinor: string;
  readonly currency: string;
  readonly status: PayoutStatus;
  readonly bankReference?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly accountUnusable?: boolean;
  readonly attention?: string;
  readonly held?: { readonly needsApproval: boolean; readonly until?: string };
  readonly submittedAt?: string;
  readonly settledAt?: string;
  readonly finalAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const objectPattern = /^[A-Za-z0-9:_.-]{1,120}$/;
const statementPattern = /^[A-Za-z0-9 ]{1,10}$/;
const statementDefault = 'PAYOUT';

/**
 * Pays out to a payment method: the one way in which a number leaves the vault, towards a provider
 * of the allow-list. It is stored with its key before any call and goes on by itself; the main side
 * hears of it through events.
 * @throws payment-method-not-found, rail-not-supported with the rails there are, validation-error,
 * idempotency-key-reused another payout has this id
 */
export async function disburse(ctx: PayoutCtx, input: DisburseInput): Promise<PayoutView> {
  const { payout } = input;
  checkForm(input);
  const known = await findPayout(ctx.store, payout.id);
  if (known) return payoutView(requireSame(known, input));
  const { type, destination, since } = await ctx.payouts.vault.describe({
    id: input.paymentMethodId,
    projectId: input.projectId,
  });
  const { rules, provider } = choosePath(ctx, { type, rail: payout.rail });
  checkMoney(rules, payout);
  const fresh: NewPayout = {
    id: payout.id,
    projectId: input.projectId,
    paymentMethodId: input.paymentMethodId,
    accountType: rules.type,
    object: payout.object,
    provider: provider.name,
    rail: rules.rail,
    amountMinor: payout.amountMinor,
    currency: rules.currency,
    statement: payout.statement ?? statementDefault,
    status: move(payoutMachine, '*', 'stored'),
    // A function of the id: even a vault that lost its database would come to the bank with the
    // same key.
    bankKey: `purser-${payout.id}`,
    destination,
    destinationSince: since,
    now: ctx.clock.now(),
  };
  const stored = await ctx.store.transaction(async (tx) => {
    const isNew = await insertPayout(tx, fresh);
    const taken = await findPayout(tx, payout.id);
    return isNew ? takeOn(ctx, tx, taken!) : taken;
  });
  return payoutView(requireSame(stored!, input));
}

/**
 * Starts the work, or refuses what the vault's own limits do not allow: the main side hears of it
 * as of a bank's rejection.
 */
async function takeOn(ctx: PayoutCtx, tx: Tx, payout: Payout): Promise<Payout> {
  const limit = await exceededLimit(ctx, tx, payout);
  if (limit === undefined) {
    await startFlow(ctx, tx, payoutFlow, {
      projectId: payout.projectId,
      state: { payoutId: payout.id },
      key: payout.id,
    });
    const hold = await readHold(ctx, tx, payout.id);
    return hold === undefined ? payout : holdPayout(ctx, tx, payout, hold);
  }
  const refused = await refusePayout(ctx, tx, payout, limit);
  tx.afterCommit(() =>
    ctx.log.error({ payout: payout.id, limit }, 'a payout is above a limit of the vault'),
  );
  await ctx.payouts.vault.audit(tx, {
    actor: 'vault',
    action: 'payout.refused-by-limit',
    projectId: payout.projectId,
    subject: payout.id,
    detail: { limit, amountMinor: payout.amountMinor.toString(), currency: payout.currency },
  });
  return refused;
}

/** One payout. @returns undefined when there is none of that id in the project */
export async function getPayout(
  ctx: PayoutCtx,
  input: { readonly projectId: string; readonly payoutId: string },
): Promise<PayoutView | undefined> {
  const payout = uuidPattern.test(input.payoutId)
    ? await findPayout(ctx.store, input.payoutId)
    : undefined;
  return payout?.projectId === input.projectId ? payoutView(payout) : undefined;
}

/** The rails that reach accounts of a type through the allow-list. */
export function availableRails(ctx: PayoutCtx, type: string): PayoutRail[] {
  const offered = ctx.payouts.providers.flatMap(({ offers }) =>
    offers.filter((offer) => offer.type === type).flatMap(({ rails }) => rails),
  );
  return payoutRails.filter((rail) => offered.includes(rail));
}

function choosePath(
  ctx: PayoutCtx,
  { type, rail }: { type: string; rail: string },
): { rules: RailRules; provider: PayoutProvider } {
  const accountType = railTable.find((row) => row.type === type)?.type;
  const known = payoutRails.find((one) => one === rail);
  const provider = accountType && known && findProvider(ctx, accountType, known);
  const rules = accountType && known && findRail(known, accountType);
  if (provider && rules) return { rules, provider };
  const supported = availableRails(ctx, type);
  const hint =
    supported.length === 0
      ? 'It can be paid on none.'
      : `It can be paid on ${supported.join(', ')}.`;
  throw new ServiceError('rail-not-supported', {
    message: `The rail is not supported by this payment method. ${hint}`,
    details: {
      parameters: { status: supported.length === 0 ? 'unavailable' : 'active', supported },
    },
  });
}

function findProvider(
  ctx: PayoutCtx,
  type: PayoutAccountType,
  rail: PayoutRail,
): PayoutProvider | undefined {
  return ctx.payouts.providers.find(({ offers }) =>
    offers.some((offer) => offer.type === type && offer.rails.includes(rail)),
  );
}

function checkForm({ payout }: DisburseInput): void {
  if (!uuidPattern.test(payout.id)) throw refuse('The id of a payout is a UUID in small letters.');
  if (!objectPattern.test(payout.object))
    throw refuse('The object of a payout has 1 to 120 letters, digits, `:`, `_`, `.` and `-`.');
  if (!statementPattern.test(payout.statement ?? statementDefault))
    throw refuse('The statement has 1 to 10 letters, digits and spaces.');
  if (payout.amountMinor <= 0n) throw refuse('The amount of a payout is above zero.');
}

function checkMoney(rules: RailRules, payout: DisburseInput['payout']): void {
  if (payout.currency.toLowerCase() !== rules.currency)
    throw refuse(`The rail ${rules.rail} pays ${rules.currency} to this payment method.`);
  if (payout.amountMinor > rules.amountMaxMinor)
    throw refuse(
      `The rail ${rules.rail} pays at most ${rules.amountMaxMinor} of the smallest unit of ${rules.currency} at once.`,
    );
}

/**
 * The caller's id is its promise that it is the same payout: anything else under it is a mistake
 * that must not be paid.
 */
function requireSame(known: Payout, { projectId, paymentMethodId, payout }: DisburseInput): Payout {
  const isSame =
    known.projectId === projectId &&
    known.paymentMethodId === paymentMethodId &&
    known.object === payout.object &&
    known.rail === payout.rail &&
    known.amountMinor === payout.amountMinor &&
    known.currency === payout.currency.toLowerCase() &&
    known.statement === (payout.statement ?? statementDefault);
  if (!isSame)
    throw new ServiceError('idempotency-key-reused', {
      message: 'Another payout has this id: use a new one.',
    });
  return known;
}

function refuse(message: string): ServiceError {
  return new ServiceError('validation-error', { message });
}

/** What other processes and operators may see of a payout. */
export function payoutView(payout: Payout): PayoutView {
  const reason = payout.code === null ? undefined : explainCode(payout.code);
  const times = {
    submittedAt: payout.submittedAt?.toISOString(),
    settledAt: payout.settledAt?.toISOString(),
    finalAt: payout.finalAt?.toISOString(),
  };
  return {
    payoutId: payout.id,
    projectId: payout.projectId,
    paymentMethodId: payout.paymentMethodId,
    object: payout.object,
    provider: payout.provider,
    rail: payout.rail,
    amountMinor: payout.amountMinor.toString(),
    currency: payout.currency,
    status: payout.status,
    bankReference: payout.bankReference ?? undefined,
    code: payout.code ?? undefined,
    reason: reason?.kind,
    message: reason?.sentence,
    accountUnusable: reason?.accountUnusable,
    attention: payout.attention ?? undefined,
    held: heldView(payout),
    ...times,
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
  };
}
