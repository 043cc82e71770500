import { defineMachine } from '../../machine/machine.ts';

/**
 * Public states of an agent checkout (supplement, section 22). What happens inside of `running` are
 * the steps of its run.
 */
export const agentCheckoutMachine = defineMachine('agent-checkout', [
  { from: '*', event: 'created', to: 'queued' },
  { from: 'queued', event: 'claimed', to: 'running', when: 'a runner is free' },
  { from: 'running', event: 'user-needed', to: 'awaiting_user_action' },
  {
    from: 'running',
    event: 'requeued',
    to: 'queued',
    when: 'the runner was lost before the paying click',
  },
  { from: 'awaiting_user_action', event: 'submitted', to: 'running', when: 'values fit' },
  {
    from: 'awaiting_user_action',
    event: 'declined',
    to: 'running',
    when: 'the run decides whether it can go on',
  },
  { from: 'awaiting_user_action', event: 'action-expired', to: 'failed' },
  {
    from: 'awaiting_user_action',
    event: 'superseded',
    to: 'running',
    when: 'the runner was lost while it waited',
  },
  { from: 'running', event: 'succeeded', to: 'succeeded', when: 'ordered' },
  { from: 'running', event: 'failed', to: 'failed', when: 'above the cap, stuck, declined' },
  { from: 'queued', event: 'failed', to: 'failed', when: 'no runner in time' },
  { from: 'awaiting_user_action', event: 'failed', to: 'failed', when: 'the run is past its time' },
  {
    from: 'failed',
    event: 'found-used',
    to: 'failed',
    when: 'it ended without an order, and its card was charged: now unknown',
  },
  {
    from: 'cancelled',
    event: 'found-used',
    to: 'failed',
    when: 'its card was charged: now unknown',
  },
  {
    from: 'failed',
    event: 'found-placed',
    to: 'succeeded',
    when: 'its outcome was unknown, and an operator has found the order',
  },
  {
    from: 'failed',
    event: 'found-not-placed',
    to: 'failed',
    when: 'its outcome was unknown, and an operator has found no order',
  },
  { from: 'queued', event: 'cancelled', to: 'cancelled' },
  { from: 'running', event: 'cancelled', to: 'cancelled' },
  { from: 'awaiting_user_action', event: 'cancelled', to: 'cancelled' },
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
