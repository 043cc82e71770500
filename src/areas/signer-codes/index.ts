export { pruneSignerCodes } from './prune.ts';
export { requestCode } from './request-code.ts';
export { signWithCode } from './sign.ts';
