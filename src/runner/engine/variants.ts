import { plain } from './words.ts';

/** A choice of a product page, e.g. its sizes. */
export interface VariantGroup {
  readonly label: string;
  readonly options: readonly { readonly title: string; readonly disabled: boolean }[];
}

/** What the request says about one group: an option, several that it may mean, or nothing. */
export type VariantChoice =
  | { readonly kind: 'one'; readonly index: number }
  | { readonly kind: 'several'; readonly indexes: readonly number[] }
  /** The only one that is meant is sold out. */
  | { readonly kind: 'gone'; readonly index: number }
  | { readonly kind: 'none' };

const numbers: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  a: 1,
  an: 1,
  single: 1,
  pair: 2,
  both: 2,
  couple: 2,
  dozen: 12,
  ein: 1,
  eine: 1,
  einen: 1,
  eins: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  funf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  un: 1,
  une: 1,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  sept: 7,
  huit: 8,
  neuf: 9,
  dix: 10,
  uno: 1,
  una: 1,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
};
const synonyms: readonly (readonly string[])[] = [
  ['xs', 'extra small', 'x-small'],
  ['s', 'small', 'klein', 'petit', 'pequeno', 'pequena'],
  ['m', 'medium', 'mittel', 'moyen', 'mediano', 'mediana'],
  ['l', 'large', 'gross', 'grand', 'grande'],
  ['xl', 'extra large', 'x-large'],
  ['xxl', '2xl', 'xx-large', 'extra extra large'],
  ['xxxl', '3xl'],
  ['blue', 'blau', 'bleu', 'azul'],
  ['red', 'rot', 'rouge', 'rojo', 'roja'],
  ['green', 'grun', 'vert', 'verte', 'verde'],
  ['black', 'schwarz', 'noir', 'noire', 'negro', 'negra'],
  ['white', 'weiss', 'blanc', 'blanche', 'blanco', 'blanca'],
  ['yellow', 'gelb', 'jaune', 'amarillo'],
  ['grey', 'gray', 'grau', 'gris'],
  ['brown', 'braun', 'marron', 'brun'],
  ['pink', 'rosa', 'rose'],
  ['purple', 'lila', 'violett', 'violet', 'morado'],
  ['orange', 'naranja'],
  ['silver', 'silber', 'argent', 'plata'],
  ['gold', 'golden', 'or', 'oro', 'dorado'],
  ['beige', 'creme', 'cream'],
  ['wood', 'holz', 'bois', 'madera'],
  ['leather', 'leder', 'cuir', 'cuero', 'piel'],
  ['cotton', 'baumwolle', 'coton', 'algodon'],
  ['men', "men's", 'mens', 'herren', 'homme', 'hombre'],
  ['women', "women's", 'womens', 'damen', 'femme', 'mujer'],
];
const groupWords: readonly (readonly [RegExp, RegExp])[] = [
  [/size|grosse|taille|talla|tamano/, /\b(?:size|grosse|gr|taille|talla|tamano)\b[: .]*(?:of |is )?([\p{L}\d./-]+)/u],
  [/colou?r|farbe|couleur/, /\b(?:colou?r|farbe|couleur)\b[: .]*(?:of |is )?([\p{L}\d./-]+)/u],
];

/** How many are wanted, e.g. 2 for `two of them`, `2x`, `qty 2`, `Menge: 2`; undefined when the request does not say. */
export function wantedQuantity(request: string): number | undefined {
  const text = ` ${plain(request).replace(/[’]/g, "'")} `;
  const numberWords = Object.keys(numbers)
    .filter((one) => one.length > 2)
    .join('|');
  // The number of a size or a model is no quantity.
  const word = `(?<!\\b(?:size|grosse|gr|taille|talla|taglia|maat|nr|no|number|model|modell|modele|modelo)[.: ]{1,2})(\\d{1,3}|${numberWords})`;
  const patterns = [
    `(?:qty|quantity|menge|anzahl|quantite|cantidad|how many)\\s*[:=]?\\s*(?:of |is )?${word}\\b`,
    `\\b${word}\\s*(?:of (?:them|these|those|it|each|the|your)|von den|de (?:los|las|ces)|x\\b|×|pieces?|pcs?|units?|items?|copies|packs?|stuck|stk|davon|exemplaires?|pieces|unidades?|piezas|de ellos|de chaque|ejemplares)`,
    `\\bx\\s?${word}\\b`,
    `(?:buy|order|get|want|need|take|bestelle?|kaufe?|ich mochte|achete[rz]?|prends|compra(?:r)?|quiero)\\s+(?:me\\s+)?${word}\\b(?!\\s*(?:inch|cm|mm|kg|g\\b|ml|l\\b|gb|tb|"|-))`,
    `^\\s*(${numberWords})\\s*(?:$|[,.;!])`,
    `^\\s*${word}\\s+(?!inch|cm|mm|kg|ml|gb|tb)(?:\\p{L}+s)\\b`,
  ];
  for (const pattern of patterns) {
    const found = new RegExp(pattern, 'u').exec(text)?.[1];
    if (found !== undefined) {
      const quantity = /^\d/.test(found) ? Number(found) : numbers[found];
      if (quantity !== undefined && quantity >= 1) return quantity;
    }
  }
  return undefined;
}

