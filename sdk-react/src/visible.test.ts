import { expect, it } from 'vitest';
import { visible } from './visible.ts';

it.each([
  ['turns the line', 'Pay \u202e00.1\u2066\u200f', 'Pay \\u{202e}00.1\\u{2066}\\u{200f}'],
  ['ends it', 'Pay\u20281', 'Pay\\u{2028}1'],
  ['is a control character', 'Pay\u0007', 'Pay\\u{7}'],
  ['stands between letters', 'US\u200bDC\u2060 \ufeff1', 'US\\u{200b}DC\\u{2060} \\u{feff}1'],
  ['is an empty letter', '\u3164\u115f', '\\u{3164}\\u{115f}'],
  ['is a text of its own that nobody sees', 'hi\u{e0061}\u{e0100}', 'hi\\u{e0061}\\u{e0100}'],
  [
    'hangs on to a variant or a flag',
    '葛\u{e0100}\u{e0101}🏴\u{e0061}',
    '葛\u{e0100}\\u{e0101}🏴\\u{e0061}',
  ],
])('what %s is spelled out', (_, text, read) => {
  expect(visible(text)).toBe(read);
});

it.each([
  ['lines', 'one\n\ttwo'],
  ['letters of any script', 'Grö\u00adße café 価格 מחיר ราคา'],
  ['letters that are joined or kept apart', 'می‌خواهم क्‍ष'],
  ['variants of letters', '葛\u{e0100}城 ᠠ\u180b'],
  ['flags of parts of a country', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['pictures', '👩‍👩‍👧 ❤️ 🇩🇪 1️⃣'],
])('%s stay as they are', (_, text) => {
  expect(visible(text)).toBe(text);
});
