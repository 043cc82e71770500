import { defineMachine } from '../../machine/machine.ts';

/**
 * States of an endpoint. A disabled one keeps what is pending and gets nothing new; `deleted` is on
 * its way out.
 */
export const endpointMachine = defineMachine('webhook-endpoint', [
  ['*', 'create', 'enabled'],
  ['enabled', 'disable', 'disabled', 'asked'],
  ['enabled', 'gone', 'disabled', 'the receiver answered 410'],
  ['enabled', 'failing', 'disabled', 'every attempt of five days failed'],
  ['disabled', 'enable', 'enabled'],
  ['enabled', 'delete', 'deleted'],
  ['disabled', 'delete', 'deleted'],
]);

export type EndpointStatus = 'enabled' | 'disabled' | 'deleted';

/** States of one delivery: an event on its way to one endpoint (supplement, section 22). */
export const deliveryMachine = defineMachine('webhook-delivery', [
  ['*', 'queue', 'pending'],
  ['pending', 'attempt-failed', 'retrying', 'attempts are left'],
  ['pending', 'acknowledged', 'delivered', '2xx in time'],
  ['pending', 'gone', 'failed', 'the receiver answered 410'],
  [
    'pending',
    'expired',
    'failed',
    'its event is past the retention, or something of it was changed behind the service',
  ],
  ['retrying', 'attempt-failed', 'retrying', 'attempts are left'],
  ['retrying', 'acknowledged', 'delivered', '2xx in time'],
  ['retrying', 'attempts-used-up', 'failed', 'the eighth attempt failed'],
  ['retrying', 'gone', 'failed', 'the receiver answered 410'],
  [
    'retrying',
    'expired',
    'failed',
    'its event is past the retention, or something of it was changed behind the service',
  ],
  ['delivered', 'resend', 'pending', 'by hand: all attempts anew, the same webhook-id'],
  ['failed', 'resend', 'pending', 'by hand: all attempts anew, the same webhook-id'],
]);

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
/**
 * As the queue stores it: what is retried is what is pending and has had an attempt, so that one
 * index serves both.
 */
export type StoredDeliveryStatus = Exclude<DeliveryStatus, 'retrying'>;
export type DeliveryEvent = (typeof deliveryMachine.transitions)[number]['event'];

/** States of a replay: the events of a time range on their way into the queue of an endpoint. */
export const replayMachine = defineMachine('webhook-replay', [
  ['*', 'create', 'running'],
  ['running', 'all-queued', 'completed'],
  ['running', 'endpoint-disabled', 'canceled', 'disabled or deleted meanwhile'],
]);

export type ReplayStatus = 'running' | 'completed' | 'canceled';
