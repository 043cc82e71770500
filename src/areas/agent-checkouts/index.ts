export { expireActions } from './actions.ts';
export { forgetCheckouts } from './erase.ts';
export { agentCheckoutRoutes } from './routes.ts';
