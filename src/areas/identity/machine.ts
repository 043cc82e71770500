import { defineMachine } from '../../machine/machine.ts';

/** States of one entry of a user's eligibility (supplement, section 22). */
export const eligibilityMachine = defineMachine('user-eligibility', [
  { from: '*', event: 'user-created', to: 'not-started' },
  {
    from: 'not-started',
    event: 'policy-missing',
    to: 'pending-privacy-policy',
    when: 'start; no legal document that is in force',
  },
  {
    from: 'requires-data',
    event: 'policy-missing',
    to: 'pending-privacy-policy',
    when: 'start; a new policy came meanwhile',
  },
  {
    from: 'pending-privacy-policy',
    event: 'policy-missing',
    to: 'pending-privacy-policy',
    when: 'start again',
  },
  { from: 'pending-privacy-policy', event: 'policy-accepted', to: 'not-started' },
  {
    from: 'not-started',
    event: 'data-missing',
    to: 'requires-data',
    when: 'start; data or documents are lacking',
  },
  { from: 'requires-data', event: 'data-missing', to: 'requires-data', when: 'start again' },
  {
    from: 'not-started',
    event: 'submitted',
    to: 'pending-review',
    when: 'start; complete, or the company asks the person itself',
  },
  {
    from: 'requires-data',
    event: 'submitted',
    to: 'pending-review',
    when: 'start; complete, or the company asks the person itself',
  },
  {
    from: 'pending-privacy-policy',
    event: 'submitted',
    to: 'pending-review',
    when: 'an order needs it: the company takes the consent on its page',
  },
  { from: 'pending-review', event: 'passed', to: 'verified' },
  { from: 'pending-review', event: 'refused', to: 'rejected' },
  {
    from: 'pending-review',
    event: 'document-requested',
    to: 'requires-data',
    when: 'the company asks for better documents',
  },
  {
    from: 'pending-review',
    event: 'not-reviewed',
    to: 'not-started',
    when: 'the inquiry expired, or the company did not take it',
  },
  {
    from: 'pending-review',
    event: 'data-changed',
    to: 'not-started',
    when: 'other data than is being reviewed, or what the company was to ask for has come',
  },
  {
    from: 'verified',
    event: 'data-changed',
    to: 'not-started',
    when: 'other data than was reviewed',
  },
  {
    from: 'rejected',
    event: 'data-changed',
    to: 'not-started',
    when: 'other data than was reviewed',
  },
]);

export type EligibilityStatus =
  | 'not-started'
  | 'pending-privacy-policy'
  | 'requires-data'
  | 'pending-review'
  | 'verified'
  | 'rejected';
export type EligibilityEvent = (typeof eligibilityMachine.transitions)[number]['event'];
