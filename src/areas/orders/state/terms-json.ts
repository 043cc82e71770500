import type { OrderAmount, OrderFee, OrderTerms } from './types.ts';

/** Terms as they are stored: JSON has no big integers, so amounts are text. */
type Stored<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Stored<T[Key]> }
      : T;
export type StoredTerms = Stored<OrderTerms>;

export function encodeTerms({ pay, receive, value, unit, fees, items, ...rest }: OrderTerms): StoredTerms {
  return {
    ...rest,
    pay: encodeAmount(pay),
    receive: encodeAmount(receive),
    value: encodeAmount(value),
    unit: encodeAmount(unit),
    fees: fees.map(encodeAmount),
    ...(items && { items: items.map(encodeTerms) }),
  };
}

export function decodeTerms({ pay, receive, value, unit, fees, items, ...rest }: StoredTerms): OrderTerms {
  return {
    ...rest,
    pay: decodeAmount<OrderAmount>(pay),
    receive: decodeAmount<OrderAmount>(receive),
    value: decodeAmount<OrderAmount>(value),
    unit: decodeAmount<OrderAmount>(unit),
    fees: fees.map(decodeAmount<OrderFee>),
    ...(items && { items: items.map(decodeTerms) }),
  };
}

function encodeAmount<A extends OrderAmount>(amount: A): Stored<A> {
  return { ...amount, amountMinor: amount.amountMinor.toString() } as Stored<A>;
}

function decodeAmount<A extends OrderAmount>(stored: Stored<A>): A {
  const { amountMinor } = stored as { readonly amountMinor: string };
  return { ...stored, amountMinor: BigInt(amountMinor) } as unknown as A;
}
