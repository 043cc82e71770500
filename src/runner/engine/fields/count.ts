import type { FieldInfo } from '../page/snapshot.ts';
import { anyOf, wordLists } from '../words/languages.ts';
import { plain, words } from '../words/words.ts';

const alone = /^(\d{1,3})(?:[.,]0{1,3})?\+?$/;
const named = new RegExp(`^(?:${anyOf(wordLists.quantity)})\\W{0,3}(\\d{1,3})\\+?$`);
const counted = new RegExp(`^(\\d{1,3})\\+? ?(?:[x×]|${anyOf(wordLists.pieces)})\\.?$`);

/**
 * How many a text says that says nothing else: “2”, “2.00”, “Qty: 2”, “2 pcs”; undefined for any
 * other.
 */
export function countIn(text: string): number | undefined {
  const said = plain(text);
  const found = [alone, named, counted].flatMap((pattern) => pattern.exec(said)?.[1] ?? [])[0];
  return found === undefined ? undefined : Number(found);
}

/** What a field holds, as a number of pieces; undefined where it holds no such thing. */
export function countOfField({ type, options, value }: FieldInfo): number | undefined {
  if (type !== 'select') return countIn(value);
  const chosen = options.find(({ selected }) => selected);
  return countIn(chosen?.text ?? value) ?? countIn(value);
}

const isOther = new RegExp(anyOf(wordLists.otherNumber), 'i');
const isSize = new RegExp(`(?<!\\p{L})(?:${anyOf(wordLists.size)})(?!\\p{L})`, 'u');
const saysNumber = new RegExp(anyOf(wordLists.quantity));
const isNoneLeft = (text: string) => /^0\b/.test(text) || words.remove.test(text);

/** Whether a field says how many of something: a number, or a list of numbers. */
export function isCountField(field: FieldInfo): boolean {
  const { type, options } = field;
  const caption = plain(`${field.name} ${field.id} ${field.label}`);
  const isNumber =
    type === 'select'
      ? options.every(({ text }) => countIn(text) !== undefined || isNoneLeft(text))
      : ['number', 'spinbutton', 'text', 'tel'].includes(type);
  return (
    isNumber &&
    countOfField(field) !== undefined &&
    !isOther.test(field.name + field.id) &&
    !(type === 'select' && isSize.test(caption) && !saysNumber.test(caption))
  );
}

/** Whether a field is called a number of pieces, and holds none yet or some. */
export const asksCount = (field: FieldInfo): boolean =>
  ['number', 'spinbutton', 'text', 'tel', 'select'].includes(field.type) &&
  saysNumber.test(plain(`${field.name} ${field.id} ${field.label}`)) &&
  (field.value === '' || countOfField(field) !== undefined);

/** How a number of pieces is written into a field: as its list writes it, else in digits. */
export const countSpellings = ({ options }: FieldInfo, count: number): readonly string[] => [
  ...options.filter(({ text }) => countIn(text) === count).map(({ text }) => text),
  String(count),
];
