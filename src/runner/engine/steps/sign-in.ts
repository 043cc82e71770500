import { bestButton, clearLayers, clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { readForm } from '../fields/forms.ts';
import type { ButtonInfo, Snapshot } from '../page/snapshot.ts';
import { checkAlive, isShopUrl, type Run, RunStop, readLater, readPage } from '../run.ts';
import { words } from '../words/words.ts';
import { passLogin, wantsAccount } from './login.ts';
import { isForMembers } from './members.ts';
import { openProduct } from './open-product.ts';
import { namedProductButton } from './product-button.ts';

const formWaitMs = 2_500;

/**
 * Signs in where the product is, before anything is chosen: when the request wants the user's account, or when the page has a login
 * and no way to buy. The login is on the page or behind a link of the shop; then back to the product. A page without a login is
 * left as it is: the checkout may still ask for one.
 */
export async function signInFirst(run: Run, product: Snapshot): Promise<Snapshot> {
  if (run.state.signedIn || !(wantsAccount(run) || isForMembers(run, product))) return product;
  const isHere = readForm(product).login !== undefined;
  const login = isHere ? product : await openLogin(run, product);
  const form = login && readForm(login);
  if (login !== undefined && form?.login !== undefined) await passLogin(run, login, form);
  else if (login === undefined) return product;
  await run.page.goto(run.state.productUrl, { waitUntil: 'domcontentloaded', timeout: run.patience.openMs });
  return openProduct(run);
}

/** The page behind the link to the login, once its form is there; undefined where none leads to one inside of the shop. */
async function openLogin(run: Run, product: Snapshot): Promise<Snapshot | undefined> {
  const link = loginLink(run, product);
  if (link === undefined) return undefined;
  try {
    const { snapshot } = await clickAndRead(run, product, link);
    const shown = await clearLayers(run, snapshot);
    return readForm(shown).login === undefined ? await readLater(run, formWaitMs) : shown;
  } catch (error) {
    checkAlive(run);
    // Some shops have their customers sign in at another site, which is not followed.
    if (!(error instanceof RunStop) || isShopUrl(run, run.page.url())) throw error;
    await run.page.goto(run.state.productUrl, { waitUntil: 'domcontentloaded', timeout: run.patience.openMs });
    return readPage(run);
  }
}

/** Beside the product it leads back there, so that one comes before the one at the head of every page. */
function loginLink(run: Run, snapshot: Snapshot): ButtonInfo | undefined {
  const links = snapshot.buttons.filter((button) => isLoginLink(run, button));
  const only = (buttons: readonly ButtonInfo[]) => bestButton(run, { ...snapshot, buttons }, 'login');
  const add = namedProductButton(run, snapshot);
  const beside = add === undefined ? links.filter(({ region }) => !['header', 'footer', 'nav'].includes(region)) : [];
  return only(beside) ?? only(links);
}

const isLoginLink = (run: Run, button: ButtonInfo): boolean => {
  const caption = captionOf(button) || button.label;
  const isInside = button.href === '' || isShopUrl(run, button.href) || button.href.startsWith('javascript:');
  return isInside && !button.disabled && caption.length < 60 && words.login.test(caption) && !isOther.test(caption);
};
/** Those who sign in with a company, or sign up for news. */
const isOther = /newsletter|facebook|google|apple|amazon|paypal|log ?out|sign ?out|abmelden|wish/i;
