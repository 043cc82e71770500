export { type AuditHead, type AuditVerdict, readHead } from '../store/audit-log.ts';
export { type AuditEvent, checkAudit } from './audit/audit.ts';
export { openRecord, type RecordContext, sealRecord } from './keys/sealed-record.ts';
export {
  destroyUserKeys,
  findUserKey,
  readUserKey,
  type UserKey,
  type UserKeyColumns,
  userKeyColumns,
} from './keys/user-keys.ts';
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
export { type AnyInternalOperation, internalOperation, type VaultPeer } from './server/internal-operation.ts';
export { openVault, type Vault, type VaultCtx, type VaultRequestCtx } from './vault.ts';
