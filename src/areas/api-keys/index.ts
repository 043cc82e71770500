export { allowsOrigin, allowsValue } from './allow-lists.ts';
export { issueKey, listClientOrigins, listKeys, revokeKey, rotateKey } from './api-keys.ts';
export { keysCommand, keysUsage } from './command.ts';
export { type CheckedKey, createKeyCheck, type KeyCheck, keyCacheMs } from './key-check.ts';
export { publicKeyOfSeed } from './key-format.ts';
export { createKeyWait, type KeyWait } from './key-wait.ts';
export { type KeyLine, listKeyLines } from './lines.ts';
export { scopesOf } from './scopes.ts';
export { sealedApiKeys, sealedKey } from './store.ts';
