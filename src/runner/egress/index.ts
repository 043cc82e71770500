export { explainRefusal } from './explain.ts';
export { type EgressTarget, isBlockedBy, isWithin, type OriginPattern, readOriginPattern } from './origins.ts';
export { type EgressDecision, type EgressLimits, type EgressProxy, type EgressProxyOptions, openEgressProxy } from './proxy.ts';
export { type EgressRefusal, type ResolveName } from './rules.ts';
