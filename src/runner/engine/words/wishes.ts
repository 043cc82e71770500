import { anyOf, wordLists } from './languages.ts';
import { plain } from './words.ts';

/** What a request wants, and what it does not. */

const wordOf = (list: keyof typeof wordLists) => new RegExp(`^(?:${anyOf(wordLists[list])})$`, 'u');
const unwanted = wordOf('unwanted');
const wantedAgain = wordOf('wantedAgain');
const furthermore = wordOf('furthermore');
const or = wordOf('or');
const preposition = wordOf('preposition');
const insteadOf = new RegExp(`(?<!\\p{L})(?:${anyOf(wordLists.insteadOf)})(?!\\p{L})`, 'giu');
/** No word of these lists is longer. */
const wordMax = 40;

const bareOf = (word: string): string =>
  word.length > wordMax ? '' : plain(word).replace(/^[("“'‘]+|[.,;:!?)"”'’]+$/g, '');
const wordsOf = (request: string): readonly string[] =>
  request.normalize('NFC').replace(insteadOf, 'without').split(/(\s+)/);
/** “z.B.”, “e.g.” */
const isShortened = (word: string) => /^\p{L}{1,2}\.\p{L}/u.test(word);
const isBullet = (word: string) => /^[-•*–]/.test(word);

/**
 * What a request wants: of “size M, no subscription” the size alone. A mark, a word such as “but”,
 * or “in” and the like behind something ends what it does not want; in a list (“no red, blue or
 * green”, “not wanted:” and lines) its end.
 */
export function wantedIn(request: string): string {
  const all = wordsOf(request);
  const endsInOr = isBeforeOr(all);
  let isWanted = true;
  let isListing = false;
  let behind = 0;
  return all
    .filter((word, index) => {
      const bare = bareOf(word);
      if (word.includes('\n')) isListing &&= isBullet(all[index + 1] ?? '');
      if (unwanted.test(bare)) {
        isWanted = false;
        behind = 0;
      } else if (!isListing && !isWanted) {
        const isNew = behind > 0 && preposition.test(bare);
        isWanted = isNew || begins(word, bare);
        if (bare !== '') behind++;
      }
      const isKept = isWanted;
      if (!isWanted && !isListing && /[.,;:!?)]$/.test(word) && !isShortened(word)) {
        isListing = word.endsWith(':');
        isWanted = !isListing && !(word.endsWith(',') && endsInOr[index] === true);
      }
      return isKept;
    })
    .join('');
}

function begins(word: string, bare: string): boolean {
  return (
    word.includes('\n') || /^[-–—(]/.test(word) || wantedAgain.test(bare) || furthermore.test(bare)
  );
}

/** Of each word whether “or” stands behind it in its sentence. */
function isBeforeOr(all: readonly string[]): readonly boolean[] {
  const before: boolean[] = [];
  let isBefore = false;
  for (let index = all.length - 1; index >= 0; index--) {
    const word = all[index]!;
    if (/[.;!?]$|\n/.test(word)) isBefore = false;
    before[index] = isBefore;
    if (or.test(bareOf(word))) isBefore = true;
  }
  return before;
}

/**
 * What a request wants however its lists and its word order are read: of a sentence that says what
 * is not wanted only what stands before that part, or behind “but” and the like. Of “no gift wrap,
 * insurance or tip” and “Insurance is not needed” it is nothing.
 */
export function surelyWantedIn(request: string): string {
  let isOpen = true;
  const kept: string[] = [];
  let part: string[] = [];
  let isNot = false;
  const close = () => {
    isOpen &&= !isNot;
    if (isOpen) kept.push(...part);
    part = [];
    isNot = false;
  };
  const all = wordsOf(request);
  all.forEach((word, index) => {
    const bare = bareOf(word);
    const isLine = word.includes('\n');
    if (isLine || wantedAgain.test(bare)) close();
    if (wantedAgain.test(bare) || (isLine && !isBullet(all[index + 1] ?? ''))) isOpen = true;
    part.push(word);
    isNot ||= unwanted.test(bare);
    if (/[,;:]$/.test(word)) close();
    if (/\p{L}{3}[.!?]$/u.test(word)) {
      close();
      isOpen = true;
    }
  });
  close();
  return kept.join('');
}
