export { emailSigner, phoneSigner } from './identity.ts';
export { pruneSignerCodes } from './prune.ts';
