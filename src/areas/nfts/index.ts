export { nftRoutes } from './routes.ts';
