import { describe, expect, it } from 'vitest';
import { cardFromAnswer } from './card-answer.ts';

const now = new Date('2026-11-22T12:00:00.000Z');
const answer = {
  number: '4242 4242-4242 4242',
  expirationMonth: 12,
  expirationYear: 2034,
  cvc: '123',
  holder: ' Ann Example ',
};
const read = (changes: Record<string, string | number | boolean | null> = {}) =>
  cardFromAnswer({ ...answer, ...changes }, now);

describe('the card that a user answers', () => {
  it('is what is typed into the shop, without the spaces that people type', () => {
    expect(read({ postalCode: '62704' })).toEqual({
      card: {
        number: '4242424242424242',
        expirationMonth: 12,
        expirationYear: 2034,
        cvc: '123',
        holder: 'Ann Example',
        postalCode: '62704',
      },
    });
    expect(read({ expirationYear: 34 })).toMatchObject({ card: { expirationYear: 2034 } });
    expect(read({ postalCode: ' ' })).not.toHaveProperty('card.postalCode');
  });

  it('is good to the last day of its month', () => {
    expect(read({ expirationMonth: 11, expirationYear: 2026 })).toHaveProperty('card');
    expect(read({ expirationMonth: 10, expirationYear: 2026 })).toEqual({
      problem: 'The card has expired.',
    });
  });

  it('may be of a network that we do not know', () => {
    expect(read({ number: '6759649826438453', cvc: '1234' })).toHaveProperty('card');
  });

  it.each([
    ['a wrong check digit', { number: '4242424242424241' }, /card number/],
    ['too few digits', { number: '42424242424' }, /card number/],
    ['letters in the number', { number: '4242x42424242424242' }, /card number/],
    ['a number that is no text', { number: 4242424242424242 }, /card number/],
    ['a thirteenth month', { expirationMonth: 13 }, /month/],
    ['half a month', { expirationMonth: 1.5 }, /month/],
    ['a year that no card has', { expirationYear: 9999 }, /year/],
    ['a short security code', { cvc: '12' }, /3 digits/],
    ['a security code of another network', { cvc: '1234' }, /3 digits/],
    [
      'three digits where American Express has four',
      { number: '378282246310005', cvc: '123' },
      /4 digits/,
    ],
    ['no name', { holder: '  ' }, /name/],
    ['a name with a line break in it', { holder: 'Ann\nExample' }, /name/],
  ])('is refused with a sentence for %s, which repeats nothing of it', (_, changes, sentence) => {
    const read_ = read(changes);
    expect(read_).toEqual({ problem: expect.stringMatching(sentence) });
    expect(JSON.stringify(read_)).not.toMatch(/\d{5}/);
  });
});
