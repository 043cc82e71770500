export {
  type ApprovalTarget,
  acceptEmptyList,
  applyApprovals,
  applyDecline,
  checkApprovals,
  declinedError,
  findAskedSigner,
  givenApprovals,
} from './approvals.ts';
export { makeFirstApprovals } from './first.ts';
export { readApprovals } from './read-body.ts';
export { requireShown } from './shown.ts';
export { signBuilt } from './sign-built.ts';
export type { ApprovalInput, Approvals, FirstApprovals, QuorumEntry } from './types.ts';
export { approvalsView } from './view.ts';
