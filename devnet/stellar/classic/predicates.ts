import { xdr } from '@stellar/stellar-sdk/base';

/** A time that is told relative to the creation is kept as the time it means. */
export function startClock(claimant: xdr.Claimant, now: bigint): xdr.Claimant {
  const { destination, predicate } = claimant.v0;
  return xdr.Claimant.claimantTypeV0(
    new xdr.ClaimantV0({ destination, predicate: absolute(predicate, now) }),
  );
}

function absolute(predicate: xdr.ClaimPredicate, now: bigint): xdr.ClaimPredicate {
  const make = xdr.ClaimPredicate;
  switch (predicate.type) {
    case 'claimPredicateBeforeRelativeTime':
      return make.claimPredicateBeforeAbsoluteTime(now + predicate.relBefore);
    case 'claimPredicateAnd':
      return make.claimPredicateAnd(predicate.andPredicates.map((one) => absolute(one, now)));
    case 'claimPredicateOr':
      return make.claimPredicateOr(predicate.orPredicates.map((one) => absolute(one, now)));
    case 'claimPredicateNot':
      return make.claimPredicateNot(
        predicate.notPredicate && absolute(predicate.notPredicate, now),
      );
    default:
      return predicate;
  }
}

export function isClaimable(predicate: xdr.ClaimPredicate, now: bigint): boolean {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true;
    case 'claimPredicateBeforeAbsoluteTime':
      return now < predicate.absBefore;
    case 'claimPredicateAnd':
      return predicate.andPredicates.every((one) => isClaimable(one, now));
    case 'claimPredicateOr':
      return predicate.orPredicates.some((one) => isClaimable(one, now));
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && !isClaimable(predicate.notPredicate, now);
    default:
      return false;
  }
}
