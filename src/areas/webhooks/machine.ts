import { defineMachine } from '../../machine/machine.ts';

/**
 * States of an endpoint. A disabled one keeps what is pending and gets nothing new; `deleted` is on
 * its way out.
 */
export const endpointMachine = defineMachine('webhook-endpoint', [
  { from: '*', event: 'create', to: 'enabled' },
  { from: 'enabled', event: 'disable', to: 'disabled', when: 'asked' },
  { from: 'enabled', event: 'gone', to: 'disabled', when: 'the receiver answered 410' },
  { from: 'enabled', event: 'failing', to: 'disabled', when: 'every attempt of five days failed' },
  { from: 'disabled', event: 'enable', to: 'enabled' },
  { from: 'enabled', event: 'delete', to: 'deleted' },
  { from: 'disabled', event: 'delete', to: 'deleted' },
]);

export type EndpointStatus = 'enabled' | 'disabled' | 'deleted';

/** States of one delivery: an event on its way to one endpoint (supplement, section 22). */
export const deliveryMachine = defineMachine('webhook-delivery', [
  { from: '*', event: 'queue', to: 'pending' },
  { from: 'pending', event: 'attempt-failed', to: 'retrying', when: 'attempts are left' },
  { from: 'pending', event: 'acknowledged', to: 'delivered', when: '2xx in time' },
  { from: 'pending', event: 'gone', to: 'failed', when: 'the receiver answered 410' },
  {
    from: 'pending',
    event: 'expired',
    to: 'failed',
    when: 'its event is past the retention, or something of it was changed behind the service',
  },
  { from: 'retrying', event: 'attempt-failed', to: 'retrying', when: 'attempts are left' },
  { from: 'retrying', event: 'acknowledged', to: 'delivered', when: '2xx in time' },
  { from: 'retrying', event: 'attempts-used-up', to: 'failed', when: 'the eighth attempt failed' },
  { from: 'retrying', event: 'gone', to: 'failed', when: 'the receiver answered 410' },
  {
    from: 'retrying',
    event: 'expired',
    to: 'failed',
    when: 'its event is past the retention, or something of it was changed behind the service',
  },
  {
    from: 'delivered',
    event: 'resend',
    to: 'pending',
    when: 'by hand: all attempts anew, the same webhook-id',
  },
  {
    from: 'failed',
    event: 'resend',
    to: 'pending',
    when: 'by hand: all attempts anew, the same webhook-id',
  },
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
  { from: '*', event: 'create', to: 'running' },
  { from: 'running', event: 'all-queued', to: 'completed' },
  {
    from: 'running',
    event: 'endpoint-disabled',
    to: 'canceled',
    when: 'disabled or deleted meanwhile',
  },
]);

export type ReplayStatus = 'running' | 'completed' | 'canceled';
