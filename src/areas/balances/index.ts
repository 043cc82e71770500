export { readTokenBalance } from './balances.ts';
export { balancesRoutes } from './routes.ts';
