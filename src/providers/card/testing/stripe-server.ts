import { createHmac, randomBytes } from 'node:crypto';
import {
  listPage,
  newStripeId as newId,
  refusal,
  type SeenRequest,
  type StripeAnswer,
  type StripeFrame,
  startStripeFrame,
} from './stripe-frame.ts';
import { aCharge, aDispute, anIntent, aRefund, type StripeObject } from './stripe-objects.ts';

export interface StripeServer extends StripeFrame {
  readonly intents: Map<string, StripeObject>;
  readonly events: StripeObject[];
  /** The payer's browser confirms with a card. */
  confirm(
    id: string,
    how: {
      readonly decline?: { readonly code: string; readonly decline_code?: string };
      readonly challenge?: true;
    },
  ): void;
  passChallenge(id: string): void;
  /** As Stripe does after 7 days. */
  expire(id: string): void;
  openDispute(id: string): void;
  closeDispute(id: string, status: 'won' | 'lost'): void;
  /** Ends a refund that was made `pending`. */
  endRefund(refundId: string, status: 'succeeded' | 'failed'): void;
  /** What the next refunds are. */
  nextRefundStatus: 'succeeded' | 'pending';
  sign(
    event: StripeObject,
    input: { readonly secrets: readonly string[]; readonly now: Date },
  ): { headers: Record<string, string>; body: Buffer };
}

/**
 * A server that speaks the part of Stripe's API that the adapter uses, as its public documentation
 * shows it: form bodies, expanded charges, idempotency keys that answer the first answer (faults
 * included), errors by type and code. Made by hand.
 */
