import { expect, test } from 'vitest';
import type { UserActionRequest } from '../../../runner/types.ts';
import { formOf } from './action-forms.ts';
import { checkValues } from './check-values.ts';

const refusalOf = (values: { countryCode: string }) => {
  const request: UserActionRequest = { kind: 'contact-and-shipping', missing: ['countryCode'], countries: ['US', 'CA'] };
  try {
    checkValues({ request, ...formOf(request, { hasSavedCards: false }) }, values);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

test('a country that the shop does not deliver to is named, with those that it offers', () => {
  expect(refusalOf({ countryCode: 'DE' })).toContain('the shop does not deliver to Germany (DE): its list of countries offers US, CA');
  expect(refusalOf({ countryCode: 'Narnia\u0000' })).toContain('the shop does not deliver to “Narnia ”');
  expect(refusalOf({ countryCode: 'CA' })).toBeUndefined();
});
