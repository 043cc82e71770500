export { fundingRoutes } from './routes.ts';
