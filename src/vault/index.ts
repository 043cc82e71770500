export { type AuditHead, readHead } from '../store/audit-log.ts';
export { checkAudit } from './audit/audit.ts';
export { openRecord, sealRecord } from './keys/sealed-record.ts';
export {
  destroyUserKeys,
  readUserKey,
  type UserKey,
  type UserKeyColumns,
  userKeyColumns,
} from './keys/user-keys.ts';
export {
  countErasedMethods,
  deletePersons,
  insertOwners,
  lockPersonsOfKeys,
  lockPersonsOfOwners,
  movePersons,
  noteErasedPersons,
  notePerson,
  selectOwnerRefs,
} from './persons.ts';
export {
  type AnyInternalOperation,
  internalOperation,
  type VaultPeer,
} from './server/internal-operation.ts';
export { openVault, type Vault, type VaultCtx, type VaultRequestCtx } from './vault.ts';
