export { allowsOrigin, allowsValue } from './allow-lists.ts';
export {
  type IssuedKey,
  type IssueKeyInput,
  issueKey,
  listClientOrigins,
  listKeys,
  overlapMsMax,
  revokeKey,
  rotateKey,
} from './api-keys.ts';
export { keysCommand, keysUsage } from './command.ts';
export { type CheckedKey, createKeyCheck, type KeyCheck, keyCacheMs } from './key-check.ts';
export { publicKeyOfSeed } from './key-format.ts';
export { createKeyWait, type KeyWait } from './key-wait.ts';
export { type KeyLine, listKeyLines } from './lines.ts';
export { allScopes, type Scope, scopesOf, scopeTable } from './scopes.ts';
export { type ApiKey, sealedApiKeys, sealedKey } from './store.ts';
