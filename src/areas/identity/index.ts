export { kycCallbackRoute, pruneIdentityCallbacks, receiveKycCallback } from './callbacks.ts';
export { type EligibilityEntry, readEligibility, readGaps, verifiedTypes } from './eligibility.ts';
export { identityRedactFlow, identityReviewFlow, redactPerson } from './flow.ts';
export { followUserChange, getEligibility, startIdentityVerification } from './identity.ts';
export { type InquiryCtx, type OpenInquiry, openInquiry } from './open-inquiry.ts';
export { policyType, policyUrl } from './policy.ts';
export { isProductEnabled, requireProduct, setProductEnabled } from './product.ts';
export { type EligibilityType, eligibilityTypes, lightVolumeUsd, requiredType } from './requirements.ts';
export { sandboxInquiryRoutes } from './sandbox-page.ts';
