import { plain } from './words/words.ts';

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
  due: 2,
  tre: 3,
  quattro: 4,
  cinque: 5,
  sette: 7,
  otto: 8,
  nove: 9,
  dieci: 10,
  twee: 2,
  drie: 3,
  vijf: 5,
  dois: 2,
  duas: 2,
  quatro: 4,
};

const longNames = Object.keys(numbers)
  .filter((one) => one.length > 2)
  .join('|');
// The number of a size or a model is no quantity.
const amount = `(?<!\\b(?:size|grosse|gr|taille|talla|taglia|misura|maat|nr|no|number|model|modell|modele|modelo)[.: ]{1,2})(\\d{1,3}|${longNames})`;
const notUnit = '(?!\\s*(?:inch|cm|mm|kg|g\\b|ml|cl|l\\b|gb|tb|pack|"|-))';
const pieces =
  'pieces?|pcs?|pairs?|paare?|paires?|pares|paia|units?|items?|copies|packs?|bottles?|boxes|sets?|stuck|stk|flaschen?|packungen|davon|exemplaires?|bouteilles?|boites?|unidades?|uds|piezas|botellas?|cajas?|ejemplares|pezzi|pz|bottiglie|confezioni|stuks|flessen|pecas|garrafas';
const askedFor =
  "buy|order|get|take|want|need|(?:would |'d )?like|bestelle?n?|kaufe?|ich (?:mochte|hatte gern|brauche)|achete[rz]?|prends|voudrais|compra(?:r)?|quiero|quisiera|vorrei|ordina|graag";
const patterns = [
  `(?:qty|quantity|menge|anzahl|quantite|cantidad|quantita|aantal|quantidade|how many)\\s*[:=]?\\s*(?:of |is )?${amount}\\b`,
  `\\b${amount}\\s*(?:of (?:them|these|those|it|each|the|your)|von den|de (?:los|las|ces)|x\\b|×|${pieces}|de ellos|de chaque|di (?:questi|queste))(?![\\p{L}])`,
  `\\b[x×]\\s?${amount}\\b`,
  `(?:${askedFor})\\s+(?:me\\s+)?${amount}\\b${notUnit}`,
  `\\b(?:just|only|nur|seulement|solo|alleen|apenas)\\s+${amount}\\b${notUnit}`,
  `(?:^|[,;.])\\s*(?:an? |the |one |ein |une |un |uno )?(${longNames})\\s*(?:$|[,.;!])`,
  `^\\s*(?:please,? )?${amount}\\s+(?:in|en|auf|als)\\s+(?!ch|one\\b|un[oae]?\\b|\\d)`,
  `^\\s*${amount}\\s+(?!inch|cm|mm|kg|ml|gb|tb)(?:(?!of |in |for |pack)\\p{L}+\\s+){0,3}?(?:\\p{L}+s)\\b`,
  `(\\d{1,3})\\s*(?:個|点|枚|本|つ|セット|箱|台|着)`,
].map((pattern) => new RegExp(pattern, 'u'));

/**
 * How many are wanted, e.g. 2 for `two of them`, `2x`, `qty 2`, `Menge: 2`, `a pair`; undefined
 * when the request does not say.
 */
export function wantedQuantity(request: string): number | undefined {
  const text = ` ${plain(request).replace(/[’]/g, "'")} `;
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) continue;
    const quantity = /^\d/.test(found) ? Number(found) : numbers[found];
    if (quantity !== undefined && quantity >= 1) return quantity;
  }
  return undefined;
}
