import { pathOf } from './page/route.ts';
import type { ButtonInfo, Snapshot } from './page/snapshot.ts';
import { comesAgain, words } from './words/words.ts';

export type ButtonKind =
  | 'addToCart'
  | 'buyNow'
  | 'cart'
  | 'checkout'
  | 'continue'
  | 'place'
  | 'guest'
  | 'login';

export interface ScoredButton {
  readonly button: ButtonInfo;
  readonly score: number;
}

const hints: Readonly<Partial<Record<ButtonKind, RegExp>>> = {
  addToCart: /add.?to.?(?:cart|bag|basket)|addtocart|buy-?button|product-?form__submit/i,
  cart: /(?:^|[\s_-])(?:mini-?)?(?:cart|basket|bag)(?:$|[\s_-])|warenkorb|panier|carrito/i,
  checkout: /checkout|kasse/i,
  place: /place.?order|submit.?order|order.?submit|complete.?order|pay.?now|pay.?button/i,
  continue: /continue|next|proceed|weiter/i,
  guest: /guest|gast/i,
};
const back =
  /\bback\b|return to|zurück|retour|volver|\bedit\b|\bchange\b|ändern|bearbeiten|modifier|editar|cambiar|cancel|abbrechen|annuler|cancelar|continue shopping|keep shopping|weiter (?:einkaufen|shoppen)|continuer (?:mes|vos|les) achats|seguir comprando|help|hilfe|print|drucken|track|log ?out|abmelden|déconn|cerrar sesi/i;
const wallet =
  /pay ?pal|apple ?pay|google ?pay|g ?pay|shop ?pay|amazon|klarna|afterpay|clearpay|affirm|link\b|venmo|meta pay|express checkout/i;

const walletHint =
  /pay-?pal|apple-?pay|google-?pay|\bg-?pay|shop-?pay|amazon-?pay|klarna|venmo|after-?pay|affirm|express checkout/i;

/** Whether words name a wallet. */
export const isWalletWord = (text: string): boolean => wallet.test(text);

/** Whether a button pays with somebody's wallet instead of the card. */
export function isWallet(button: ButtonInfo): boolean {
  // A long label is no heading of a group, but the text of what stands before it: other buttons,
  // perhaps a wallet's.
  const group = button.groupLabel.length < 40 ? button.groupLabel : '';
  return (
    isWalletWord(`${captionOf(button)} ${button.label}`) ||
    walletHint.test(`${button.hint} ${group}`)
  );
}

/** Text that a person reads on a button. */
export function captionOf(button: ButtonInfo): string {
  return (button.text !== '' ? button.text : button.label).trim();
}

/** The same, or what a drawing with a number beside it is called: “2” on a bag. */
function readOf(button: ButtonInfo): string {
  const caption = captionOf(button);
  return /^\(?\d{0,3}\)?$/.test(caption) && button.label !== '' ? button.label.trim() : caption;
}

/**
 * Whether pressing it is left to a script of the page: a link to nowhere is no way to another page.
 */
export const isHandle = ({ href }: ButtonInfo): boolean =>
  href === '' || /#[^/!]*$|^javascript:/.test(href);

/**
 * Buttons that may do a thing, the surest first; what leads to another site or is for something
 * else is left out.
 */
export function findButtons(
  snapshot: Snapshot,
  kind: ButtonKind,
  {
    isAllowed,
    near,
  }: { isAllowed: (url: string) => boolean; near?: { container: number; y: number } },
): readonly ScoredButton[] {
  return snapshot.buttons
    .map((button) => ({ button, score: scoreButton(snapshot, button, kind, near) }))
    .filter(({ button, score }) => score >= 4 && leadsInside(button, isAllowed))
    .sort((a, b) => b.score - a.score || a.button.y - b.button.y);
}

function leadsInside(button: ButtonInfo, isAllowed: (url: string) => boolean): boolean {
  if (button.href !== '' && (!/^https?:/.test(button.href) || !isAllowed(button.href)))
    return button.href.startsWith('javascript:');
  return button.action === '' || isAllowed(button.action);
}

/** The last part of the address of a cart. */
export const cartSegment =
  /\/(?:shopping[-_]?|mini-?)?(?:carts?|baskets?|bag|trolley|warenkorb|einkaufswagen|panier|carrito|cesta|carrello|winkel(?:wagen|mand(?:je)?)|carrinho)(?:\.\w+)?\/?$/i;
const cartFiller =
  /view|show|open|go|see|to|your|my|the|mein|zum|zur|ihr|anzeigen|ansehen|voir|mon|le|ver|mi|el|items?|artikel|articles?|checkout|check|out|and/gi;

const shopSegment =
  /\/(?:shop|store|products?|items|catalog(?:ue|o)?|katalog|collections(?:\/[\w-]+)?|categor(?:y|ies)|tienda|productos|boutique|produits|laden|produkte|negozio|prodotti|winkel|producten|loja|produtos)\/?$/i;

/**
 * Whether a button leads away from the checkout: into the cart, to the first page, or to the
 * shelves of the shop.
 */
