export { balancesRoutes } from './routes.ts';
export { readTokenBalance } from './balances.ts';