/** Which option of a group the request means. Words that name another group's value do not count for this one. */
export function chooseVariant(group: VariantGroup, request: string): VariantChoice {
  const text = ` ${plain(request).replace(/["“”]/g, '')} `;
  const label = plain(group.label);
  const options = group.options.map((option, index) => ({
    index,
    disabled: option.disabled,
    names: namesOf(option.title),
    parts: option.title.split(/\s*[/|,]\s+|\s+[-–·]\s+/).filter((part) => part !== ''),
  }));
  const named = groupWords.find(([is]) => is.test(label))?.[1].exec(text)?.[1];
  if (named !== undefined) {
    const exact = options.filter((option) => option.names.includes(named) || option.names.some((name) => sameMeaning(name, named)));
    if (exact.length > 0) return result(exact);
  }
  const combined = chooseCombined(options, text);
  if (combined !== undefined) return combined;
  const found = options.flatMap((option) => {
    const length = Math.max(0, ...option.names.filter((name) => isNamed(text, name)).map((name) => name.length));
    return length === 0 ? [] : [{ ...option, length }];
  });
  const longest = Math.max(0, ...found.map((one) => one.length));
  // `Dark blue` beats `blue` when both stand in the request at one place.
  const best = found.filter(
    (one) =>
      one.length === longest ||
      !found.some((other) => other !== one && other.names.some((name) => one.names.some((part) => name !== part && name.includes(part)))),
  );
  return result(best);
}

interface NamedOption {
  readonly index: number;
  readonly disabled: boolean;
  readonly names: readonly string[];
  readonly parts: readonly string[];
}

/** One list of combinations (`M / Blue`): the one of which most parts are named, when that is one. */
function chooseCombined(options: readonly NamedOption[], text: string): VariantChoice | undefined {
  const size = options[0]?.parts.length ?? 0;
  if (size < 2 || options.length < 3 || options.some((option) => option.parts.length !== size)) return undefined;
  const rated = options.map((option) => {
    const named = option.parts.filter((part) => namesOf(part).some((name) => isNamed(text, name)));
    return { ...option, count: named.length, length: named.join('').length };
  });
  const most = Math.max(...rated.map((one) => one.count));
  if (most === 0) return undefined;
  const best = rated.filter((one) => one.count === most);
  const longest = Math.max(...best.map((one) => one.length));
  // `Dark blue` was named in full where `blue` is a part of it: only then the longer one is meant.
  const exact = most === size ? best.filter((one) => one.length === longest) : best;
  return result(exact);
}

function result(found: readonly { readonly index: number; readonly disabled: boolean }[]): VariantChoice {
  const open = found.filter((one) => !one.disabled);
  if (open.length === 1) return { kind: 'one', index: open[0]!.index };
  if (open.length === 0 && found.length === 1) return { kind: 'gone', index: found[0]!.index };
  return open.length === 0 ? { kind: 'none' } : { kind: 'several', indexes: open.map((one) => one.index) };
}

/** A title and its parts: `Medium (M) – €12` is `medium (m)`, `medium` and `m`. */
function namesOf(title: string): readonly string[] {
  const bare = plain(title)
    .replace(/[-–+(]*\s*(?:[€$£]\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|\$|£|eur|usd))\)?/g, ' ')
    .replace(/\((?:sold out|out of stock|ausverkauft|\d+ (?:left|in stock))\)|- (?:sold out|in stock)/g, ' ')
    .trim();
  const parts = [
    bare,
    bare.replace(/\(.*?\)/g, '').trim(),
    ...[...bare.matchAll(/\((.*?)\)/g)].map(([, inner]) => inner!.trim()),
    ...bare.split(/ [-–/|] /).map((part) => part.trim()),
  ];
  return [...new Set(parts.filter((part) => part !== ''))];
}

const sameMeaning = (a: string, b: string) => a === b || synonyms.some((set) => set.includes(a) && set.includes(b));

/** Whether a name or another word for it stands in the request by itself. Single letters and numbers count only when they cannot be a word or an amount. */
function isNamed(text: string, name: string): boolean {
  const set = [name, ...(synonyms.find((one) => one.includes(name)) ?? [])];
  return set.some((word) => {
    const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (word === 's' || word === 'l' || word === 'm') return new RegExp(`(?<![\\p{L}\\d'])${escaped}(?![\\p{L}\\d'])`, 'u').test(text);
    if (word === 'or' || word === 'a') return false;
    if (/^\d{1,2}$/.test(word))
      return new RegExp(`(?<![\\p{L}\\d.,])${escaped}(?![\\p{L}\\d.,]|\\s*(?:x\\b|×|of |pieces|pcs|units|stuck|stk))`, 'u').test(text);
    return new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'u').test(text);
  });
}
