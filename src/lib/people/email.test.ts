import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeEmail } from './email.ts';

test.each([
  ['Alice@Example.COM', 'alice@example.com'],
  ['a.l.i.c.e@gmail.com', 'alice@gmail.com'],
  ['A.Lice@GoogleMail.com', 'alice@gmail.com'],
  ['a.lice+Shop.1@gmail.com', 'alice+shop1@gmail.com'],
  ['a.lice@example.com', 'a.lice@example.com'],
  ['alice+shop@example.com', 'alice+shop@example.com'],
  ["o'neil!#$%&*/=?^_`{|}~-@mail.example.co.uk", "o'neil!#$%&*/=?^_`{|}~-@mail.example.co.uk"],
  ['用户@例子.测试', '用户@例子.测试'],
])('%s is compared as %s', (text, expected) => {
  expect(normalizeEmail(text)).toBe(expected);
});

test.each([
  '',
  'alice',
  '@example.com',
  'alice@',
  'alice@localhost',
  'a@b@example.com',
  'a b@example.com',
  'alice@example..com',
  'alice@-example.com',
  'alice@example.com:evm',
  'al:ice@example.com',
  '...@gmail.com',
  'alice\n@example.com',
  'alice\u0000@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.com`,
  'alice@example.com ',
  '\u202Ealice@example.com',
])('%j is no e-mail address', (text) => {
  expect(normalizeEmail(text)).toBeUndefined();
});

test('normalising twice changes nothing more', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.stringMatching(/^[A-Za-z.+]{1,20}@(gmail|googlemail)\.com$/),
        fc.string({ unit: 'grapheme' }).map((local) => `${local}@example.com`),
      ),
      (text) => {
        const once = normalizeEmail(text);
        if (once !== undefined) expect(normalizeEmail(once)).toBe(once);
      },
    ),
  );
});
