export { getBuyerProfile, openBuyerProfile } from './buyer-profiles.ts';
export { buyerProfileRoutes } from './routes.ts';
