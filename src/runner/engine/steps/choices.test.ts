import { expect, it } from 'vitest';
import { wantedTick } from './choices.ts';

it.each([
  ['Do not create a customer account.', '', true],
  ['Kein Kundenkonto anlegen', '', true],
  ['Checkout as guest', '', undefined],
  ['Create an account?', '', false],
  ['Noch kein Kundenkonto? Jetzt registrieren', '', undefined],
  ['No account yet? Sign me up', '', undefined],
  ['Pas encore de compte ? M’inscrire', '', undefined],
  ['Send me news and offers – no account needed', '', false],
  ['Save my card for next time, no account needed', '', false],
  ['Save card without an account', '', false],
  ['Add guest towels', '+$9.00', undefined],
  ['Subscribe monthly as a guest', '', false],
  ['Gift wrap without an account', '', false],
])('the box “%s” (%s) should be: %s', (label, near, wanted) => {
  const box = { label, near, name: '', required: false, checked: false };
  expect(wantedTick(box)).toBe(wanted);
});
