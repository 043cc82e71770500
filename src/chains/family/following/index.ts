export {
  BrokenHistoryError,
  type FinalHistory,
  type FollowerEntrances,
  type LastRead,
  type LookUps,
  type ReadFrom,
  type Stretch,
} from './history.ts';
export { type FollowingDeps, runFollower } from './run-follower.ts';
export { followerStatus } from './status.ts';
export { selectFinalHeight, watchChain } from './store.ts';
