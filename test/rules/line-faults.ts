import type { RuleFault } from './faults.ts';

const engine = 'src/runner/engine';
const linesTest = `${engine}/cart/lines.test.ts`;
const oddTest = `${engine}/cart/odd-lines.test.ts`;
const extrasTest = `${engine}/steps/buyer/extras.test.ts`;
const wordsTest = `${engine}/words/languages.test.ts`;
const plansTest = `${engine}/cart/plans.test.ts`;
const consentTest = `${engine}/steps/consent.test.ts`;
const quantityTest = `${engine}/steps/product/quantity.test.ts`;
const pricesTest = `${engine}/money/prices.test.ts`;

/** What is a line of the cart, which one is the product, and how many it says. */
export const cartLines: readonly RuleFault[] = [
  {
    rule: 'What adds to a list of wishes, or wraps a gift, does not add to the cart.',
    file: `${engine}/words/cart-words.ts`,
    from: '`^(?!.*(?:${elsewhere})).*(?:${verb})`',
    to: 'verb',
    test: [wordsTest, 'Zur Wunschliste hinzufügen'],
  },
  {
    rule: 'What stands under “Saved for later” is not in the cart.',
    file: `${engine}/cart/lines.ts`,
    from: 'if (asideHeading.test(at.heading)) return true;',
    to: '',
    test: [oddTest, 'where each line can be wished for, others are saved for later'],
  },
  {
    rule: 'What can be moved into the cart is not in it.',
    file: `${engine}/cart/lines.ts`,
    from: 'return buttons.some((one) => one.rowText === rowText && words.moveToCart.test(captionOf(one)));',
    to: 'return false;',
    test: [linesTest, 'moves it into the cart is not in it'],
  },
  {
    rule: 'What would come again and again comes once.',
    file: `${engine}/steps/checkout.ts`,
    from: '(await takeOnce(run, snapshot)) ?? snapshot',
    to: 'snapshot',
    test: [oddTest, 'where each line can be wished for, others are saved for later'],
  },
  {
    rule: 'A cart that is shown again in an aside is one cart.',
    file: `${engine}/cart/lines.ts`,
    from: "const beside = ['header', 'nav', 'aside',",
    to: "const beside = ['header', 'nav',",
    test: [oddTest, 'an aside shows all again'],
  },
  {
    rule: 'So is one that does not say how many beside one that does.',
    file: `${engine}/cart/lines.ts`,
    from: 'kept.filter((line) => !line.isOurs || countOf(line) !== undefined) : kept',
    to: 'kept : kept',
    test: [linesTest, 'one that does not is a small cart beside it'],
  },
  {
    rule: 'A number is sent by the form that it was typed into.',
    file: `${engine}/cart/take-out.ts`,
    from: '.toSorted((one, other) => farFrom(one) - farFrom(other))',
    to: '',
    test: [oddTest, 'an aside shows all again'],
  },
  {
    rule: 'A plan of protection for the product is not the product.',
    file: `${engine}/cart/lines.ts`,
    from: 'hasPlain && isExtra(line) ?',
    to: 'hasPlain && !hasPlain ?',
    test: [linesTest, 'is none of it, wherever it stands'],
  },
  {
    rule: 'What is for the product is not the product.',
    file: `${engine}/cart/identity.ts`,
    from: '(namesOther(run, row) || isAbout(titles, row))',
    to: 'namesOther(run, row)',
    test: [linesTest, 'a lid for the product is similar alone'],
  },
  {
    rule: 'Two lines that read otherwise are not two of the product.',
    file: `${engine}/cart/mend.ts`,
    from: '.size < 2',
    to: '.size < 99',
    test: [oddTest, 'an aside shows all again'],
  },
  {
    rule: 'A page that is one form hides no line of its cart.',
    file: `${engine}/cart/lines.ts`,
    from: ' && !(isCart && isFormOfCart)',
    to: '',
    test: [linesTest, 'puts its page into one form'],
  },
  {
    rule: 'A list of sizes is no number of pieces.',
    file: `${engine}/fields/count.ts`,
    from: '&& isSize.test(caption)',
    to: '&& isOther.test(caption)',
    test: [linesTest, 'a list of sizes in a line is no number of pieces'],
  },
  {
    rule: 'A number of pieces may have decimals.',
    file: `${engine}/fields/count.ts`,
    from: '(?:[.,]0{1,3})?',
    to: '',
    test: [wordsTest, '” says the number'],
  },
  {
    rule: 'A stepper says the number between its buttons.',
    file: `${engine}/page/snapshot-script.ts`,
    from: 'if (beside) return beside;',
    to: '',
    test: [`${engine}/page/names.test.ts`, 'says the number between its two buttons'],
  },
  {
    rule: 'The pieces of a pack are no number of packs.',
    file: `${engine}/steps/product/quantity.ts`,
    from: '(pattern === inPieces && count === pack)',
    to: 'false',
    test: [oddTest, 'where it is a pack, whose pieces page and cart name'],
  },
  {
    rule: 'Words that say the number prove nothing against the bill.',
    file: `${engine}/steps/buyer/count.ts`,
    from: '(told === quantity && billed === undefined)',
    to: 'told === quantity',
    test: [extrasTest, 'prove nothing against a bill for fewer'],
  },
  {
    rule: 'An extra that names the product in the summary is asked about.',
    file: `${engine}/steps/buyer/extras.ts`,
    from: '(!names(title) || (hasOwn && words.extra.test(bare(title))))',
    to: '!names(title)',
    test: [extrasTest, 'have the product’s name in theirs'],
  },
  {
    rule: 'So is another product at the same price.',
    file: `${engine}/steps/buyer/extras.ts`,
    from: '(wanted.includes(amountMinor) ? title !== own?.title : billed',
    to: '(wanted.includes(amountMinor) ? false : billed',
    test: [extrasTest, 'cost as much as the product'],
  },
  {
    rule: 'So it is where the summary has no subtotal.',
    file: `${engine}/steps/buyer/extras.ts`,
    from: '=== total.amountMinor ? sum : undefined',
    to: '=== total.amountMinor ? undefined : undefined',
    test: [extrasTest, 'where the rows alone make the total'],
  },
  {
    rule: 'Goods for twice as much are asked about.',
    file: `${engine}/steps/buyer/extras.ts`,
    from: 'formatMoney({ amountMinor: goods, currency })) === quantity',
    to: 'formatMoney({ amountMinor: goods, currency })) !== undefined',
    test: [extrasTest, 'goods for twice as much'],
  },
  {
    rule: 'What orders in Finnish is no way on.',
    file: `${engine}/words/checkout-words.ts`,
    from: "'(?:tee|lähetä|vahvista|viimeistele) (?:tilaus|osto)',",
    to: '',
    test: [wordsTest, 'Tee tilaus'],
  },
  {
    rule: 'A foreign line whose price has no cents is a line.',
    file: `${engine}/money/prices.ts`,
    from: '/\\d[.,]\\d\\d/.test(text) || [...text',
    to: '/\\d[.,]\\d\\d/.test(text) && [...text',
    test: [`${engine}/cart/odd-carts.test.ts`, 'where prices are written like'],
  },
  {
    rule: 'A price beside that of a litre is one amount.',
    file: `${engine}/money/prices.ts`,
    from: 'return rest !== text && hasAmount(rest) ? rest : text;',
    to: 'return text;',
    test: [pricesTest, '5,00 € (10,00 € / l)'],
  },
  {
    rule: 'What a set includes is no number of it.',
    file: `${engine}/steps/product/quantity.ts`,
    from: '.filter((line) => !contents.test(line))',
    to: '',
    test: [quantityTest, 'is not told by'],
  },
  {
    rule: '“To the cart” leads there in Polish, and adds nothing.',
    file: `${engine}/words/cart-words.ts`,
    from: "'(?:dodaj|wrzuć|włóż) do koszyka', '^do koszyka$'",
    to: "'do koszyka'",
    test: [wordsTest, 'Przejdź do koszyka'],
  },
  {
    rule: 'Of a set whose parts have numbers of their own the user says which is meant.',
    file: `${engine}/steps/product/groups.ts`,
    from: 'if (rows.size < 2 ||',
    to: 'if (rows.size < 99 ||',
    test: [oddTest, 'each part of which has a number of its own'],
  },
  {
    rule: 'What is sold only so that it comes again and again is not bought.',
    file: `${engine}/steps/product/select.ts`,
    from: 'if (isPlanAlone(group) && !comesAgain(request))',
    to: 'if (isPlanAlone(group) && comesAgain(request))',
    test: [oddTest, 'but what is sold only again and again'],
  },
  {
    rule: 'A line that says in words that it comes again and again is not bought.',
    file: `${engine}/cart/plans.ts`,
    from: 'line.isOurs ? [sayingOf(run, snapshot, line.text)] : []',
    to: 'line.isOurs ? [] : []',
    test: [plansTest, 'that it comes again and again is refused'],
  },
  {
    rule: 'How often something else comes is no plan of what comes once.',
    file: `${engine}/cart/plans.ts`,
    from: "field.type === 'select' && !isOnce",
    to: "field.type === 'select'",
    test: [plansTest, 'is left as it is'],
  },
  {
    rule: 'A ticked box with a price is unticked, in whatever currency.',
    file: `${engine}/steps/choices.ts`,
    from: ' || hasAmount(text)',
    to: '',
    test: [consentTest, 'without an account or an insurance that is ticked'],
  },
  {
    rule: 'A ticked box for an account is unticked in Swedish.',
    file: `${engine}/words/checkout-words.ts`,
    from: "sv: ['skapa (?:ett |nytt )?konto', 'kom ihåg', 'spara i adressbok'],",
    to: '',
    test: [consentTest, 'without an account or an insurance that is ticked'],
  },
  {
    rule: 'The card is a way of paying in Swedish.',
    file: `${engine}/words/checkout-words.ts`,
    from: "sv: ['(?:kredit|betal|bank)kort'],",
    to: '',
    test: [consentTest, 'without an account or an insurance that is ticked'],
  },
];
