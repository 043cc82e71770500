/**
 * Where it stands what projects and owners may spend for fees, and did: of families whose fee
 * payers are the service's, and of executors, who pay gas. Amounts are in the smallest unit of the
 * chain's native token.
 */
export const feeTables = {
  fees: {
    word: 'fee',
    budgets: 'fee_budgets',
    projectDay: 'project_day_minor',
    ownerDay: 'owner_day_minor',
    /** Of a row of budgets. */
    columns:
      'id, project_id, chain, project_day_minor as project_day, owner_day_minor as owner_day, version, mac',
    spent: 'fee_spent',
    spending: 'fee_spending',
    sum: 'minor',
    /** More than any sum: the most that its column takes. */
    sumMax: '9'.repeat(40),
  },
  gas: {
    word: 'gas',
    budgets: 'evm_gas_budgets',
    projectDay: 'project_day_wei',
    ownerDay: 'owner_day_wei',
    /** Of a row of budgets. */
    columns:
      'id, project_id, chain, project_day_wei as project_day, owner_day_wei as owner_day, version, mac',
    spent: 'evm_gas_spent',
    spending: 'evm_spending',
    sum: 'spent_wei',
    /** More than any sum: the most that its column takes. */
    sumMax: '9'.repeat(78),
  },
} as const;

export type FeeKind = keyof typeof feeTables;
