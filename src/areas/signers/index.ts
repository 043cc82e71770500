export { signerChangeMachine } from './machine.ts';
export { walletsCommand } from './operator/command.ts';
export { readSignerLimits } from './operator/limits.ts';
export { compareSigners } from './reconcile.ts';
export { closeSignerChanges, settleRegistrations } from './settle.ts';
export { readSignerChange, type ShownChange } from './view.ts';
