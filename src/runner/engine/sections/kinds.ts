import { anyOf, type WordList } from '../words/languages.ts';
import { plain } from '../words/words.ts';

/** What a part of a page is there for. */
export type SectionKind =
  | 'search'
  | 'newsletter'
  | 'voucher'
  | 'review'
  | 'message'
  | 'call-back'
  | 'estimate'
  | 'look-up'
  | 'preference'
  | 'login'
  | 'registration'
  | 'step'
  | 'other';

/**
 * Parts of a page that are never used for buying: what stands in them is no field, no choice and no
 * way on.
 */
export const foreignKinds: ReadonlySet<SectionKind> = new Set([
  'search',
  'newsletter',
  'voucher',
  'review',
  'message',
  'call-back',
  'estimate',
  'look-up',
  'preference',
]);

/**
 * How shops head a part, name its elements or write on its button, in plain text (see `plain`).
 * Seen in OpenCart, PrestaShop, Magento, WooCommerce, Shopify, nopCommerce, Sylius, Spree, Medusa
 * and osCommerce templates.
 */
const lists = {
  newsletter: {
    en: [
      'newsletter',
      'subscribe',
      'mailing list',
      'stay in touch',
      'sign ?up (?:for|to) ',
      'mailchimp',
      'klaviyo',
      'be the first',
      '\\d+ ?% off',
    ],
    de: ['abonnier', 'anmelden zum newsletter'],
    fr: ['infolettre', 'lettre d.information', "s'abonner", 'abonnez', 's.inscrire'],
    es: ['suscri', 'boletin'],
    it: ['iscriviti', 'iscrizione alla'],
    nl: ['nieuwsbrief'],
    pt: ['assinar', 'subscrever', 'novidades'],
    ja: ['メールマガジン', 'メルマガ', 'ニュースレター'],
  },
  voucher: {
    en: [
      'coupon',
      'promo(?:tion)?(?:al)? ?code',
      'discount ?code',
      'voucher',
      'gift ?(?:card|certificate)',
      'redeem',
    ],
    de: ['gutschein', 'rabattcode', 'aktionscode', 'einlosen'],
    fr: ['code (?:promo|de reduction|reduction|avantage)', 'bon de reduction', 'cheque.cadeau'],
    es: ['cupon', 'codigo (?:promocional|de descuento)', 'vale descuento'],
    it: ['buono sconto', 'codice (?:sconto|promo)', 'coupon'],
    nl: ['kortingscode', 'cadeaubon', 'actiecode'],
    pt: ['cupom', 'cupao', 'codigo (?:promocional|de desconto)'],
    ja: ['クーポン', '商品券'],
  },
  review: {
    en: [
      'review',
      'rating',
      'testimonial',
      'rate (?:this|it)',
      'captcha',
      'your opinion',
      'ask a question',
    ],
    de: ['bewert', 'rezension'],
    fr: ['\\bavis\\b', 'commentaire sur', 'votre note'],
    es: ['resena', 'valoracion', 'opinion'],
    it: ['recension', 'valutazione'],
    nl: ['beoordeling'],
    pt: ['avaliacao', 'avaliac', 'opiniao'],
    ja: ['レビュー', '評価'],
  },
  message: {
    en: [
      'contact[- ]?(?:us|form)',
      'your (?:message|question|enquiry|inquiry)',
      'send (?:us )?(?:a )?message',
      'comment-?form',
      'feedback',
      'chat',
    ],
    de: ['nachricht', 'kontaktformular', 'ihre frage'],
    fr: ['votre (?:message|question)', 'contactez'],
    es: ['su (?:mensaje|pregunta)', 'contactenos'],
    it: ['il tuo messaggio', 'contattaci'],
    nl: ['uw (?:bericht|vraag)', 'je (?:bericht|vraag)'],
    pt: ['sua mensagem', 'fale conosco'],
    ja: ['お問い合わせ'],
  },
  search: {
    en: ['search', 'find products'],
    de: ['suche'],
    fr: ['recherche', 'rechercher'],
    es: ['buscar', 'busqueda', 'busca'],
    it: ['cerca', 'ricerca'],
    nl: ['zoek'],
    pt: ['pesquis', 'procurar', 'buscar'],
    ja: ['検索'],
  },
  estimate: {
    en: [
      'estimate',
      'calculate (?:shipping|delivery|postage)',
      'shipping (?:calculator|quote|estimator)',
      'get (?:a )?(?:quote|rates?)',
    ],
    de: ['versandkosten (?:berechnen|schatzen|ermitteln)', 'versand berechnen', 'schatz'],
    fr: ['estim', 'calculer (?:les frais|la livraison)'],
    es: ['calcul(?:ar|e) (?:el )?(?:envio|gastos)', 'estimar'],
    it: ['calcola (?:la )?spedizione', 'stima'],
    nl: ['verzendkosten (?:berekenen|schatten)', 'schatting'],
    pt: ['calcular (?:o )?(?:frete|envio|portes)', 'estimar'],
    ja: ['送料(?:を)?(?:計算|見積)'],
  },
  register: {
    en: [
      'create (?:an? )?(?:new )?account',
      'register',
      'registration',
      'sign ?up',
      'new customer',
      "i'?m new",
      'join (?:us|now)',
    ],
    de: ['registrier', 'konto (?:anlegen|erstellen|eroffnen)', 'neukunde', 'neuer kunde'],
    fr: ['creer (?:un|mon) compte', 'inscri', 'nouveau client'],
    es: ['crear (?:una )?cuenta', 'registr', 'nuevo cliente'],
    it: ['crea (?:un )?account', 'registra', 'nuovo cliente'],
    nl: ['account aanmaken', 'registreren', 'nieuwe klant', 'ik ben nieuw'],
    pt: ['criar (?:uma )?conta', 'regist', 'cadastr', 'novo cliente'],
    ja: ['会員登録', '新規登録'],
  },
  lookUp: {
    en: ['order status', 'track (?:your |my |an )?order', 'find (?:your |my )?order'],
    de: ['bestellstatus', 'bestellung (?:verfolgen|suchen)', 'sendung'],
    fr: ['suivi (?:de|d.)', 'suivre (?:ma|votre) commande', 'statut de'],
    es: ['estado del pedido', 'seguimiento'],
    it: ['stato (?:dell.)?ordine', 'traccia'],
    nl: ['bestelstatus', 'volg (?:je|uw) bestelling'],
    pt: ['estado d[ao] (?:sua )?(?:encomenda|pedido)', 'status do pedido', 'acompanhar'],
    ja: ['注文状況'],
  },
  preference: {
    en: [
      'currency',
      'language',
      'manufacturer',
      '\\bbrands?\\b',
      'genre',
      'sort(?: by)?\\b',
      'filter',
      'per page',
    ],
    de: ['wahrung', 'sprache', 'hersteller', '\\bmarken?\\b', 'sortier'],
    fr: ['devise', 'langue', 'fabricant', 'marque', 'trier'],
    es: ['moneda', 'divisa', 'idioma', 'fabricante', 'marca', 'ordenar'],
    it: ['valuta', 'lingua', 'marche?\\b', 'produttor', 'ordina per'],
    nl: ['valuta', '\\btaal', '\\bmerk', 'fabrikant', 'sorteer'],
    pt: ['moeda', 'idioma', 'marca', 'fabricante', 'ordenar'],
    ja: ['通貨', '言語', 'ブランド'],
  },
} as const satisfies Readonly<Record<string, WordList>>;

/**
 * These are words of their own: “poursuivre ma commande” is not “suivre ma commande”, and a
 * testimonial is no estimate.
 */
const whole: ReadonlySet<string> = new Set(['estimate', 'lookUp']);
const testOf = (name: string, list: WordList) =>
  new RegExp(`${whole.has(name) ? '(?<!\\p{L})' : ''}(?:${anyOf(list)})`, 'u');
const testsOf = Object.fromEntries(
  Object.entries(lists).map(([name, list]) => [name, testOf(name, list as WordList)]),
) as Readonly<Record<keyof typeof lists, RegExp>>;

/** Whether a text speaks of a kind of section. */
export const speaksOf = (kind: keyof typeof lists, text: string): boolean =>
  testsOf[kind].test(plain(text));
