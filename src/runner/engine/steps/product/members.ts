import { readForm } from '../../fields/forms.ts';
import type { Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { plain, words } from '../../words/words.ts';
import { productButton } from './product-button.ts';

const sentenceMax = 200;
/** What one signs in for, in the languages of {@link words}: to see a price, to buy, to order. */
const forWhat =
  /price|\bbuy|order|purchas|preis|bestell|kauf|prix|commander|acheter|precio|compr|pedir|pedido|prezz|acquist|ordin|prijs|kopen|preco|encomend|価格|購入|注文/;

/**
 * A product that can be seen and not bought, on a page with a login, or with a sentence that says
 * what to sign in for.
 */
export const isForMembers = (run: Run, snapshot: Snapshot): boolean =>
  productButton(run, snapshot) === undefined &&
  !words.soldOut.test(snapshot.text) &&
  (readForm(snapshot).login !== undefined || snapshot.text.split('\n').some(saysSignIn));

const saysSignIn = (line: string) =>
  line.length < sentenceMax &&
  words.login.test(line) &&
  forWhat.test(plain(line).replace(words.login, ' '));
