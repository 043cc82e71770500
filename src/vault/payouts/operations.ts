import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import { PayoutUnavailableError } from '../../providers/payout/payout.ts';
import {
  type PayoutAnswer,
  payoutStatuses,
  payoutsPerPageMax,
} from '../../providers/vault/payout-wire.ts';
import { type AnyInternalOperation, internalOperation, type VaultPeer } from '../index.ts';
import { compareBooks } from './books.ts';
import { availableRails, disburse, getPayout, payoutView } from './disburse.ts';
import { type PayoutEventPage, readPayoutEvents } from './events.ts';
import { listLimits, listUsed, readStop, readWait, waitHoursOf } from './limits.ts';
import { cancelPayout, markPayout, retryPayout } from './operator.ts';
import { listByIds, listMadeAfter, listPayouts } from './store.ts';
import type { PayoutCtx } from './types.ts';

const payoutId = z.uuid();
const actor = z.string().regex(/^[a-z]+(?::[\w.:-]{1,80})?$/);
const position = z.string().regex(/^\d{1,18}$/);
/** Paying and what comes with it is the worker's: a stolen API host moves no money. */
const payers: readonly VaultPeer[] = ['worker'];
/** The asking side waits ten seconds. */
const booksTimeoutMs = 8_000;
const everybody: readonly VaultPeer[] = ['api', 'worker'];

/** What the main side may ask about payouts. None answers a number. */
export function createPayoutOperations(payouts: PayoutCtx): readonly AnyInternalOperation[] {
  return [
    internalOperation({
      name: 'payouts.disburse',
      peers: payers,
      input: z.strictObject({
        projectId: z.uuid(),
        paymentMethodId: z.string().min(1).max(100),
        payout: z.strictObject({
          id: payoutId,
          object: z.string().min(1).max(120),
          rail: z.string().min(1).max(40),
          amountMinor: z.string().regex(/^\d{1,40}$/),
          currency: z.string().min(1).max(10),
          statement: z.string().min(1).max(10).optional(),
        }),
      }),
      run: (_, input) =>
        disburse(payouts, {
          ...input,
          payout: { ...input.payout, amountMinor: BigInt(input.payout.amountMinor) },
        }),
    }),
    internalOperation({
      name: 'payouts.get',
      peers: everybody,
      input: z.strictObject({ projectId: z.uuid(), payoutId }),
      run: async (_, input): Promise<{ readonly payout: PayoutAnswer | null }> => {
        const payout = await getPayout(payouts, input);
        return { payout: payout ? { ...payout } : null };
      },
    }),
    internalOperation({
      name: 'payouts.rails',
      peers: everybody,
      input: z.strictObject({ type: z.string().min(1).max(40) }),
      run: async (_, { type }) => ({ rails: availableRails(payouts, type) }),
    }),
    internalOperation({
      name: 'payouts.events',
      peers: payers,
      input: z.strictObject({ afterPosition: position, limit: z.int().min(1).max(500) }),
      run: (_, { afterPosition, limit }) =>
        readPayoutEvents(payouts, { afterPosition: BigInt(afterPosition), limit }),
      isIdle: (answer) => (answer as PayoutEventPage).events.length === 0,
    }),
    internalOperation({
      name: 'payouts.list',
      peers: payers,
      input: z.strictObject({
        status: z.enum(payoutStatuses).optional(),
        projectId: z.uuid().optional(),
        object: z.string().min(1).max(120).optional(),
        limit: z.int().min(1).max(500).optional(),
      }),
      run: async (_, filter) => ({
        payouts: (await listPayouts(payouts.store, filter)).map(payoutView),
      }),
    }),
    internalOperation({
      name: 'payouts.page',
      peers: payers,
      input: z.union([
        z.strictObject({ projectId: z.uuid(), ids: z.array(payoutId).max(payoutsPerPageMax) }),
        z.strictObject({
          projectId: z.uuid(),
          after: z.strictObject({ at: z.iso.datetime(), id: payoutId }),
          limit: z.int().min(1).max(payoutsPerPageMax),
        }),
      ]),
      run: async (_, input) => {
        const { projectId } = input;
        const found =
          'ids' in input
            ? await listByIds(payouts.store, { projectId, ids: input.ids })
            : await listMadeAfter(payouts.store, {
                projectId,
                at: new Date(input.after.at),
                id: input.after.id,
                limit: input.limit,
              });
        return { payouts: found.map(payoutView) };
      },
    }),
    internalOperation({
      // To be shown, and no more: the command on the vault's host sets and stops, and nothing that
      // can be asked does.
      name: 'payouts.switch',
      peers: everybody,
      input: z.strictObject({}),
      run: async () => ({
        limits: (await listLimits(payouts.store)).map(({ currency, ...amounts }) => ({
          currency,
          perPayoutMinor: amounts.perPayoutMinor.toString(),
          projectDayMinor: amounts.projectDayMinor.toString(),
          destinationDayMinor: amounts.destinationDayMinor.toString(),
          secondPersonMinor: amounts.secondPersonMinor.toString(),
        })),
        used: await listUsed(payouts.store, payouts.clock.now()),
        newDestinationWaitHours: (await readWait(payouts.store)) ?? waitHoursOf(payouts),
        stop: await readStop(payouts.store),
      }),
    }),
    internalOperation({
      name: 'payouts.compare-books',
      peers: payers,
      input: z.strictObject({ from: z.iso.datetime(), until: z.iso.datetime() }),
      run: async (_, { from, until }) =>
        compareOrRefuse(payouts, { from: new Date(from), until: new Date(until) }),
    }),
    internalOperation({
      name: 'payouts.retry',
      peers: payers,
      input: z.strictObject({ payoutId, actor }),
      run: (ctx, input) =>
        retryPayout(payouts, { ...input, actor: `${input.actor} by ${ctx.peer}` }),
    }),
    internalOperation({
      name: 'payouts.cancel',
      peers: payers,
      input: z.strictObject({ payoutId, actor }),
      run: (ctx, input) =>
        cancelPayout(payouts, { ...input, actor: `${input.actor} by ${ctx.peer}` }),
    }),
    internalOperation({
      name: 'payouts.mark',
      peers: payers,
      input: z.strictObject({
        payoutId,
        actor,
        as: z.enum(['settled', 'rejected', 'returned']),
        bankReference: z
          .string()
          .regex(/^[\w-]{1,100}$/)
          .optional(),
        code: z
          .string()
          .regex(/^[A-Za-z][\w.-]{0,63}$/)
          .optional(),
      }),
      run: (ctx, input) => {
        // Whoever has an account number at hand must not leave it here.
        if (/\d{5}/.test(input.code ?? ''))
          throw new ServiceError('validation-error', {
            message: 'The code is one of the bank, as in R03.',
          });
        return markPayout(payouts, { ...input, actor: `${input.actor} by ${ctx.peer}` });
      },
    }),
  ];
}

async function compareOrRefuse(
  payouts: PayoutCtx,
  period: { readonly from: Date; readonly until: Date },
) {
  try {
    return await compareBooks(payouts, period, AbortSignal.timeout(booksTimeoutMs));
  } catch (cause) {
    if (!(cause instanceof PayoutUnavailableError)) throw cause;
    throw new ServiceError('provider-unavailable', {
      message: 'A bank does not answer: its books were not compared.',
      cause,
    });
  }
}
