export { kycCallbackRoute, pruneIdentityCallbacks } from './callbacks.ts';
export { readEligibility, readGaps, verifiedTypes } from './eligibility.ts';
export { identityRedactFlow, identityReviewFlow, redactPerson } from './flow.ts';
export { getEligibility } from './identity.ts';
export { type InquiryCtx, type OpenInquiry, openInquiry } from './open-inquiry.ts';
export { policyType, policyUrl } from './policy.ts';
export { identityRules, identitySwitch, isProductEnabled, setProductEnabled } from './product.ts';
export {
  type EligibilityType,
  eligibilityTypes,
  lightVolumeUsd,
  requiredType,
} from './requirements.ts';
export { sandboxInquiryRoutes } from './sandbox-page.ts';
export { sealedEntries, sealedIdentitySettings, sealedReviews } from './store.ts';
