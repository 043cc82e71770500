export {
  checkoutCurrencies,
  fiatCurrencies,
  isFiat,
  offrampCurrencies,
  onrampCurrencies,
} from './fiat.ts';
export { type Priced, type PricedItem, priceOrder } from './price-order.ts';
export { isQuoteOver, quoteTimes } from './quote-life.ts';
export {
  isFairPrice,
  isNoWorse,
  isWithinSlippage,
  type Repriced,
  repriceOrder,
} from './reprice.ts';
export {
  defaultOrderSettings,
  type OrderSettings,
  type OrderSettingsInput,
  orderSettingsSchema,
} from './settings.ts';
export { readOrderSettings, readOwnSettings, writeOwnSettings } from './settings-store.ts';
export { requireChain, type Unavailable } from './sides.ts';
