export { operationsCommand, operationsUsage } from './command.ts';
export { beginOperation, type Operation } from './operations.ts';
