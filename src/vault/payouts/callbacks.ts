import { wakeFlow } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { BankEvent } from '../../providers/payout/payout.ts';
import { payoutFlow } from './flow.ts';
import { applyReport, followNotices, recordNotices } from './reports.ts';
import { deleteBankEvents, findPayoutOfBank, insertBankEvent, lockPayout } from './store.ts';
import type { PayoutCtx } from './types.ts';

export interface ReceivedCallback {
  /** Name of the provider, from the path. */
  readonly provider: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export type CallbackOutcome = 'applied' | 'duplicate' | 'ignored' | 'unknown-payout';

/** Longer than any bank sends an event again, or lets us take an old one. */
const bankEventsKeptMs = 90 * 24 * 60 * 60_000;

/**
 * Takes what a bank posted. Twice, late and out of order are all the same to it; a payout that
 * nobody here made is reported and acknowledged, so that the bank does not come again for ever.
 * @throws route-not-found no such provider, unauthorized not signed by the bank, validation-error
 * too old or not readable
 */
export async function receiveCallback(
  ctx: PayoutCtx,
  received: ReceivedCallback,
): Promise<CallbackOutcome> {
  const provider = ctx.payouts.providers.find(({ name }) => name === received.provider);
  if (provider === undefined) throw new ServiceError('route-not-found');
  const result = provider.readCallback({
    headers: received.headers,
    body: received.body,
    receivedAt: ctx.clock.now(),
  });
  if (result.kind === 'refused') {
    ctx.log.warn(
      { provider: provider.name, reason: result.reason },
      'a callback about payouts was refused',
    );
    if (result.reason === 'signature')
      throw new ServiceError('unauthorized', { message: 'The signature does not verify.' });
    throw new ServiceError('validation-error', {
      message:
        result.reason === 'replay-window'
          ? 'The event is outside of the time window.'
          : 'The event cannot be read.',
    });
  }
  if (result.kind === 'ignored') return 'ignored';
  return applyEvent(ctx, provider.name, result.event);
}

async function applyEvent(
  ctx: PayoutCtx,
  provider: string,
  event: BankEvent,
): Promise<CallbackOutcome> {
  const found = await findPayoutOfBank(ctx.store, {
    provider,
    key: event.key,
    bankReference: event.bankReference,
  });
  if (found === undefined) {
    ctx.log.warn(
      { provider, event: event.id, bankReference: event.bankReference },
      'a bank told of a payout that this vault did not make',
    );
    return 'unknown-payout';
  }
  // The method is corrected first: should the process die in between, the bank sends the event
  // again.
  const notices = await followNotices(ctx, found, event.notice ? [event.notice] : []);
  return ctx.store.transaction(async (tx) => {
    const payout = await lockPayout(tx, found.id);
    if (
      !(await insertBankEvent(tx, {
        provider,
        eventId: event.id,
        payoutId: payout.id,
        now: ctx.clock.now(),
      }))
    )
      return 'duplicate';
    await recordNotices(ctx, tx, payout, notices);
    if (event.report) await applyReport(ctx, tx, payout, event.report);
    await wakeFlow(ctx, tx, payoutFlow, payout.id);
    return 'applied';
  });
}

/** Forgets callbacks that cannot come again. */
export function pruneBankEvents(ctx: PayoutCtx): Promise<number> {
  return deleteBankEvents(ctx.store, new Date(ctx.clock.now().getTime() - bankEventsKeptMs));
}
