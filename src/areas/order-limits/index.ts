export {
  checkSingle,
  countLimits,
  type LimitsInput,
  type LimitView,
  pruneLimits,
  readLimits,
  releaseLimits,
  type TakeLimitsInput,
  takeLimits,
} from './order-limits.ts';
export { type LimitRule, limitRuleSchema, type VerificationLevel } from './rules.ts';
export { hasUses } from './store.ts';
