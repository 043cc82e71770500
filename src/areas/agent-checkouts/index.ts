export { expireActions } from './actions.ts';
export { agentCheckoutRoutes } from './routes.ts';
