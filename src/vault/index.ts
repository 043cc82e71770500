export type { AuditEvent, AuditHead } from './audit.ts';
export { type AuditVerdict, checkAudit, readHead } from './audit-check.ts';
export { type AnyInternalOperation, internalOperation, type VaultPeer } from './internal-operation.ts';
export {
  deletePersons,
  insertOwners,
  lockPersonsOfKeys,
  lockPersonsOfOwners,
  movePersons,
  noteErasedPersons,
  notePerson,
  selectOwnerRefs,
} from './persons.ts';
export { openRecord, type RecordContext, sealRecord } from './sealed-record.ts';
export {
  destroyUserKeys,
  findUserKey,
  readUserKey,
  type UserKey,
  type UserKeyColumns,
  userKeyColumns,
} from './user-keys.ts';
export { openVault, type Vault, type VaultCtx, type VaultRequestCtx } from './vault.ts';
