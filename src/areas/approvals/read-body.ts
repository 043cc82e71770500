import type { JsonObject } from '../../lib/json/json.ts';
import type { SubmitApprovalsBody } from './schema.ts';
import type { ApprovalInput } from './types.ts';

/** The list of a posted body. */
export function readApprovals(body: SubmitApprovalsBody): readonly ApprovalInput[] {
  return body.approvals.map(({ signer, signature, metadata }) => ({
    signer,
    signature,
    ...(metadata === undefined ? {} : { metadata: metadata satisfies JsonObject }),
  }));
}