export function leadsBack(snapshot: Snapshot, button: ButtonInfo): boolean {
  const caption = captionOf(button);
  const isForward = words.checkout.test(caption) || words.place.test(caption);
  if (words.cart.test(caption) && !isForward) return true;
  if (button.tag !== 'a' || !URL.canParse(button.href)) return false;
  const [to, here] = [new URL(button.href), new URL(snapshot.url)];
  const path = pathOf(button.href);
  // An address that is the page's own, or has only a fragment or a query more, is the handle of a
  // script.
  const isOwn = path === to.pathname && (to.pathname === here.pathname || to.search !== '');
  if (isOwn || path === pathOf(snapshot.url)) return false;
  return (
    /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?|index\.\w+|home\/?)?$/i.test(path) ||
    cartSegment.test(path) ||
    shopSegment.test(path)
  );
}

/** Whether a link opens another page: an order is never placed by one, “Order status” is. */
function opensPage(snapshot: Snapshot, { href }: ButtonInfo): boolean {
  if (!/^https?:/.test(href) || !URL.canParse(href)) return false;
  const isHere = href.split('#')[0] === snapshot.url.split('#')[0];
  return isHere ? /#!?\//.test(href) : pathOf(href) !== pathOf(snapshot.url);
}

/**
 * A bag may be a product: a link counts as the way to the cart by where it leads, or by having no
 * word of its own.
 */
function cartPath(button: ButtonInfo, caption: string): number {
  if (button.href === '' || /#(?!!?\/)/.test(button.href) || caption === '') return 0;
  if (cartSegment.test(pathOf(button.href))) return 2;
  const rest = caption
    .replace(words.cart, ' ')
    .replace(cartFiller, ' ')
    .replace(/[^\p{L}]/gu, '');
  return rest.length > 3 ? -4 : 0;
}

/** What starts like an order and is none. */
const aboutOrder =
  /^order (?:summary|overview|details?|status|history|number|notes?|total|tracking|info(?:rmation)?)\b/i;

function scoreButton(
  snapshot: Snapshot,
  button: ButtonInfo,
  kind: ButtonKind,
  near: { container: number; y: number } | undefined,
): number {
  const caption = readOf(button);
  if (caption.length > 90) return 0;
  const isWord = words[kind].test(caption) || (caption === '' && words[kind].test(button.hint));
  let score = isWord ? 6 : 0;
  if (hints[kind]?.test(button.hint)) score += isWord ? 2 : caption === '' ? 5 : 1;
  if (hints[kind]?.test(button.label)) score += 1;
  if (score === 0) return 0;
  if (button.disabled) score -= 3;
  if (words.wishlist.test(caption)) score -= 5;
  if (isWallet(button) && kind !== 'cart') score -= 8;
  const leadsToCart = kind === 'cart' && cartSegment.test(pathOf(button.href));
  if (back.test(caption) && kind !== 'guest' && !leadsToCart) score -= 8;
  if (words.cookie.test(caption)) score -= 6;
  if (caption.length > 40) score -= 2;
  if (button.target === '_blank') score -= 4;
  const isLink = button.tag === 'a';
  const isQuiet = ['header', 'footer', 'nav'].includes(button.region);
  if (kind === 'cart')
    return (
      score +
      cartPath(button, caption) +
      (isQuiet ? 1 : 0) +
      (isLink ? 1 : 0) -
      (words.addToCart.test(caption) || words.remove.test(caption) || words.checkout.test(caption)
        ? 6
        : 0)
    );
  // Before the cart the way to the checkout may lead through it.
  if ((kind === 'continue' || kind === 'guest' || kind === 'place') && leadsBack(snapshot, button))
    score -= 8;
  if (isQuiet) score -= kind === 'checkout' || kind === 'login' ? 2 : 4;
  if (kind === 'addToCart') score += isLink ? -1 : 1;
  if (
    kind === 'addToCart' &&
    button.rowText !== '' &&
    snapshot.heading !== '' &&
    button.rowText.includes(snapshot.heading)
  )
    score += 1;
  if ((kind === 'checkout' || kind === 'place' || kind === 'continue') && words.login.test(caption))
    score -= 3;
  if (kind === 'place') {
    // “Order summary” opens and folds up.
    if (
      (isLink && opensPage(snapshot, button)) ||
      button.expanded !== '' ||
      aboutOrder.test(caption)
    )
      return 0;
    if (/^(?:proceed|continue|go |weiter|next|zur|choose|select)/i.test(caption)) score -= 6;
    if (isLink) score -= 2;
    if (comesAgain(caption)) score -= 2;
  }
  if (kind === 'continue') {
    if (isLink) score -= 1;
    if (
      /coupon|promo|gutschein|discount|newsletter|subscribe/i.test(
        `${caption} ${button.hint} ${snapshot.forms[button.container]?.hint ?? ''}`,
      )
    )
      score -= 5;
    if (words.register.test(caption) || words.forgot.test(caption)) score -= 5;
  }
  if (button.type === 'submit' && !isLink) score += 0.5;
  if (near !== undefined) {
    const isSameForm =
      snapshot.forms[near.container]?.tag === 'form' && button.container === near.container;
    if (isSameForm) score += 3;
    const below = button.y - near.y;
    score += below >= -10 && below < 900 ? 2 - Math.min(below, 900) / 600 : -0.5;
  }
  return score;
}
