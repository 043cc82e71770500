import type { JsonObject } from '../../../lib/json/json.ts';
import type { InquiryGap } from '../../../providers/kyc/kyc.ts';
import type { OpenInquiry } from '../../identity/index.ts';
import type { OrderRecord } from '../state/types.ts';

const gapWords: Readonly<Record<InquiryGap, string>> = {
  consent: 'the consent to the privacy policy',
  'user-details': 'name, date of birth and country of residence',
  'kyc-data': 'nationality, address and identity document',
  id: 'pictures of an identity document',
  'proof-of-address': 'a proof of address',
};

const gapCalls: Readonly<Record<InquiryGap, string>> = {
  consent: 'PUT …/legal-documents with type "svc-privacy-policy"',
  'user-details': 'userDetails with PUT …',
  'kyc-data': 'kycData with PUT …',
  id: 'POST …/documents with documentType "id-passport", or both sides of an identity card',
  'proof-of-address': 'POST …/documents with documentType "proof-of-address"',
};

/**
 * The payer has something to do at the company: `preparation` says what, and how else it can be
 * had. Without a new way in the known one stays. It names nobody: whoever holds the secret of an
 * order for somebody else's wallet reads it too.
 */
export function prepareInquiry(
  order: OrderRecord,
  {
    inquiry,
    gaps,
  }: { readonly inquiry: OpenInquiry | undefined; readonly gaps: readonly InquiryGap[] },
): JsonObject {
  const steps = [
    'The payer has to be verified: open preparation.kyc.url in their browser, or the component of preparation.kyc.provider with what stands beside it. The order goes on by itself then; read it until payment.status changes.',
  ];
  if (gaps.length > 0)
    steps.push(
      `There the payer gives ${gaps.map((gap) => gapWords[gap]).join('; ')}.`,
      `Or you send that for them (… is /2025-06-09/users/{userLocator}): ${gaps.map((gap) => gapCalls[gap]).join('; ')}; then PUT …/identity-verification.`,
    );
  return { ...othersOf(order), ...shownKyc(order, inquiry), message: steps.join(' ') };
}

/** Nobody has to do anything. */
export function prepareReview(order: OrderRecord, inquiry?: OpenInquiry): JsonObject {
  const message =
    'The identity company looks at the data of the payer. Nothing is to be done: read the order until payment.status changes.';
  return { ...othersOf(order), ...(inquiry && { kyc: kycView(inquiry) }), message };
}

function shownKyc({ facts }: OrderRecord, inquiry: OpenInquiry | undefined): JsonObject {
  const kyc = inquiry ? kycView(inquiry) : facts.preparation?.kyc;
  return kyc === undefined ? {} : { kyc };
}

function kycView({
  provider,
  inquiryId,
  sessionToken,
  environmentId,
  url,
}: OpenInquiry): JsonObject {
  return {
    provider,
    inquiryId,
    sessionToken,
    ...(environmentId !== undefined && { environmentId }),
    ...(url !== undefined && { url }),
  };
}

function othersOf({ facts }: OrderRecord): JsonObject {
  const { kyc: _, message: __, ...others } = facts.preparation ?? {};
  return others as JsonObject;
}
