import { z } from 'zod';
import type { EventDescription } from '../http/reference/events.ts';
import { transferNoticeSchema } from './activity/schema.ts';
import { agentCheckoutSchema } from './agent-checkouts/schema.ts';
import { eligibilitySchema } from './identity/schema.ts';
import { orderSchema } from './orders/api/schema-order.ts';
import { type PublicEventType, publicEventTypes } from './webhooks/index.ts';

const signerExported = z.looseObject({}).describe('The signer that has left the service.');
const identityChanged = z.looseObject({
  userLocator: z.string(),
  eligibility: eligibilitySchema.shape.eligibility,
});

const described: Readonly<Record<PublicEventType, readonly [summary: string, data: z.ZodType]>> = {
  'orders.quote.created': ['An order was priced', orderSchema],
  'orders.quote.updated': ['An order was priced again', orderSchema],
  'orders.payment.succeeded': ['An order was paid', orderSchema],
  'orders.payment.failed': ['The payment of an order failed', orderSchema],
  'orders.payment.refunded': ['The payment of an order went back', orderSchema],
  'orders.delivery.initiated': ['The delivery of an order began', orderSchema],
  'orders.delivery.completed': ['An order was delivered', orderSchema],
  'orders.delivery.failed': ['The delivery of an order failed', orderSchema],
  'wallets.transfer.in': ['A wallet received', transferNoticeSchema],
  'wallets.transfer.out': ['A wallet sent: it succeeded or failed', transferNoticeSchema],
  'wallets.signer.exported': ['A signer was exported', signerExported],
  'users.identity-verification.updated': ["A user's eligibility changed", identityChanged],
  'agent-checkouts.updated': ['An agent checkout moved', agentCheckoutSchema],
};

/** What is sent by nobody has no recorded body either. */
const neverSent: Readonly<Partial<Record<PublicEventType, string>>> = {
  'wallets.signer.exported':
    'Never sent by this service, which lets no key out. Endpoints may ask for it, so that those made for the interface need no change.',
};

/** Every body that a receiver may get, for the reference. */
export function describeEventTypes(): EventDescription[] {
  return publicEventTypes.map((type) => {
    const [summary, data] = described[type];
    const identified = type.startsWith('orders.')
      ? { actionId: z.string().describe('Id of the order.') }
      : { id: z.string().describe('Id of the event, as in `webhook-id`.') };
    const note = neverSent[type];
    return {
      type,
      summary,
      ...(note !== undefined && { note }),
      schema: z.looseObject({ ...identified, type: z.literal(type), data }),
    };
  });
}
