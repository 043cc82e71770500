export { clockCommand } from './command.ts';
export { applyClock, type KeptClock, keepClock, moveVaultClock, partName } from './follow.ts';
export { describeLength, readLength } from './length.ts';
export { advanceClock, readClock } from './store.ts';
