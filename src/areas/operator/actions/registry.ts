import { checkoutAttention, checkoutRules } from '../../agent-checkouts/index.ts';
import { keyRules } from '../../api-keys/index.ts';
import { approvalPageRules } from '../../approval-page/index.ts';
import { identityRules } from '../../identity/index.ts';
import { type AttentionSource, type OperatorRule, operatorRule } from '../../operations/index.ts';
import { orderAttention, orderRules } from '../../orders/index.ts';
import { issuerRules } from '../../projects/index.ts';
import { differenceAttention, reconciliationRules } from '../../reconciliation/index.ts';
import { treasuryRules } from '../../treasury/index.ts';
import { webhookRules } from '../../webhooks/index.ts';
import { sessionRules } from '../operators/rules.ts';
import { userErase } from '../people/erase-user.ts';
import { userSignOut } from '../people/sign-out-user.ts';
import { clockRules } from './clock-rule.ts';
import { secondPersonAttention, secondPersonRules } from './second-person.ts';

const rulesOf = (): ReadonlyMap<string, OperatorRule> => operatorRules;

/** What an operator may decide, by name. An area adds its rules here. */
export const operatorRules: ReadonlyMap<string, OperatorRule> = new Map(
  [
    ...secondPersonRules(rulesOf),
    ...orderRules,
    ...checkoutRules,
    ...treasuryRules,
    ...webhookRules,
    ...approvalPageRules,
    ...reconciliationRules,
    ...identityRules,
    operatorRule(userErase),
    operatorRule(userSignOut),
    ...sessionRules,
    ...keyRules,
    ...issuerRules,
    ...clockRules,
  ].map((rule) => [rule.name, rule]),
);

/** What waits for an operator. An area adds what it has here. */
export const attentionSources: readonly AttentionSource[] = [
  ...secondPersonAttention(rulesOf),
  ...orderAttention,
  ...checkoutAttention,
  ...differenceAttention,
];
