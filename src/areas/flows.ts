import type { Ctx } from '../context.ts';
import type { FlowDefinition } from '../jobs/index.ts';
import type { JsonObject } from '../lib/json/json.ts';
import { runCardFlow } from './agent-checkouts/index.ts';
import { eraseProfileFlow } from './browser-profiles/index.ts';
import { identityRedactFlow, identityReviewFlow } from './identity/index.ts';
import {
  cardDisputeFlow,
  checkoutFlow,
  offrampFlow,
  onrampFlow,
  orderRefundFlow,
  receiptFlow,
} from './orders/index.ts';
import { announceFailedFlow } from './transactions/index.ts';
import { webhookReplayFlow } from './webhooks/index.ts';

/**
 * A definition whatever its state is: the engine hands each flow the state that its own definition
 * stored.
 */
const anyState = <S extends JsonObject>(flow: FlowDefinition<S, Ctx>) =>
  flow as unknown as FlowDefinition<JsonObject, Ctx>;

/** Durable work that the worker runs. A new area adds one line. */
export const flows: readonly FlowDefinition<JsonObject, Ctx>[] = [
  anyState(identityReviewFlow),
  anyState(identityRedactFlow),
  anyState(eraseProfileFlow),
  anyState(runCardFlow),
  anyState(webhookReplayFlow),
  anyState(announceFailedFlow),
  anyState(onrampFlow),
  anyState(cardDisputeFlow),
  anyState(checkoutFlow),
  anyState(offrampFlow),
  anyState(orderRefundFlow),
  anyState(receiptFlow),
];
