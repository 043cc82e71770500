export {
  findPendingApproval,
  type PendingApprovalPlace,
  submitSignatureApprovals,
} from './approvals.ts';
export { assembleSignatures } from './assemble.ts';
export {
  type CreateOperationSignatureInput,
  createOperationSignature,
  createSignature,
} from './create.ts';
export { declineSignature } from './decline.ts';
export { signatureMachine } from './machine.ts';
export { signatureSchema } from './schema.ts';
export { closeSignatureWindows, settleSignatures } from './settle.ts';
export { getSignature, getSignaturesById } from './signatures.ts';
export { type SignatureRecord, sealedSignatures, signatureSubject } from './store.ts';
export { signatureView } from './view.ts';
