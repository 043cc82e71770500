import { expect, test } from 'vitest';
import type { UserActionRequest } from '../../../runner/types.ts';
import { formOf } from './action-forms.ts';
import { checkValues } from './check-values.ts';

const refusalOf = (values: { countryCode: string }) => {
  const request: UserActionRequest = {
    kind: 'contact-and-shipping',
    missing: ['countryCode'],
    countries: ['US', 'CA'],
  };
  try {
    checkValues({ request, ...formOf(request, { hasSavedCards: false }) }, values);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

test('a country that the shop does not deliver to is named, with those that it offers', () => {
  expect(refusalOf({ countryCode: 'DE' })).toContain(
    'the shop does not deliver to Germany (DE): its list of countries offers US, CA',
  );
  expect(refusalOf({ countryCode: 'Narnia\u0000' })).toContain(
    'the shop does not deliver to “Narnia ”',
  );
  expect(refusalOf({ countryCode: 'CA' })).toBeUndefined();
});

test('an option that a shop’s list has twice, as dialling codes are, can be chosen', () => {
  const options = [
    { value: '+1', title: 'United States (+1)' },
    { value: '+49', title: 'Germany (+49)' },
    { value: '+1', title: 'Canada (+1)' },
  ];
  const request: UserActionRequest = { kind: 'option-choice', question: 'Country code', options };
  const form = formOf(request, { hasSavedCards: false });
  expect(() => checkValues({ request, ...form }, { choice: '+1' })).not.toThrow();
  expect(() => checkValues({ request, ...form }, { choice: '+33' })).toThrow('values.choice');
  expect(form.responseSchema.properties).toMatchObject({
    choice: {
      oneOf: [
        { const: '+1', title: 'United States (+1) / Canada (+1)' },
        { const: '+49', title: 'Germany (+49)' },
      ],
    },
  });
});
