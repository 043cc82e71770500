/** Stripe's objects as its API reference shows them, with the fields that a card payment has. */

// biome-ignore lint/suspicious/noExplicitAny: another company's JSON, which tests build and change freely.
export type StripeObject = Record<string, any>;

export function anIntent(fields: StripeObject): StripeObject {
  return {
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'manual',
    confirmation_method: 'automatic',
    created: 1_768_478_400,
    customer: null,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    next_action: null,
    payment_method: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    processing: null,
    receipt_email: null,
    status: 'requires_payment_method',
    ...fields,
  };
}

export function aCharge(fields: StripeObject): StripeObject {
  return {
    object: 'charge',
    amount_captured: 0,
    amount_refunded: 0,
    balance_transaction: null,
    captured: false,
    created: 1_768_478_400,
    disputed: false,
    failure_code: null,
    livemode: false,
    outcome: {
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      type: 'authorized',
    },
    paid: true,
    payment_method_details: {
      card: {
        brand: 'visa',
        capture_before: 1_769_083_200,
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
        country: 'US',
        exp_month: 12,
        exp_year: 2034,
        fingerprint: 'Xt5EWLLDS7FJjR1c',
        funding: 'credit',
        last4: '4242',
        network: 'visa',
        three_d_secure: null,
        wallet: null,
      },
      type: 'card',
    },
    refunded: false,
    status: 'succeeded',
    ...fields,
  };
}

export function aRefund(fields: StripeObject): StripeObject {
  return {
    object: 'refund',
    balance_transaction: 'txn_3RefundXyz',
    charge: 'ch_3Xyz',
    created: 1_768_478_400,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata: {},
    reason: null,
    receipt_number: null,
    status: 'succeeded',
    ...fields,
  };
}

export function aDispute(fields: StripeObject): StripeObject {
  return {
    object: 'dispute',
    balance_transactions: [],
    charge: 'ch_3Xyz',
    created: 1_768_478_400,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: 1_769_083_200,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
    ...fields,
  };
}
