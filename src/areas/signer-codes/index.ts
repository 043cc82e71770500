export { emailSigner, phoneSigner } from './identity.ts';
