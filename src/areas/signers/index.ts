export { walletsCommand } from './command.ts';
export { signerChangeMachine } from './machine.ts';
export { compareSigners } from './reconcile.ts';
export { closeSignerChanges, settleRegistrations } from './settle.ts';
export { readSignerChange, type ShownChange } from './view.ts';
