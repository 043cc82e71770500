import { defineMachine } from '../../machine/machine.ts';

/**
 * Public states of an agent checkout (supplement, section 22). What happens inside of `running` are
 * the steps of its run.
 */
export const agentCheckoutMachine = defineMachine('agent-checkout', [
  ['*', 'created', 'queued'],
  ['queued', 'claimed', 'running', 'a runner is free'],
  ['running', 'user-needed', 'awaiting_user_action'],
  ['running', 'requeued', 'queued', 'the runner was lost before the paying click'],
  ['awaiting_user_action', 'submitted', 'running', 'values fit'],
  ['awaiting_user_action', 'declined', 'running', 'the run decides whether it can go on'],
  ['awaiting_user_action', 'action-expired', 'failed'],
  ['awaiting_user_action', 'superseded', 'running', 'the runner was lost while it waited'],
  ['running', 'succeeded', 'succeeded', 'ordered'],
  ['running', 'failed', 'failed', 'above the cap, stuck, declined'],
  ['queued', 'failed', 'failed', 'no runner in time'],
  ['awaiting_user_action', 'failed', 'failed', 'the run is past its time'],
  [
    'failed',
    'found-used',
    'failed',
    'it ended without an order, and its card was charged: now unknown',
  ],
  ['cancelled', 'found-used', 'failed', 'its card was charged: now unknown'],
  [
    'failed',
    'found-placed',
    'succeeded',
    'its outcome was unknown, and an operator has found the order',
  ],
  [
    'failed',
    'found-not-placed',
    'failed',
    'its outcome was unknown, and an operator has found no order',
  ],
  ['queued', 'cancelled', 'cancelled'],
  ['running', 'cancelled', 'cancelled'],
  ['awaiting_user_action', 'cancelled', 'cancelled'],
]);

export const agentCheckoutStatuses = [
  'queued',
  'running',
  'awaiting_user_action',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type AgentCheckoutStatus = (typeof agentCheckoutStatuses)[number];
export type AgentCheckoutEvent = (typeof agentCheckoutMachine.transitions)[number]['event'];
