import { expect, it } from 'vitest';
import { surelyWantedIn, wantedIn } from './wishes.ts';

it.each([
  ['size M, no subscription', 'size M,'],
  ['Bitte kein Abo. Blau!', 'Bitte Blau!'],
  ['I don’t need gift wrap; two of them', 'I two of them'],
  ['sans abonnement', ''],
  ['I want a new one in blue, next to nothing else', 'I want a new one in blue, next to'],
  ['Żadnych dodatków', ''],
  ['Not as a guest but with my account', 'but with my account'],
  ['no gift wrap and pay by bank transfer', 'and pay by bank transfer'],
  ['keine Karte sondern Nachnahme', 'sondern Nachnahme'],
  ['without a subscription', ''],
  ['pas en abonnement', ''],
  ['two of them\nno tip\nblue', 'two of them blue'],
  ['No passwords to remember – create an account', '– create an account'],
  ['boots with no zip in brown', 'boots with in brown'],
  ['Tasse ohne Henkel mit meinem Konto', 'Tasse mit meinem Konto'],
  ['one-time rather than a subscription', 'one-time'],
  ['einmalig statt Abo', 'einmalig'],
  ['une seule fois plutôt que par abonnement', 'une seule fois'],
  ['no black, brown or navy', ''],
  ['kein Schwarz, Braun oder Navy. Größe M', 'Größe M'],
  ['Do not add:\n- insurance\n- gift wrap\nsize M', 'Do size M'],
  ['size M, no extras, e.g. insurance', 'size M, e.g. insurance'],
  ['skip the subscription', ''],
])('of “%s” is wanted “%s”', (request, wanted) => {
  expect(wantedIn(request).replaceAll(/\s+/g, ' ').trim()).toBe(wanted);
});

it.each([
  ['no gift wrap, insurance or tip', ''],
  ['without gift wrap and insurance', ''],
  ['boots with no zip in brown. Pay by invoice', 'Pay by invoice'],
  ['two of them\nno tip\ngift wrap', 'two of them gift wrap'],
  ['Blue mug with gift wrap, no insurance', 'Blue mug with gift wrap,'],
  ['no box but gift wrap', 'but gift wrap'],
  ['Insurance is not needed', ''],
  ['Ein Abo möchte ich nicht', ''],
  ['Weder Abo noch Versicherung', ''],
  ['I wouldn’t like insurance', ''],
  ['Do not add:\n- insurance\n- subscription\nBlue', 'Blue'],
  ['Keine Extras wie z.B. Abo', ''],
  ['Not wanted: gift wrap; insurance', ''],
  ['N’ajoutez pas à ma commande d’assurance', ''],
  ['two of them, size M', 'two of them, size M'],
  ['Nothing else. Gift wrap please', 'Gift wrap please'],
])('of “%s” is surely wanted “%s”', (request, wanted) => {
  expect(surelyWantedIn(request).replaceAll(/\s+/g, ' ').trim()).toBe(wanted);
});

it('reads a word of any length in no time to speak of', () => {
  const long = `${'.'.repeat(400_000)}x`;
  expect(wantedIn(`${long} no lid`).trim()).toBe(long);
});
