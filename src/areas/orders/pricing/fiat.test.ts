import { expect, it } from 'vitest';
import { formatMoney } from '../../../providers/card/index.ts';
import { fiatCurrencies, fiatSide } from './fiat.ts';

it.each(fiatCurrencies)(
  'an order in %s counts in the same smallest unit as the card that pays it',
  (currency) => {
    const { decimals } = fiatSide(currency);
    const fraction = decimals === 0 ? '' : `.${'0'.repeat(decimals)}`;
    expect(formatMoney(10n ** BigInt(decimals), currency)).toBe(
      `${currency.toUpperCase()} 1${fraction}`,
    );
  },
);
