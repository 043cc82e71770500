export {
  type AccountCorrection,
  correctAccount,
  type OpenedPaymentMethod,
  type OpenInput,
  openPaymentMethod,
  recordPayout,
} from './open.ts';
export { ownerKeyOf } from './owner.ts';
export { paymentMethodRoutes } from './routes.ts';
export { type AccountSecrets, type PaymentMethodType, railsOfType } from './types.ts';
