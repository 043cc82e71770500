import { defineMachine } from '../../machine/machine.ts';

/** States of one entry of a user's eligibility (supplement, section 22). */
export const eligibilityMachine = defineMachine('user-eligibility', [
  ['*', 'user-created', 'not-started'],
  [
    'not-started',
    'policy-missing',
    'pending-privacy-policy',
    'start; no legal document that is in force',
  ],
  [
    'requires-data',
    'policy-missing',
    'pending-privacy-policy',
    'start; a new policy came meanwhile',
  ],
  ['pending-privacy-policy', 'policy-missing', 'pending-privacy-policy', 'start again'],
  ['pending-privacy-policy', 'policy-accepted', 'not-started'],
  ['not-started', 'data-missing', 'requires-data', 'start; data or documents are lacking'],
  ['requires-data', 'data-missing', 'requires-data', 'start again'],
  [
    'not-started',
    'submitted',
    'pending-review',
    'start; complete, or the company asks the person itself',
  ],
  [
    'requires-data',
    'submitted',
    'pending-review',
    'start; complete, or the company asks the person itself',
  ],
  [
    'pending-privacy-policy',
    'submitted',
    'pending-review',
    'an order needs it: the company takes the consent on its page',
  ],
  ['pending-review', 'passed', 'verified'],
  ['pending-review', 'refused', 'rejected'],
  [
    'pending-review',
    'document-requested',
    'requires-data',
    'the company asks for better documents',
  ],
  [
    'pending-review',
    'not-reviewed',
    'not-started',
    'the inquiry expired, or the company did not take it',
  ],
  [
    'pending-review',
    'data-changed',
    'not-started',
    'other data than is being reviewed, or what the company was to ask for has come',
  ],
  ['verified', 'data-changed', 'not-started', 'other data than was reviewed'],
  ['rejected', 'data-changed', 'not-started', 'other data than was reviewed'],
]);

export type EligibilityStatus =
  | 'not-started'
  | 'pending-privacy-policy'
  | 'requires-data'
  | 'pending-review'
  | 'verified'
  | 'rejected';
export type EligibilityEvent = (typeof eligibilityMachine.transitions)[number]['event'];
