export { clockCommand } from './command.ts';
export { applyClock, type KeptClock, keepClock, moveVaultClock, partName } from './follow.ts';
export { readClock } from './store.ts';
