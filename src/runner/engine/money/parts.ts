import type { ShopMoney } from '../../types.ts';
import type { PriceInfo } from '../page/snapshot.ts';
import { plain } from '../words/words.ts';

export type PartKind = 'subtotal' | 'shipping' | 'tax' | 'discount' | 'item';

const kinds: readonly (readonly [PartKind, RegExp])[] = [
  [
    'subtotal',
    /sub-? ?total|zwischensumme|sous-? ?total|warenwert|subtotaal|subtotale|delsum|valisumma|mezisoucet|medzisucet|czesciow|小計/,
  ],
  [
    'shipping',
    /shipping|delivery|postage|versand|liefer|livraison|envio|porto|spedizione|verzend|bezorg|frakt|fragt|leverans|levering|toimitus|frete|wysylk|dostaw|doprav|dorucen|送料|配送/,
  ],
  [
    'tax',
    /tax(?:es)?\b|vat\b|gst\b|mwst|ust\b|tva\b|iva\b|btw\b|moms\b|mva\b|alv\b|dph\b|podatek|taxe\b|impuesto|steuer|impost|消費税/,
  ],
  [
    'discount',
    /discount|rabatt|rabat\b|alennus|sleva|zlava|znizka|remise|descuento|coupon|gutschein|sconto|korting|saving|reduction/,
  ],
];

export function partKindOf(label: string): PartKind {
  const text = plain(label);
  return kinds.find(([, says]) => says.test(text))?.[0] ?? 'item';
}

/**
 * Subtotal and what is added or taken off, when they make the total; undefined when they do not.
 */
export function sumOfParts(
  prices: readonly PriceInfo[],
  priceOf: (price: PriceInfo) => ShopMoney | undefined,
  isTotal: (price: PriceInfo) => boolean,
  sum: ShopMoney,
): string | undefined {
  const parts = prices.flatMap((price) => {
    const money = priceOf(price);
    return price.struck ||
      price.inButton ||
      isTotal(price) ||
      money === undefined ||
      money.currency !== sum.currency
      ? []
      : [{ kind: partKindOf(price.label), amount: money.amountMinor }];
  });
  const last = (kind: PartKind) => parts.findLast((one) => one.kind === kind)?.amount;
  const abs = (value: bigint) => (value < 0n ? -value : value);
  const items = parts.filter((one) => one.kind === 'item').map((one) => one.amount);
  // What is the total itself under another name adds nothing to what is known.
  const bases = [last('subtotal'), items.reduce((all, one) => all + one, 0n), ...items].filter(
    (base): base is bigint => base !== undefined && base > 0n,
  );
  for (const base of bases)
    for (const shipping of [last('shipping') ?? 0n, 0n])
      for (const tax of [last('tax') ?? 0n, 0n])
        for (const discount of [abs(last('discount') ?? 0n), 0n])
          if (base + shipping + tax - discount === sum.amountMinor)
            return `${base} + ${shipping} + ${tax} - ${discount}`;
  return undefined;
}
