export { collectionsCommand } from './command.ts';
export { deployTestCollection } from './deploy-test.ts';
export { findCollection, findTokenOnSale } from './find-offer.ts';
export { findChain as findCollectionChain } from './offers.ts';
export {
  countItems,
  type ReserveInput,
  releaseItems,
  reserveItems,
  SoldOut,
  selectReserved,
} from './reservations.ts';
export { type Offer, sealedOffers, selectOffer } from './store.ts';
