export { pruneSignerCodes } from './prune.ts';
