export { differenceAttention } from './attention.ts';
export { reconcileCommand } from './command.ts';
export { addReconciliationMetrics } from './metrics.ts';
export { reconcileProject } from './reconcile.ts';
export { reconciliationRules } from './rules.ts';
export { readTurn, reconcileAll, reconcileBooks, reconcileBooksDaily } from './turns.ts';
