import type { Signer } from '../../chains/family.ts';
import type { Json, JsonObject } from '../../lib/json/json.ts';
import { signerView } from '../wallets/index.ts';
import {
  type Approvals,
  isQuorumEntry,
  type PendingApproval,
  type QuorumEntry,
  type SubmittedEntry,
} from './types.ts';

/** Fields of an approving signer beside type and locator (supplement, section 7). */
const shownFields: Readonly<Record<Signer['type'], readonly string[]>> = {
  'external-wallet': ['address'],
  server: ['address'],
  'api-key': ['address'],
  passkey: ['id'],
  device: ['publicKey', 'name'],
  email: ['email'],
  phone: ['phone'],
  quorum: [],
};

/** `approvals` of a transaction, a signature or a signer's registration. */
export function approvalsView(approvals: Approvals): JsonObject {
  return {
    required: approvals.required,
    pending: approvals.pending.map((entry) =>
      isQuorumEntry(entry) ? quorumView(entry) : pendingView(entry, approverView),
    ),
    submitted: approvals.submitted.map((entry) =>
      isQuorumEntry(entry) ? quorumView(entry) : submittedView(entry, approverView),
    ),
  };
}

function approverView(signer: Signer): JsonObject {
  const view: Record<string, Json> = { type: signer.type, locator: signer.locator };
  for (const field of shownFields[signer.type]) {
    const value = signer[field];
    if (value !== undefined) view[field] = value;
  }
  return view;
}

/** Members of a quorum are shown in full. */
function quorumView({ signer, quorumApprovals }: QuorumEntry): JsonObject {
  return {
    signer: approverView(signer),
    quorumApprovals: {
      threshold: quorumApprovals.threshold,
      remaining: quorumApprovals.remaining,
      pending: quorumApprovals.pending.map((entry) => pendingView(entry, signerView)),
      submitted: quorumApprovals.submitted.map((entry) => submittedView(entry, signerView)),
    },
  };
}

function pendingView(
  { signer, message }: PendingApproval,
  view: (signer: Signer) => JsonObject,
): JsonObject {
  return { signer: view(signer), message };
}

function submittedView(entry: SubmittedEntry, view: (signer: Signer) => JsonObject): JsonObject {
  const { signature, submittedAt, signer, message, metadata } = entry;
  return {
    signature,
    submittedAt,
    signer: view(signer),
    message,
    metadata,
  };
}
