import type { RuleFault } from './faults.ts';

const engine = 'src/runner/engine';
const cartTest = `${engine}/cart/cart.test.ts`;
const consentTest = `${engine}/steps/consent.test.ts`;
const formsTest = `${engine}/forms.test.ts`;
const rulesTest = `${engine}/rules.test.ts`;
const unaskedTest = `${engine}/unasked.test.ts`;

const approvalTest = `${engine}/steps/approval.test.ts`;
/** What the user approves. */
export const approval: readonly RuleFault[] = [
  {
    rule: 'The approval has the shop’s own lines.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: 'lines: [...boughtLine(run), ...withoutRepeats(run, quote.lines), ...doubts(run, quote)],',
    to: 'lines: [...boughtLine(run), ...doubts(run, quote)],',
    test: [rulesTest, 'ask for a region that the shop needs'],
  },
  {
    rule: 'What was asked for stands apart in the approval.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: 'lines: [...boughtLine(run), ...withoutRepeats(run, quote.lines)',
    to: 'lines: [...withoutRepeats(run, quote.lines)',
    test: [consentTest, 'is the card, and the approval says so'],
  },
  {
    rule: 'The approval names the way of paying.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: '    paying: payingOf(run, byCard),\n',
    to: '',
    test: [consentTest, 'is the card, and the approval says so'],
  },
  {
    rule: 'The approval names the address as the shop says it.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: "address: offer.address ?? 'the shop shows none on this page'",
    to: "address: 'the shop shows none on this page'",
    test: [consentTest, 'is the card, and the approval says so'],
  },
  {
    rule: 'What the shop does not say is said: the address.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: "address: offer.address ?? 'the shop shows none on this page'",
    to: "address: offer.address ?? ''",
    test: [approvalTest, 'says what the shop does not say'],
  },
  {
    rule: 'What the shop does not say is said: the way of paying.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: "(byCard ? 'card' : 'the shop does not say');",
    to: "'card';",
    test: [approvalTest, 'says what the shop does not say'],
  },
  {
    rule: 'A way of paying that leaves something to do is said in the approval.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: 'return left === undefined ? said :',
    to: 'return said !== undefined ? said :',
    test: [consentTest, 'is the one of the request: no card is asked for'],
  },
  {
    rule: 'The same is said in the receipt, with the details.',
    file: `${engine}/steps/outcome/reconcile.ts`,
    from: '[text, leftToDo(run.state.paying, shown)]',
    to: "[text, leftToDo(run.state.paying, '').slice(0, 0)]",
    test: [consentTest, 'that leaves something to do is said in the receipt'],
  },
  {
    rule: 'What a shop still asks for after a card is said in the receipt.',
    file: `${engine}/steps/paying/paying.ts`,
    from: 'const isAsked = lines.some',
    to: 'const isAsked = false && lines.some',
    test: [consentTest, 'that the shop still asks for after a card'],
  },
  {
    rule: 'A total that only one place shows is told as such.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: '...(sources.length > 1 ? [] : [{ title: single }])',
    to: '...[{ title: single }].slice(1)',
    test: [unaskedTest, 'is bought after the user was told so'],
  },
  {
    rule: 'A total that rises after the approval ends the run.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: '  if (isHigher) fail(',
    to: '  if (isHigher && run.state.armed) fail(',
    test: [rulesTest, 'that rises after the approval is not paid'],
  },
  {
    rule: 'Other products after the approval are approved anew.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: 'if (listsOther(now.order, approved.order) ||',
    to: 'if (',
    test: [approvalTest, 'another product in the summary is approved anew'],
  },
  {
    rule: 'A lower total after the approval is approved anew.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: ' || !sameMoney(quote.total, run.state.approved!)) return true;',
    to: ') return true;',
    test: [approvalTest, 'a lower total is approved anew'],
  },
  {
    rule: 'Another way of delivery after the approval is approved anew.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: '  noteDelivery(run, now, approved);\n',
    to: '',
    test: [approvalTest, 'another way of delivery is approved anew'],
  },
  {
    rule: 'Another address after the approval is approved anew.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: 'return address !== undefined && isOurs(approved.address) && !isOurs(address);',
    to: 'return isOurs(undefined) && address !== undefined;',
    test: [approvalTest, 'another address is approved anew'],
  },
  {
    rule: 'A total that changed right before the click is not paid.',
    file: `${engine}/steps/paying/pay.ts`,
    from: 'if (now?.total === undefined || !sameMoney(now.total, total)) return',
    to: 'if (now === undefined) return',
    test: [rulesTest, 'a total that rises is not paid'],
  },
  {
    rule: 'Another number of the product after the approval is approved anew.',
    file: `${engine}/steps/outcome/shown-order.ts`,
    from: 'hasOther(now.items, before.items) || countsOther(now, before);',
    to: 'hasOther(now.items, before.items);',
    test: [approvalTest, 'another number of the product is approved anew'],
  },
  {
    rule: 'What a shop lists otherwise right before the click is not bought.',
    file: `${engine}/steps/paying/pay.ts`,
    from: 'return listsOther(now.order, listed) ?',
    to: 'return listsOther(now.order, now.order) ?',
    test: [approvalTest, 'that comes behind the permit is not bought'],
  },
];

/** What nobody decides for the user. */
export const consent: readonly RuleFault[] = [
  {
    rule: 'No account is made where the shop does not insist.',
    file: `${engine}/steps/login/account.ts`,
    from: 'if (wanted.length === 0) return false;',
    to: 'if (open.length === 0) return false;',
    test: [consentTest, 'is not made against the user’s word'],
  },
  {
    rule: 'No account is made against the user’s word.',
    file: `${engine}/steps/login/account.ts`,
    from: "if (consent['choice'] !== 'make') fail(",
    to: "if (consent['choice'] === undefined) fail(",
    test: [consentTest, 'is not made against the user’s word'],
  },
  {
    rule: 'A registration beside a login is none of the checkout.',
    file: `${engine}/fields/forms.ts`,
    from: '!inLogin(one.container) && !isRegistration(one));',
    to: '!inLogin(one.container) && (isRegistration(one) || true));',
    test: [
      `${engine}/steps/login/sign-in.test.ts`,
      'is none that is made in a registration beside the login',
    ],
  },
  {
    rule: 'No newsletter is taken.',
    file: `${engine}/steps/choices.ts`,
    from: '  if (isMarketing) return false;',
    to: '  if (isMarketing) return field.checked;',
    test: [rulesTest, 'is unticked, terms are ticked'],
  },
  {
    rule: 'No subscription and nothing extra is taken.',
    file: `${engine}/steps/choices.ts`,
    from: '  if (comesAgain(text) || (words.extra.test(text) && !isTerms)) return false;',
    to: '  if (words.recurring.test(text) || (words.extra.test(text) && !isTerms)) return field.checked;',
    test: [unaskedTest, 'is left out of the order'],
  },
  {
    rule: 'What comes again and again is not approved.',
    file: `${engine}/steps/outcome/quote.ts`,
    from: '    refuseUnasked(run, snapshot, button);\n',
    to: '',
    test: [unaskedTest, 'a sentence beside the order that charges again and again'],
  },
  {
    rule: 'A way of paying that the request names is the only one.',
    file: `${engine}/steps/paying/paying.ts`,
    from: 'const found = wanted === undefined ? card :',
    to: 'const found = wanted !== undefined || card !== undefined ? card :',
    test: [consentTest, 'is the one of the request: no card is asked for'],
  },
  {
    rule: 'No way of paying is chosen for the user where neither card nor wish is offered.',
    file: `${engine}/steps/paying/paying.ts`,
    from: 'found ?? (await askPaying(run, open, textOf, wanted));',
    to: 'found ?? open[0] ?? (await askPaying(run, open, textOf, wanted));',
    test: [consentTest, 'is asked for where the shop takes no card'],
  },
  {
    rule: 'No card is typed against the request.',
    file: `${engine}/steps/paying/pay.ts`,
    from: '    await refuseCard(run);\n',
    to: '',
    test: [consentTest, 'is no card where the request wants another one'],
  },
  {
    rule: 'No card is fetched before the approval.',
    file: `${engine}/steps/paying/pay.ts`,
    from: '  await approve(run, quote, { byCard: page.card !== undefined });',
    to: '  if (page.card !== undefined) await run.ports.card({ total: quote.total, origin: originOf(run.page.url()) });\n  await approve(run, quote, { byCard: page.card !== undefined });',
    test: [approvalTest, 'says what the shop does not say, and never comes behind a card'],
  },
];

const foreignTest = `${engine}/steps/foreign-parts.test.ts`;
/** What fields and choices mean. */
export const fields: readonly RuleFault[] = [
  {
    rule: 'A word of a label begins a word: there is no phone in an iPhone.',
    file: `${engine}/fields/score.ts`,
    from: 'index === 0 || ',
    to: 'index >= 0 || ',
    test: [formsTest, 'reads no meaning out of a part of a word'],
  },
  {
    rule: 'A name such as “quantity” decides.',
    file: `${engine}/fields/score.ts`,
    from: "if (names.some((name) => quantityName.test(name)) || quantityLabel.test(label)) return scores.set('quantity', decided);",
    to: '',
    test: [formsTest, 'reads no meaning out of a part of a word'],
  },
  {
    rule: 'A newsletter’s address is not the buyer’s.',
    file: `${engine}/sections/sections.ts`,
    from: "    !leadsOnFromContact(box)\n  )\n    return 'newsletter';",
    to: "    !leadsOnFromContact(box)\n  )\n    return 'other';",
    test: [
      `${engine}/sections/sections.test.ts`,
      'are a newsletter on the page of the checkout too',
    ],
  },
  {
    rule: 'A cart is no form of the buyer.',
    file: `${engine}/steps/checkout.ts`,
    from: '  if (isCart && !buyer.some((one) => personMeanings.has(one.meaning))) return false;\n',
    to: '',
    test: [cartTest, 'is no form of the buyer where it works out the delivery'],
  },
  {
    rule: 'A value that changes how many the shop counts is taken back.',
    file: `${engine}/steps/buyer/fill-form.ts`,
    from: 'const wrong = country === undefined ?',
    to: 'const wrong = country !== undefined && country === undefined ?',
    test: [`${engine}/steps/counted.test.ts`, 'is taken back and reported'],
  },
  {
    rule: 'Stars of a review are no options.',
    file: `${engine}/sections/sections.ts`,
    from: "names}`) && !has(new Set(['addressLine1', 'postalCode', 'city']))) return 'review';",
    to: "names}`) && !has(new Set(['addressLine1', 'postalCode', 'city']))) return 'other';",
    test: [foreignTest, 'has stars that are no options'],
  },
  {
    rule: 'Lists in side boxes are no options.',
    file: `${engine}/sections/sections.ts`,
    from: '  if (isList && /side-?box|side-?bar/i.test(box.hint)) return true;\n',
    to: '',
    test: [`${engine}/platforms/zen-cart.test.ts`, 'has lists in boxes at its side'],
  },
  {
    rule: 'A human check inside of a review is none of the purchase.',
    file: `${engine}/steps/login/login.ts`,
    from: ' && !(await isInForeign(snapshot, element!))) return true;',
    to: ') return true;',
    test: [foreignTest, 'has stars that are no options, and a human check that is none'],
  },
  {
    rule: 'No question lists one thing twice.',
    file: `${engine}/run.ts`,
    from: 'options: titled.filter(isFirst)',
    to: 'options: titled',
    test: [foreignTest, 'a question says something'],
  },
  {
    rule: 'No question is empty.',
    file: `${engine}/steps/product/select.ts`,
    from: "question: bareLabel(group) === '' ? 'Which one?' :",
    to: "question: bareLabel(group) === '' ? '' :",
    test: [foreignTest, 'a question says something'],
  },
];

const acpTest = `${engine}/commerce/acp.test.ts`;
/** Where a card goes, and for how much. */
export const cards: readonly RuleFault[] = [
  {
    rule: 'A card before the review is approved by the total of the page before.',
    file: `${engine}/steps/paying/pay.ts`,
    from: 'const quote = before ?? (await readQuote(run, page.button));',
    to: 'const quote = await readQuote(run, page.button);',
    test: [
      `${engine}/steps/card-before-review.test.ts`,
      'is approved by the total of the page before',
    ],
  },
  {
    rule: 'The total of a review behind the card is the approved one.',
    file: `${engine}/steps/paying/pay.ts`,
    from: '  const quote = await quoteAgain(run, given);\n',
    to: '  const quote = { ...(await readQuote(run, given)), total: run.state.approved! };\n',
    test: [
      `${engine}/steps/card-before-review.test.ts`,
      'is not ordered in when the review asks for more',
    ],
  },
  {
    rule: 'A shop’s key goes to no other host.',
    file: 'src/runner/commerce/acp/discovery.ts',
    from: 'return isAllowed(endpoint) ? { version, endpoint } : undefined;',
    to: 'return { version, endpoint };',
    test: [acpTest, 'is bought in by its pages, and a line says so'],
  },
  {
    rule: 'A delegated card holds for the approved total.',
    file: 'src/runner/commerce/tokenizer.ts',
    from: 'max_amount: Number(use.total.amountMinor),',
    to: 'max_amount: Number(use.total.amountMinor) * 2,',
    test: [acpTest, 'is bought in through it, once, for what was approved'],
  },
  {
    rule: 'A checkout of a shop’s own interface is called to complete once.',
    file: `${engine}/commerce/buy.ts`,
    from: "if (error instanceof CommerceAwayError) return settleCheckout(run, { shop, id }, 'The shop’s answer to the order was lost.');",
    to: 'if (error instanceof CommerceAwayError) answer = await call();\n    else',
    test: [acpTest, 'is read for what became of the order when completing'],
  },
];
