import { expect, it } from 'vitest';
import { formOf } from '../../src/areas/agent-checkouts/actions/action-forms.ts';
import type { UserActionRequest } from '../../src/runner/types.ts';
import { formOfSchema } from './questions.ts';

const total = { amountMinor: 4_990n, currency: 'USD' };
/** The form of what is asked, its keys laid as a database does it: the shortest first. */
function formOfRequest(request: UserActionRequest) {
  const { properties, ...schema } = formOf(request, { hasSavedCards: true }).responseSchema;
  const keys = Object.entries(properties as object).sort(([a], [b]) => a.length - b.length);
  return formOfSchema({ ...schema, properties: Object.fromEntries(keys) });
}
const origin = 'https://shop.example';

it('an approval is one thing to confirm', () => {
  const request: UserActionRequest = { kind: 'approve-purchase', total, origin, lines: [] };
  expect(formOfRequest(request)).toEqual({
    fields: [{ name: 'approved', label: 'Buy it', kind: 'confirm' }],
    ways: [{ required: ['approved'] }],
  });
});

it('a choice has options, a country may have a list', () => {
  const choice: UserActionRequest = {
    kind: 'option-choice',
    question: 'Which size?',
    options: [{ value: 'm', title: 'M' }],
  };
  expect(formOfRequest(choice).fields).toEqual([
    { name: 'choice', label: 'Which size?', kind: 'choice', options: [{ value: 'm', label: 'M' }] },
  ]);
  const contact: UserActionRequest = {
    kind: 'contact-and-shipping',
    missing: ['email', 'countryCode'],
    countries: ['US', 'CA'],
  };
  expect(
    formOfRequest(contact).fields.map(({ kind, options }) => [
      kind,
      options?.map(({ value }) => value),
    ]),
  ).toEqual([
    ['email', undefined],
    ['choice', ['US', 'CA']],
  ]);
});

it('a card is typed in secret fields, or a saved one is named: two ways', () => {
  const { fields, ways } = formOfRequest({ kind: 'payment-credential', total, origin });
  expect(Object.fromEntries(fields.map(({ name, kind }) => [name, kind]))).toMatchObject({
    number: 'secret',
    cvc: 'secret',
    expirationMonth: 'number',
    holder: 'text',
  });
  // However the database has laid the keys.
  expect(fields.map(({ name }) => name).slice(0, 5)).toEqual([
    'number',
    'expirationMonth',
    'expirationYear',
    'cvc',
    'holder',
  ]);
  expect(ways.map(({ title }) => title)).toEqual(['A card', 'A saved card']);
});