export async function startStripeServer(secretKey: string): Promise<StripeServer> {
  const intents = new Map<string, StripeObject>();
  const refunds: StripeObject[] = [];
  const disputes: StripeObject[] = [];
  const events: StripeObject[] = [];

  const tell = (type: string, object: StripeObject) =>
    events.push({
      id: newId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: 1_768_478_400,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object: structuredClone(object) },
    });

  function route(seen: SeenRequest): StripeAnswer {
    const url = new URL(seen.path, 'http://localhost');
    const [, , kind, id, action] = url.pathname.split('/');
    if (kind === 'payment_intents' && id === undefined) return create(seen);
    if (kind === 'payment_intents') {
      const intent = intents.get(id!);
      if (!intent)
        return refusal(
          404,
          'invalid_request_error',
          'resource_missing',
          `No such payment_intent: '${id}'`,
        );
      if (action === 'capture') return capture(intent, seen.form);
      if (action === 'cancel') return cancel(intent);
      return { status: 200, body: intent };
    }
    if (kind === 'refunds' && seen.method === 'POST') return refund(seen.form);
    const list = kind === 'refunds' ? refunds : disputes;
    return listPage(
      list.filter((one) => one.payment_intent === url.searchParams.get('payment_intent')),
      url,
    );
  }

  function create({ form }: SeenRequest): StripeAnswer {
    if (
      form.get('capture_method') !== 'manual' ||
      form.get('allowed_payment_method_types[0]') !== 'card'
    )
      return refusal(
        400,
        'invalid_request_error',
        'parameter_missing',
        'This server takes cards with manual capture only.',
      );
    const amount = Number(form.get('amount'));
    if (amount < 50)
      return refusal(
        400,
        'invalid_request_error',
        'amount_too_small',
        'Amount must be at least $0.50 usd',
      );
    const id = newId('pi');
    const metadata = Object.fromEntries(
      [...form].flatMap(([name, value]) =>
        name.startsWith('metadata[') ? [[name.slice(9, -1), value]] : [],
      ),
    );
    const intent = anIntent({
      id,
      client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
      amount,
      currency: form.get('currency'),
      metadata,
    });
    intents.set(id, intent);
    tell('payment_intent.created', intent);
    return { status: 200, body: intent };
  }

  function capture(intent: StripeObject, form: URLSearchParams): StripeAnswer {
    const amount = Number(form.get('amount_to_capture') ?? intent.amount);
    if (intent.status !== 'requires_capture') return unexpectedState(intent, 'captured');
    if (amount > intent.amount_capturable)
      return refusal(
        400,
        'invalid_request_error',
        'amount_too_large',
        'The provided amount is too large.',
      );
    Object.assign(intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 });
    Object.assign(intent.latest_charge, {
      captured: true,
      amount_captured: amount,
      amount_refunded: intent.amount - amount,
    });
    if (amount < intent.amount)
      refunds.push(
        aRefund({
          id: newId('re'),
          amount: intent.amount - amount,
          currency: intent.currency,
          payment_intent: intent.id,
          balance_transaction: null,
        }),
      );
    tell('payment_intent.succeeded', intent);
    return { status: 200, body: intent };
  }

  function cancel(intent: StripeObject): StripeAnswer {
    if (
      ![
        'requires_payment_method',
        'requires_capture',
        'requires_confirmation',
        'requires_action',
      ].includes(intent.status)
    )
      return unexpectedState(intent, 'canceled');
    Object.assign(intent, { status: 'canceled', cancellation_reason: null, amount_capturable: 0 });
    tell('payment_intent.canceled', intent);
    return { status: 200, body: intent };
  }

  function refund(form: URLSearchParams): StripeAnswer {
    const intent = intents.get(form.get('payment_intent') ?? '');
    if (!intent)
      return refusal(404, 'invalid_request_error', 'resource_missing', 'No such payment_intent');
    if (intent.status !== 'succeeded')
      return refusal(
        400,
        'invalid_request_error',
        undefined,
        'This PaymentIntent does not have a successful charge to refund.',
      );
    if (intent.latest_charge.disputed)
      return refusal(
        400,
        'invalid_request_error',
        'charge_disputed',
        'The charge has been charged back.',
      );
    const amount = Number(form.get('amount'));
    const left = intent.amount - intent.latest_charge.amount_refunded;
    if (amount > left)
      return refusal(
        400,
        'invalid_request_error',
        undefined,
        'Refund amount is greater than unrefunded amount on charge',
      );
    intent.latest_charge.amount_refunded += amount;
    const metadata = Object.fromEntries(
      [...form].flatMap(([name, value]) =>
        name.startsWith('metadata[') ? [[name.slice(9, -1), value]] : [],
      ),
    );
    const made = aRefund({
      id: newId('re'),
      amount,
      currency: intent.currency,
      payment_intent: intent.id,
      status: server.nextRefundStatus,
      metadata,
    });
    refunds.push(made);
    tell('refund.created', made);
    return { status: 200, body: made };
  }

  function authorize(intent: StripeObject): void {
    Object.assign(intent, {
      status: 'requires_capture',
      amount_capturable: intent.amount,
      last_payment_error: null,
      next_action: null,
      latest_charge: aCharge({
        id: newId('ch'),
        amount: intent.amount,
        currency: intent.currency,
        payment_intent: intent.id,
      }),
    });
    tell('payment_intent.amount_capturable_updated', intent);
  }

  const server: StripeServer = Object.assign(await startStripeFrame({ secretKey, route }), {
    intents,
    events,
    nextRefundStatus: 'succeeded' as StripeServer['nextRefundStatus'],
    confirm(id, { decline, challenge }) {
      const intent = intents.get(id)!;
      if (challenge) {
        Object.assign(intent, {
          status: 'requires_action',
          next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
        });
        tell('payment_intent.requires_action', intent);
      } else if (decline) {
        const payment_method = {
          id: newId('pm'),
          object: 'payment_method',
          type: 'card',
          card: aCharge({}).payment_method_details.card,
        };
        Object.assign(intent, {
          status: 'requires_payment_method',
          last_payment_error: {
            type: 'card_error',
            message: 'Your card was declined.',
            payment_method,
            ...decline,
          },
        });
        tell('payment_intent.payment_failed', intent);
      } else authorize(intent);
    },
    passChallenge: (id) => authorize(intents.get(id)!),
    expire(id) {
      const intent = intents.get(id)!;
      Object.assign(intent, {
        status: 'canceled',
        cancellation_reason: 'automatic',
        amount_capturable: 0,
      });
      Object.assign(intent.latest_charge, { amount_refunded: intent.amount, refunded: true });
      tell('payment_intent.canceled', intent);
    },
    openDispute(id) {
      const intent = intents.get(id)!;
      intent.latest_charge.disputed = true;
      const dispute = aDispute({
        id: newId('dp'),
        amount: intent.amount_received,
        currency: intent.currency,
        payment_intent: id,
      });
      disputes.push(dispute);
      tell('charge.dispute.created', dispute);
    },
    closeDispute(id, status) {
      const dispute = disputes.find((one) => one.payment_intent === id)!;
      dispute.status = status;
      tell('charge.dispute.closed', dispute);
    },
    endRefund(refundId, status) {
      const made = refunds.find((one) => one.id === refundId)!;
      made.status = status;
      if (status === 'failed')
        intents.get(made.payment_intent)!.latest_charge.amount_refunded -= made.amount;
      tell(status === 'failed' ? 'refund.failed' : 'refund.updated', made);
    },
    sign(event, { secrets, now }) {
      const body = Buffer.from(JSON.stringify(event));
      const seconds = Math.floor(now.getTime() / 1_000);
      const digests = secrets.map(
        (secret) =>
          `v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`,
      );
      return { headers: { 'stripe-signature': [`t=${seconds}`, ...digests].join(',') }, body };
    },
  } satisfies Omit<StripeServer, keyof StripeFrame>);
  return server;
}

function unexpectedState(intent: StripeObject, what: string): StripeAnswer {
  const message = `This PaymentIntent could not be ${what} because it has a status of ${intent.status}.`;
  return refusal(400, 'invalid_request_error', 'payment_intent_unexpected_state', message);
}
