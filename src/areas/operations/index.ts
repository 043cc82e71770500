export {
  type AttentionDecision,
  type AttentionItem,
  type AttentionPlace,
  type AttentionSource,
  countRows,
} from './attention.ts';
export {
  type Actor,
  type AuditLine,
  appendAudit,
  checkAudit,
  sealedAuditHead,
  selectAudit,
} from './audit.ts';
export { auditCommand } from './audit-command.ts';
export { readAuditTrail } from './audit-trail.ts';
export { operationsCommand, operationsUsage } from './command.ts';
export { beginOperation, type Operation } from './operations.ts';
export {
  commandLineActor,
  mayAct,
  type OperatorRole,
  type OperatorRule,
  operatorRoles,
  operatorRule,
  performRule,
  type RecordChange,
} from './rules.ts';
export { SecondPersonNeeded } from './second-person.ts';
