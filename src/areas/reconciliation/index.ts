export { differenceAttention } from './attention.ts';
export { type ReconcileCommandInput, reconcileCommand } from './command.ts';
export { type Difference, selectOpen as selectOpenDifferences } from './differences-store.ts';
export { addReconciliationMetrics } from './metrics.ts';
export { type ReconcileOptions, reconcileProject, type Turn } from './reconcile.ts';
export { reconciliationRules } from './rules.ts';
export { readTurn, reconcileAll, reconcileBooks, reconcileBooksDaily, type TurnOptions } from './turns.ts';
export { type Comparison, comparisons, type Finding } from './types.ts';
