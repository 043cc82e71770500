import { cartLines } from './line-faults.ts';
import { approval, cards, consent, fields } from './more-faults.ts';

/**
 * The rules of agent checkouts that must never be broken ("never wrong"), each with one fault that
 * breaks it and the test that then fails. `npm run mutate:rules` puts every fault into a copy of
 * the sources and runs its test; a fault that no test notices ends it with 1.
 */
export interface RuleFault {
  /** The rule, as docs/guides/agent-checkouts.md and the issue say it. */
  readonly rule: string;
  readonly file: string;
  /** Stands once in the file, whatever the white-space. */
  readonly from: string;
  readonly to: string;
  /** Path of the test file and the words of its test's name. */
  readonly test: readonly [file: string, name: string];
}

const engine = 'src/runner/engine';
const cartTest = `${engine}/cart/cart.test.ts`;
const countTest = `${engine}/steps/buyer/count.test.ts`;
const unaskedTest = `${engine}/unasked.test.ts`;

const cart: readonly RuleFault[] = [
  {
    rule: 'A similar title is another product.',
    file: `${engine}/cart/identity.ts`,
    from: '&& !isLonger && !goesOn',
    to: '&& !goesOn',
    test: [cartTest, 'a longer title with a page of its own is another product'],
  },
  {
    rule: 'Another variant in the cart is not the chosen one.',
    file: `${engine}/cart/identity.ts`,
    from: '(namesOther(run, row) || isAbout',
    to: '(isAbout',
    test: [cartTest, 'is asked about where it is all that the cart has'],
  },
  {
    rule: 'A piece that the shop may have refused to add stays in the cart.',
    file: `${engine}/cart/leave.ts`,
    from: ' || mayBeUsers ||',
    to: ' ||',
    test: [cartTest, 'leaves the user’s own piece'],
  },
  {
    rule: 'So does what the shop says that it took no more of.',
    file: `${engine}/cart/add.ts`,
    from: 'saysNoMore(before, after)',
    to: 'false',
    test: [`${engine}/cart/odd-carts.test.ts`, 'that the shop took no second one of'],
  },
  {
    rule: 'So does what an account’s own basket may have put in its place.',
    file: `${engine}/steps/login/login.ts`,
    from: 'if (run.state.hasAdded) run.state.mayBeUsers = true;',
    to: '',
    test: [`${engine}/cart/odd-carts.test.ts`, 'that a late login may have brought'],
  },
  {
    rule: 'The title and the price of its page together make the same product.',
    file: `${engine}/cart/identity.ts`,
    from: "hasPrice(run, snapshot, rowText, leadsThere && namesChoices(run, row)) ? 'same' : 'similar'",
    to: "'same'",
    test: [cartTest, 'is asked about when its line costs another price'],
  },
  {
    rule: 'The number in the address of a product is the whole number.',
    file: `${engine}/cart/identity.ts`,
    from: 'return [...wanted.searchParams].every(([name, value]) => isAside(name) || isSame(link.searchParams.get(name), value));',
    to: 'return true;',
    test: [`${engine}/cart/surcharge.test.ts`, 'is another product'],
  },
  {
    rule: 'What costs more explains another price only where the line leads to the product and names the option.',
    file: `${engine}/cart/identity.ts`,
    from: 'leadsThere && namesChoices(run, row)) ?',
    to: 'true) ?',
    test: [`${engine}/cart/surcharge.test.ts`, 'does not explain a price'],
  },
  {
    rule: 'A cart with something else alone is not bought.',
    file: `${engine}/cart/mend.ts`,
    from: 'return fail(run, `The cart of the shop lists ${listed.join',
    to: 'if (listed.length > 0) return true;\n    return fail(run, `The cart of the shop lists ${listed.join',
    test: [cartTest, 'is not bought when it lists something else'],
  },
  {
    rule: 'What is only similar is the user’s to say.',
    file: `${engine}/cart/mend.ts`,
    from: "if (values['choice'] === 'same') return true;",
    to: 'return true;',
    test: [cartTest, 'is not bought when it lists a product with a similar title'],
  },
  {
    rule: 'A foreign line that cannot be taken out is not bought along.',
    file: `${engine}/cart/mend.ts`,
    from: 'const stuck = isCart ?',
    to: 'const stuck = isCart && lines.length === 0 ?',
    test: [
      `${engine}/cart/surcharge.test.ts`,
      'cannot be taken out of the cart is not bought along',
    ],
  },
  {
    rule: 'What takes a line out may stand in a row of its own below it.',
    file: `${engine}/cart/lines.ts`,
    from: ' ?? below(quantity)',
    to: '',
    test: [`${engine}/cart/lines.test.ts`, 'may stand in a row of its own below it'],
  },
  {
    rule: 'Goods that cost far more than what was asked for are asked about.',
    file: `${engine}/steps/buyer/extras.ts`,
    from: 'return goods * 100n > wanted * goodsMax ?',
    to: 'return goods * 100n > wanted * goodsMax * 99n ?',
    test: [unaskedTest, 'goods that cost far more than the product'],
  },
  {
    rule: 'More pieces in the cart than were asked for are asked about.',
    file: `${engine}/steps/buyer/extras.ts`,
    from: 'pieces !== undefined && pieces > run.state.quantity ?',
    to: 'pieces !== undefined && pieces < run.state.quantity ?',
    test: [unaskedTest, 'more pieces in the cart than were asked for'],
  },
  {
    rule: 'A foreign line is taken out.',
    file: `${engine}/cart/mend.ts`,
    from: 'lines.find((line) => !line.isOurs && mayGo(line)) ?? ours',
    to: 'ours',
    test: [cartTest, 'of a session that nobody owns loses what was left in it'],
  },
  {
    rule: 'Nothing leaves a cart of the user’s own without a yes.',
    file: `${engine}/cart/mend.ts`,
    from: 'if (!isUsersOwn(run)) return;\n  await askToChange(run, `cart/remove/',
    to: 'if (isUsersOwn(run) || run.state.quantity > 0) return;\n  await askToChange(run, `cart/remove/',
    test: [cartTest, 'of a user keeps what was in it until the user says so'],
  },
  {
    rule: 'Nor is its number changed without a yes.',
    file: `${engine}/cart/mend.ts`,
    from: 'if (count > run.state.quantity) await askToReduce(run, count);',
    to: '',
    test: [cartTest, 'of a user keeps what was in it until the user says so'],
  },
  {
    rule: 'Exactly as many as were asked for, one included.',
    file: `${engine}/cart/mend.ts`,
    from: 'if (count === undefined || count === run.state.quantity) return snapshot;',
    to: 'if (count === undefined || count >= run.state.quantity) return snapshot;',
    test: [cartTest, 'of a session that nobody owns loses what was left in it'],
  },
  {
    rule: 'More than were asked for are seen in the sum of a line.',
    file: `${engine}/cart/mend.ts`,
    from: 'if (summed !== undefined && summed > quantity) refuseCount(run, summed);',
    to: '',
    test: [cartTest, 'are not bought when the line of the cart costs so many times as much'],
  },
  {
    rule: 'More than were asked for are seen in the words of a line.',
    file: `${engine}/cart/mend.ts`,
    from: 'if (isSum || sums.length === 0) refuseCount(run, told);',
    to: '',
    test: [cartTest, 'are not bought when only the words of the line say so'],
  },
  {
    rule: 'More than were asked for are seen in the summary.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: '  await settleCount(run, quote.lines, quote.total, offer.order);\n',
    to: '',
    test: [cartTest, 'are not bought when the summary bills so many times as much'],
  },
  {
    rule: 'A number that nothing shows is the user’s to judge.',
    file: `${engine}/steps/buyer/count.ts`,
    from: 'if (quantity === 1 && isOne(run, goods)) return;',
    to: 'if (quantity === 1) return;',
    test: [countTest, 'and has got those of the account along'],
  },
  {
    rule: 'What the product’s page took is not what the cart holds.',
    file: `${engine}/steps/product/quantity.ts`,
    from: 'shownOf(run).isSet = quantity',
    to: 'shownOf(run).isSeen = quantity',
    test: [countTest, 'is not bought where less is billed'],
  },
  {
    rule: 'Far less than the cart has shown is the user’s to judge.',
    file: `${engine}/steps/buyer/count.ts`,
    from: 'if (isSeen && billed === undefined && !isFarLess(run, goods)) return;',
    to: 'if (isSeen) return;',
    test: [`${engine}/steps/buyer/count-lies.test.ts`, 'where the page alone works out their sum'],
  },
  {
    rule: 'A yes to one line of the user’s cart is none to another.',
    file: `${engine}/cart/mend.ts`,
    from: '`cart/remove/${keyOf(line)}`',
    to: '`cart/remove/${sameKey(line.text)}`',
    test: [`${engine}/cart/odd-carts.test.ts`, 'are asked about one by one'],
  },
  {
    rule: 'A number that was typed and not sent is none of the cart.',
    file: `${engine}/cart/take-out.ts`,
    from: 'return isTaken(later) ? later : readAgain(run);',
    to: 'return later;',
    test: [countTest, 'a number that was typed into a line and is sent by nothing'],
  },
  {
    rule: 'Whoever signs in at a wall may have got the account’s basket into the cart.',
    file: `${engine}/steps/checkout.ts`,
    from: 'if (wasSignedIn || !run.state.signedIn) return inside;',
    to: 'if (!wasSignedIn) return inside;',
    test: [`${engine}/steps/sign-in-late.test.ts`, 'brings the account’s basket along'],
  },
  {
    rule: 'A line that stays though its number was set to zero is not bought along.',
    file: `${engine}/cart/mend.ts`,
    from: '!line.isOurs && isCounted(line) && !isFree(run, snapshot, line))',
    to: '!line.isOurs && isCounted(line) && line.quantity === undefined)',
    test: [cartTest, 'is not bought when a line stays'],
  },
  {
    rule: 'Several are bought only where the shop shows so many.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: '    refuseUnseenQuantity(run);\n',
    to: '',
    test: [
      `${engine}/add-again.test.ts`,
      'are not bought where nothing in the shop shows how many',
    ],
  },
  {
    rule: 'Other products in the summary are asked about.',
    file: `${engine}/steps/buyer/extras.ts`,
    from: '[...new Set([...unaskedLines(run, lines), ...foreignLines(run, lines, total)])];',
    to: '[...new Set(unaskedLines(run, lines))];\n  if (named.length === 0) return;',
    test: [unaskedTest, 'is asked about and not bought without a yes'],
  },
  {
    rule: 'Another variant in the summary is asked about.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: '  await settleVariant(run, quote.lines);\n',
    to: '',
    test: [unaskedTest, 'is asked about 1 times'],
  },
  {
    rule: '“Added” means that something was sent: a page that is as it was has taken nothing.',
    file: `${engine}/cart/add.ts`,
    from: 'fingerprint(snapshot) === fingerprint(after.before)) continue;',
    to: 'fingerprint(snapshot) === fingerprint(after.before)) return isInCart(run, snapshot);',
    test: [`${engine}/steps/parts.test.ts`, 'a press that an offer of news has caught'],
  },
  {
    rule: 'The button of a related product is not the product’s.',
    file: `${engine}/steps/product/product-button.ts`,
    from: '!isOfAnother(run, snapshot, button)) };',
    to: 'true || !isOfAnother(run, snapshot, button)) };',
    test: [cartTest, 'is none of a related product'],
  },
];

const own: readonly RuleFault[] = [
  {
    rule: 'A run that ends without an order takes its own line out again.',
    file: `${engine}/run-checkout.ts`,
    from: '  await leaveCart(run);\n',
    to: '',
    test: [cartTest, 'takes its own line out of a cart of the user'],
  },
  {
    rule: 'What was the user’s before stays in the cart.',
    file: `${engine}/cart/leave.ts`,
    from: ' || hadOwn ||',
    to: ' ||',
    test: [cartTest, 'leaves what was the user’s before'],
  },
];

export const ruleFaults: readonly RuleFault[] = [
  ...cart,
  ...cartLines,
  ...own,
  ...approval,
  ...consent,
  ...fields,
  ...cards,
];
