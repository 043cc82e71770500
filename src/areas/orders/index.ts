export { followCard } from './card-events.ts';
export { onrampFlow } from './onramp-flow.ts';
