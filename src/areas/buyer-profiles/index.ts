export { type BuyerProfile, getBuyerProfile, openBuyerProfile } from './buyer-profiles.ts';
export { buyerProfileRoutes } from './routes.ts';
export type { BuyerProfileContent } from './schema.ts';
