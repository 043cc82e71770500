export { getBrowserProfile } from './browser-profiles.ts';
export { eraseProfileFlow } from './erase-flow.ts';
export { countProfileKeys, rewrapProfileKeys } from './rewrap.ts';
export { browserProfileRoutes } from './routes.ts';
export {
  readBrowserState,
  releaseBrowserProfile,
  type StateSnapshot,
  saveBrowserState,
  useBrowserProfile,
} from './state.ts';
