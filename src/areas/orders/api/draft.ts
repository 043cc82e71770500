import type { RequestCtx } from '../../../context.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { quoteTimes } from '../pricing/index.ts';
import { type Quoted, quoteFacts } from '../pricing/quote.ts';
import type { OuterStatus } from '../state/public-status.ts';
import { orderView } from '../state/view.ts';
import { isShipped } from './shipping.ts';

/** A priced preview: nothing is stored, and nobody can pay it. */
export function draftView(ctx: Pick<RequestCtx, 'clock'>, input: { readonly id: string; readonly quoted: Quoted }): JsonObject {
  const { id, quoted } = input;
  return orderView({
    id,
    kind: quoted.kind,
    request: quoted.request,
    ...(quoted.priced && { terms: quoted.priced.terms }),
    facts: quoteFacts(quoted),
    outer: { phase: 'quote', quote: quoteStatus(quoted), payment: 'draft', delivery: 'draft' },
    ...quoteTimes(ctx, quoted.settings),
  });
}

function quoteStatus({ unavailable, request, settings, priced }: Quoted): OuterStatus['quote'] {
  if (unavailable) return 'all-line-items-unavailable';
  const { physicalAddress, ...recipient } = request.recipient;
  if (Object.keys(recipient).length === 0) return 'requires-recipient';
  return priced && !physicalAddress && isShipped(settings, priced.terms) ? 'requires-physical-address' : 'valid';
}
