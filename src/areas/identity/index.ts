export { kycCallbackRoute, pruneIdentityCallbacks, receiveKycCallback } from './callbacks.ts';
export { type EligibilityEntry, readEligibility, verifiedTypes } from './eligibility.ts';
export { identityRedactFlow, identityReviewFlow } from './flow.ts';
export { followUserChange, getEligibility, startIdentityVerification } from './identity.ts';
export { type InquiryCtx, type OpenInquiry, openInquiry } from './open-inquiry.ts';
export { isProductEnabled, requireProduct, setProductEnabled } from './product.ts';
export { redactPerson } from './redact.ts';
export { type EligibilityType, eligibilityTypes, lightVolumeUsd, requiredType } from './requirements.ts';
export { sandboxInquiryRoutes } from './sandbox-page.ts';
