import { cartWords } from './cart-words.ts';
import { checkoutWords } from './checkout-words.ts';
import { wishWords } from './wish-words.ts';

/** The languages whose words are kept one by one. */
export type Language =
  | 'en'
  | 'de'
  | 'fr'
  | 'es'
  | 'it'
  | 'nl'
  | 'pt'
  | 'ja'
  | 'sv'
  | 'da'
  | 'no'
  | 'fi'
  | 'pl'
  | 'cs'
  | 'sk';
/** Words of one meaning by language; each is the source of an expression. */
export type WordList = Readonly<Partial<Record<Language, readonly string[]>>>;

/** One expression for all languages of a list. */
export const anyOf = (list: WordList): string => Object.values(list).flat().join('|');

/**
 * Words by meaning and language, as the translations of widespread platforms have them; the tests
 * beside this file name the platforms. An apostrophe is written as a dot: shops write two kinds of
 * it.
 */
export const wordLists = { ...cartWords, ...checkoutWords, ...wishWords };

/** An expression with the words of its meaning in every language. */
export const withLanguages = (base: RegExp, list: keyof typeof wordLists): RegExp =>
  new RegExp(`${base.source}|${anyOf(wordLists[list])}`, base.flags);
