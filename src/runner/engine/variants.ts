import { plain } from './words/words.ts';

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

const synonyms: readonly (readonly string[])[] = [
  ['xs', 'extra small', 'x-small'],
  ['s', 'small', 'klein', 'petit', 'petite', 'pequeno', 'pequena', 'piccolo', 'piccola'],
  ['m', 'medium', 'mittel', 'moyen', 'moyenne', 'mediano', 'mediana', 'medio', 'media', 'middel'],
  ['l', 'large', 'gross', 'grand', 'grande', 'groot'],
  ['xl', 'extra large', 'x-large'],
  ['xxl', '2xl', 'xx-large', 'extra extra large'],
  ['xxxl', '3xl'],
  ['blue', 'blau', 'bleu', 'azul', 'blu', 'blauw'],
  ['red', 'rot', 'rouge', 'rojo', 'roja', 'rosso', 'rossa', 'rood', 'vermelho'],
  ['green', 'grun', 'vert', 'verte', 'verde', 'groen'],
  ['black', 'schwarz', 'noir', 'noire', 'negro', 'negra', 'nero', 'nera', 'zwart', 'preto'],
  ['white', 'weiss', 'blanc', 'blanche', 'blanco', 'blanca', 'bianco', 'bianca', 'wit', 'branco'],
  ['yellow', 'gelb', 'jaune', 'amarillo', 'giallo', 'geel', 'amarelo'],
  ['grey', 'gray', 'grau', 'gris', 'grigio', 'grijs', 'cinza'],
  ['brown', 'braun', 'marron', 'brun', 'marrone', 'bruin'],
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
const sizeWord = 'size|grosse|gr|taille|talla|tamano|taglia|misura|maat|tamanho';
const colourWord = 'colou?r|farbe|couleur|colore|kleur|cor';
const wordAfter = (name: string) =>
  new RegExp(`\\b(?:${name})\\b[: .]*(?:of |is )?([\\p{L}\\d./-]+)`, 'u');
const groupWords: readonly (readonly [RegExp, RegExp])[] = [
  [new RegExp(`\\b(?:${sizeWord})\\b|size`), wordAfter(sizeWord)],
  [new RegExp(`\\b(?:${colourWord})\\b`), wordAfter(colourWord)],
];
const unit = /^(\d+(?:[.,]\d+)?)\s?(?:mm|cm|ml|cl|oz|in|inch|kg|g|l|eu|uk|us)$/;

/**
 * Which option of a group the request means. Words that name another group's value do not count for
 * this one.
 */
export function chooseVariant(
  group: VariantGroup,
  request: string,
  productTitle = '',
): VariantChoice {
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
    const exact = options.filter((option) =>
      option.names.some((name) => sameMeaning(name, named) || unit.exec(name)?.[1] === named),
    );
    if (exact.length > 0) return result(exact);
  }
  const combined = chooseCombined(options, text);
  if (combined !== undefined) return combined;
  const found = options.flatMap((option) => {
    const length = Math.max(
      0,
      ...option.names.filter((name) => isNamed(text, name)).map((name) => name.length),
    );
    return length === 0 ? [] : [{ ...option, length }];
  });
  const longest = Math.max(0, ...found.map((one) => one.length));
  // `Dark blue` beats `blue` when both stand in the request at one place.
  const best = found.filter(
    (one) =>
      one.length === longest ||
      !found.some(
        (other) =>
          other !== one &&
          other.names.some((name) =>
            one.names.some((part) => name !== part && name.includes(part)),
          ),
      ),
  );
  return found.length > 0 ? result(best) : choosePartly(options, text, plain(productTitle));
}

/**
 * A word of one option only: `schwarz` means `Schwarz matt` where nothing else is black. Words of
 * the product tell nothing.
 */
function choosePartly(
  options: readonly NamedOption[],
  text: string,
  productTitle: string,
): VariantChoice {
  const wordsOf = (name: string) =>
    name.split(/[^\p{L}\d]+/u).filter((word) => /^\p{L}{3,}$/u.test(word));
  const rows = options.map((option) => ({
    ...option,
    words: [...new Set(option.names.flatMap(wordsOf))],
  }));
  return result(
    rows.filter((row) =>
      row.words.some(
        (word) =>
          isNamed(text, word) &&
          !isNamed(` ${productTitle} `, word) &&
          !rows.some((other) => other !== row && other.words.includes(word)),
      ),
    ),
  );
}

interface NamedOption {
  readonly index: number;
  readonly disabled: boolean;
  readonly names: readonly string[];
  readonly parts: readonly string[];
}

/**
 * One list of combinations (`M / Blue`): the one of which most parts are named, when that is one.
 */
function chooseCombined(options: readonly NamedOption[], text: string): VariantChoice | undefined {
  const size = options[0]?.parts.length ?? 0;
  if (size < 2 || options.length < 3 || options.some((option) => option.parts.length !== size))
    return undefined;
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

function result(
  found: readonly { readonly index: number; readonly disabled: boolean }[],
): VariantChoice {
  const open = found.filter((one) => !one.disabled);
  if (open.length === 1) return { kind: 'one', index: open[0]!.index };
  if (open.length === 0 && found.length === 1) return { kind: 'gone', index: found[0]!.index };
  return open.length === 0
    ? { kind: 'none' }
    : { kind: 'several', indexes: open.map((one) => one.index) };
}

/** A title and its parts: `Medium (M) – €12` is `medium (m)`, `medium` and `m`. */
function namesOf(title: string): readonly string[] {
  const bare = plain(title)
    .replace(/[-–+(]*\s*(?:[€$£]\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|\$|£|eur|usd))\)?/g, ' ')
    .replace(
      /\((?:sold out|out of stock|ausverkauft|\d+ (?:left|in stock))\)|- (?:sold out|in stock)/g,
      ' ',
    )
    .trim();
  const parts = [
    bare,
    bare.replace(/\(.*?\)/g, '').trim(),
    ...[...bare.matchAll(/\((.*?)\)/g)].map(([, inner]) => inner!.trim()),
    ...bare.split(/ [-–/|] /).map((part) => part.trim()),
  ];
  return [...new Set(parts.filter((part) => part !== ''))];
}

const sameMeaning = (a: string, b: string) =>
  a === b || synonyms.some((set) => set.includes(a) && set.includes(b));

/**
 * Whether a name or another word for it stands in the request by itself. Single letters and numbers
 * count only when they cannot be a word or an amount.
 */
function isNamed(text: string, name: string): boolean {
  const set = [name, ...(synonyms.find((one) => one.includes(name)) ?? [])];
  return set.some((word) => {
    const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (word === 's' || word === 'l' || word === 'm')
      return new RegExp(`(?<![\\p{L}\\d'])${escaped}(?![\\p{L}\\d'])`, 'u').test(text);
    if (word === 'or' || word === 'a') return false;
    if (/^\d{1,2}$/.test(word))
      return new RegExp(
        `(?<![\\p{L}\\d.,])${escaped}(?![\\p{L}\\d.,]|\\s*(?:x\\b|×|of |pieces|pcs|units|stuck|stk))`,
        'u',
      ).test(text);
    return new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'u').test(text);
  });
}
