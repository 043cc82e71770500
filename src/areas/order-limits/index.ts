export {
  type ClaimLimitsInput,
  checkSingle,
  claimLimits,
  countLimits,
  type LimitsInput,
  type LimitView,
  pruneLimits,
  readLimits,
  releaseLimits,
} from './order-limits.ts';
export { type LimitRule, limitRuleSchema, type VerificationLevel } from './rules.ts';
export { sealedLimitUsage, sealedLimitUses } from './sealed.ts';
export { hasUses } from './store.ts';
