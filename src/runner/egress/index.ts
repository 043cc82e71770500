export { explainRefusal } from './explain.ts';
export { readOriginPattern } from './origins.ts';
export {
  type EgressDecision,
  type EgressProxy,
  type EgressProxyOptions,
  openEgressProxy,
} from './proxy.ts';
