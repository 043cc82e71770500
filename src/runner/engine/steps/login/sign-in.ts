import { bestButton, clearLayers, clickAndRead } from '../../act.ts';
import { captionOf } from '../../buttons.ts';
import { readForm } from '../../fields/forms.ts';
import { pathOf } from '../../page/route.ts';
import type { ButtonInfo, Snapshot } from '../../page/snapshot.ts';
import { checkAlive, fail, isShopUrl, type Run, RunStop, readLater, readPage } from '../../run.ts';
import { words } from '../../words/words.ts';
import { isForMembers } from '../product/members.ts';
import { openProduct } from '../product/open-product.ts';
import { namedProductButton } from '../product/product-button.ts';
import { passLogin, wantsAccount } from './login.ts';

const formWaitMs = 2_500;

/**
 * Signs in where the product is, before anything is chosen: when the request wants the user's
 * account, or when the page has a login and no way to buy. The login is on the page or behind a
 * link of the shop; then back to the product. A page without a login is left as it is: the checkout
 * may still ask for one.
 */
export async function signInFirst(run: Run, product: Snapshot): Promise<Snapshot> {
  if (run.state.signedIn || !(wantsAccount(run) || isForMembers(run, product))) return product;
  const isHere = readForm(product).login !== undefined;
  const login = isHere ? product : await openLogin(run, product);
  const form = login && readForm(login);
  if (login !== undefined && form?.login !== undefined) await passLogin(run, login, form);
  else if (login === undefined) return product;
  await run.page.goto(run.state.productUrl, {
    waitUntil: 'domcontentloaded',
    timeout: run.patience.openMs,
  });
  return openProduct(run);
}

/**
 * The same in a checkout that offers a login beside the guest's way, which has met none before.
 * What lies in the account's own basket has come to the cart by that, so the cart is looked at
 * again. Undefined: nothing to sign in by, or it is not wanted.
 * @throws RunStop where the cart cannot be looked at again
 */
export async function signInLate(run: Run, given: Snapshot): Promise<Snapshot | undefined> {
  if (run.state.signedIn || !wantsAccount(run) || run.state.asked.has(lateKey)) return undefined;
  const isHere = readForm(given).login !== undefined;
  if (!isHere && loginLink(run, given) === undefined) return undefined;
  run.state.asked.set(lateKey, {});
  const login = isHere ? given : await openLogin(run, given);
  const form = login && readForm(login);
  if (login === undefined || form?.login === undefined) return login;
  return (
    (await openCartAgain(run, await passLogin(run, login, form))) ??
    fail(
      run,
      'The cart could not be looked at again after signing in, and it may hold more by now.',
    )
  );
}

/**
 * The page of the cart once more, behind a login: the account's own basket may have come to it.
 * Undefined where no way leads there.
 */
export async function openCartAgain(run: Run, inside: Snapshot): Promise<Snapshot | undefined> {
  const { cartUrl } = run.state;
  const cart = cartUrl === undefined ? bestButton(run, inside, 'cart') : undefined;
  if (cart !== undefined) return (await clickAndRead(run, inside, cart)).snapshot;
  if (cartUrl === undefined) return undefined;
  await run.page.goto(cartUrl, { waitUntil: 'domcontentloaded', timeout: run.patience.openMs });
  return readPage(run);
}
const lateKey = 'sign-in/late';

/**
 * The page behind the link to the login, once its form is there; undefined where none leads to one
 * inside of the shop.
 */
async function openLogin(run: Run, product: Snapshot): Promise<Snapshot | undefined> {
  const link = loginLink(run, product) ?? accountLink(run, product);
  if (link === undefined) return undefined;
  try {
    const { snapshot } = await clickAndRead(run, product, link);
    let shown = await clearLayers(run, snapshot);
    // The account's own page, or a menu below it.
    const inside =
      readForm(shown).login === undefined && isAccount(link) ? loginLink(run, shown) : undefined;
    if (inside !== undefined)
      shown = await clearLayers(run, (await clickAndRead(run, shown, inside)).snapshot);
    return readForm(shown).login === undefined ? await readLater(run, formWaitMs) : shown;
  } catch (error) {
    checkAlive(run);
    // Some shops have their customers sign in at another site, which is not followed.
    if (!(error instanceof RunStop) || isShopUrl(run, run.page.url())) throw error;
    await run.page.goto(run.state.productUrl, {
      waitUntil: 'domcontentloaded',
      timeout: run.patience.openMs,
    });
    return readPage(run);
  }
}

/**
 * Beside the product it leads back there, so that one comes before the one at the head of every
 * page.
 */
function loginLink(run: Run, snapshot: Snapshot): ButtonInfo | undefined {
  const links = snapshot.buttons.filter((button) => isLoginLink(run, button));
  const only = (buttons: readonly ButtonInfo[]) =>
    bestButton(run, { ...snapshot, buttons }, 'login');
  const add = namedProductButton(run, snapshot);
  const beside =
    add === undefined
      ? links.filter(({ region }) => !['header', 'footer', 'nav'].includes(region))
      : [];
  return only(beside) ?? only(links);
}

const isInside = (run: Run, { href, disabled }: ButtonInfo) =>
  !disabled && (href === '' || isShopUrl(run, href) || href.startsWith('javascript:'));

const isLoginLink = (run: Run, button: ButtonInfo): boolean => {
  const caption = captionOf(button) || button.label;
  return (
    isInside(run, button) &&
    caption.length < 60 &&
    words.login.test(caption) &&
    !isOther.test(`${caption} ${button.href}`)
  );
};

/**
 * What leads to the account where no login is seen: by its words, or a drawing whose address is the
 * login's or the account's.
 */
const isAccount = (button: ButtonInfo): boolean =>
  words.account.test(captionOf(button) || button.label) ||
  (captionOf(button) === '' &&
    /(?:^|\/)(?:log-?in|sign-?in|account)\/?$/i.test(pathOf(button.href)));

const accountLink = (run: Run, { buttons }: Snapshot): ButtonInfo | undefined => {
  const links = buttons.filter(
    (button) =>
      isInside(run, button) &&
      isAccount(button) &&
      !isOther.test(`${captionOf(button)} ${button.href}`),
  );
  return links.find(({ region }) => region !== 'footer') ?? links[0];
};
/** Those who sign in with a company, or sign up for news. */
const isOther =
  /affiliate|newsletter|facebook|google|apple|amazon|paypal|log ?out|sign ?out|abmelden|wish/i;
