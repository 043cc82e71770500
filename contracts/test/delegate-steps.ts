import fc from 'fast-check';

/** What the actors of `delegate-world.ts` do, at random. */

export const walletCount = 2;
export const signerCount = 4;

const anIndex = fc.nat({ max: 1_000 });

/** Null but for one time in `oneIn`. */
function rarely<T>(arbitrary: fc.Arbitrary<T>, oneIn: number): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const aScope = fc.record({
  token: fc.nat({ max: 2 }),
  limit: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 6 }),
  interval: fc.constantFrom(0, 100, 1_000),
  recipients: fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { freq: 2 }),
});
/** Of a scope that the signer has, and within its list, unless it goes astray. */
const aPayment = fc.record({
  scope: anIndex,
  recipient: anIndex,
  amount: fc.integer({ min: 0, max: 45 }).map(BigInt),
  astray: rarely(
    fc.oneof(
      fc.record({ token: fc.nat({ max: 2 }) }),
      fc.record({ recipient: fc.nat({ max: 2 }) }),
      fc.record({
        form: fc.constantFrom('approve' as const, 'more bytes' as const, 'with value' as const),
      }),
      fc.record({ form: fc.constant('to the module' as const) }),
    ),
    5,
  ),
});
const aWho = { wallet: fc.nat({ max: walletCount - 1 }), signer: fc.nat({ max: signerCount - 1 }) };
const otherScopes = fc.array(fc.nat({ max: 3 }), { maxLength: 3 });

export const aStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('register' as const),
      ...aWho,
      scopes: fc.array(aScope, { maxLength: 3 }),
      opensIn: fc.constantFrom(0, 0, 0, 0, 200),
      closesIn: fc.constantFrom(undefined, undefined, undefined, 300, 2_000),
      held: rarely(fc.constant(true), 4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('remove' as const),
      ...aWho,
      held: rarely(fc.constant(true), 4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      ...aWho,
      /** By asking for it, or by managing the wallet. */
      how: fc.constantFrom('bump' as const, 'manage' as const),
      held: rarely(fc.constant(true), 4),
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('spend' as const),
      ...aWho,
      payments: fc.oneof(
        fc.array(aPayment, { minLength: 1, maxLength: 1 }),
        fc.array(aPayment, { minLength: 1, maxLength: 3 }),
      ),
      otherScopes: rarely(otherScopes, 7),
      gas: fc.constantFrom(300_000n, 600_000n, 1_200_000n),
      /** Signed only; somebody may submit it later. */
      held: rarely(fc.constant(true), 3),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      which: anIndex,
      otherScopes: rarely(otherScopes, 3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('batch' as const),
      which: fc.array(anIndex, { minLength: 2, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('hook' as const),
      which: anIndex,
      reverts: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('intrude' as const),
      ...aWho,
      what: fc.nat({ max: 5 }),
      how: fc.constantFrom('directly' as const, 'forward' as const, 'delegate' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.constantFrom(99, 100, 999, 1_000)),
    }),
  },
);
export type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

/** Registrations that a world starts with. */
export const someRegistrations = fc.array(fc.array(aScope, { maxLength: 3 }), {
  minLength: signerCount,
  maxLength: signerCount,
});

/**
 * What the window that is open at `at` has seen: windows start with the first spend after the one
 * before is over.
 */
export function windowSum(
  list: readonly { readonly at: number; readonly amount: bigint }[],
  interval: number,
  at: number,
): bigint {
  let start = Number.NEGATIVE_INFINITY;
  let sum = 0n;
  for (const spend of list) {
    const isOver =
      start === Number.NEGATIVE_INFINITY || (interval > 0 && spend.at >= start + interval);
    if (isOver) [start, sum] = [spend.at, 0n];
    sum += spend.amount;
  }
  return interval > 0 && at >= start + interval ? 0n : sum;
}
