import { expect, it } from 'vitest';
import { startBrowser } from '../../../../../test/harness/browser.ts';
import type { ButtonInfo, Snapshot } from '../../page/snapshot.ts';
import { buyMug } from '../../testing/on-account.ts';
import { plainCard, plainFields, plainShop } from '../../testing/pages-kit.ts';
import { guestTab } from './account.ts';

const tabs = (...captions: readonly string[]) =>
  captions.map(
    (text, at) =>
      ({
        text,
        label: '',
        role: '',
        pressed: String(at === 0),
        disabled: false,
        href: '',
        parent: 1,
      }) as unknown as ButtonInfo,
  );

it.each<[string, ButtonInfo[], string | undefined]>([
  ['a tab', tabs('Create account', 'Guest checkout'), 'Guest checkout'],
  ['a switch', tabs('Sign in', 'Guest'), 'Guest'],
  ['a sentence', tabs('Log in', 'Continue as a guest'), 'Continue as a guest'],
  ['the lack of an account', tabs('Login', 'Buy without an account'), 'Buy without an account'],
  ['a German tab', tabs('Anmelden', 'Als Gast bestellen'), 'Als Gast bestellen'],
  ['a French tab', tabs('Se connecter', 'Commander sans compte'), 'Commander sans compte'],
  ['a Spanish tab', tabs('Iniciar sesión', 'Comprar como invitado'), 'Comprar como invitado'],
  ['an Italian tab', tabs('Accedi', 'Continua come ospite'), 'Continua come ospite'],
  ['a Dutch tab', tabs('Inloggen', 'Als gast afrekenen'), 'Als gast afrekenen'],
  ['a Swedish tab', tabs('Logga in', 'Fortsätt som gäst'), 'Fortsätt som gäst'],
  ['towels for guests', tabs('Log in', 'Add guest towels +$9'), undefined],
  ['towels without a price', tabs('Log in', 'Guest towels'), undefined],
  ['a book of guests', tabs('Log in', 'Guest book'), undefined],
  ['a price', tabs('Log in', 'Guest $9.00'), undefined],
  ['a switch without an account beside it', tabs('Owner', 'Guest'), undefined],
  [
    'an account elsewhere',
    [...tabs('Red', 'Guest'), { ...tabs('Log in')[0]!, parent: 2 }],
    undefined,
  ],
  ['one that is open', tabs('Guest', 'Log in'), undefined],
])('of %s the guest is pressed only where it is one', (_, buttons, caption) => {
  expect(guestTab({ buttons } as unknown as Snapshot)?.text).toBe(caption);
});

it('the guest’s tab is not pressed where the request wants the account', {
  tags: 'slow',
}, async () => {
  const browser = await startBrowser();
  const account =
    '<div role="tablist"><button type="button" role="tab" aria-selected="true">Create account</button><button type="button" role="tab" aria-selected="false" onclick="pw.remove()">Guest checkout</button></div><p id="pw"><label>Password <input type="password" name="pw" required></label></p>';
  const { asked, orders } = await buyMug(
    browser,
    plainShop({ checkoutFields: plainFields + account + plainCard }),
    { answer: ({ kind }) => (kind === 'option-choice' ? { choice: 'stop' } : undefined) },
    { request: 'Use my existing account' },
  );
  await browser.close();
  expect(asked).toMatchObject([{ question: expect.stringContaining('only to customers') }]);
  expect(orders).toEqual([]);
});
