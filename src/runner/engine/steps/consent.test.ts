import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import type { RunTask } from '../../types.ts';
import type { Run } from '../run.ts';
import { buyMug } from '../testing/on-account.ts';
import { plainCard, plainFields, plainShop } from '../testing/pages-kit.ts';
import { chooseShipping } from './choices.ts';
import { wantsAccount } from './login/login.ts';
import { wayWanted } from './paying/paying.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const radios = (...ways: readonly string[]) =>
  `<fieldset><legend>Payment method</legend>${ways.map((way, index) => `<label><input type="radio" name="way" value="${way}"${index === 0 ? ' checked' : ''}> ${way}</label>`).join('')}</fieldset>`;
/** Card fields that are there while the card is chosen. */
const cardWhenChosen = `<div id="card">${plainCard.replaceAll(' required', '')}</div><script>
  const show = () => { card.style.display = /card/i.test(document.querySelector('[name=way]:checked').value) ? '' : 'none'; };
  addEventListener('change', show); show();</script>`;

async function buy(checkoutFields: string, task: Partial<RunTask> = {}, choice?: string) {
  const run = await buyMug(
    browser,
    plainShop({ checkoutFields }),
    {
      answer: ({ kind }) =>
        kind === 'option-choice' && choice !== undefined ? { choice } : undefined,
    },
    task,
  );
  const approval = run.asked.flatMap((one) => (one.kind === 'approve-purchase' ? [one] : []))[0];
  const questions = run.asked.flatMap((one) =>
    one.kind === 'option-choice' ? [one.question] : [],
  );
  return { ...run, approval, questions };
}

it('an offer over the page gets its no: “OK” beside “Cancel” does what it asks', async () => {
  const close = "this.closest('dialog').close()";
  const { end, orders } = await buy(
    `${plainFields}${plainCard}<input type="hidden" name="warranty" value=""><dialog open style="position:fixed;inset:10%"><p>Add a 2 year warranty?</p><button type="button" onclick="${close}">Cancel</button> <button type="button" onclick="document.querySelector('[name=warranty]').value = 'yes'; ${close}">OK</button></dialog>`,
  );
  expect([end.outcome, orders]).toEqual(['succeeded', [expect.objectContaining({ warranty: '' })]]);
});

describe('the way of paying', () => {
  it('is the card, and the approval says so and where it is sent', async () => {
    const { end, approval, orders, cards } = await buy(
      plainFields + radios('Bank transfer', 'Credit card') + cardWhenChosen,
    );
    expect([end.outcome, orders[0]?.['way'], cards]).toEqual(['succeeded', 'Credit card', 1]);
    expect(approval).toMatchObject({
      paying: 'Credit card',
      address: expect.stringMatching(/12 Main Street.*San Francisco/),
    });
    expect(approval?.lines[0]).toEqual({ title: 'You asked for: Blue Mug × 1' });
  });

  it('is the card in Swedish too, without an account or an insurance that is ticked', async () => {
    const box = (name: string, label: string) =>
      `<label><input type="checkbox" name="${name}" checked> ${label}</label>`;
    const { end, orders, questions } = await buy(
      `${plainFields}${radios('Faktura', 'Betalkort').replace('Payment method', 'Betalningsmetod')}${box('account', 'Skapa ett konto')}${box('insured', 'Trygg leverans 29 SEK')}${cardWhenChosen.replace('/card/i', '/kort/i')}`,
    );
    expect([end.outcome, questions]).toEqual(['succeeded', []]);
    expect(orders[0]).toMatchObject({ way: 'Betalkort' });
    expect(orders[0]).not.toHaveProperty('account');
    expect(orders[0]).not.toHaveProperty('insured');
  });

  it('is the one of the request: no card is asked for, and what is left to do is said', {
    tags: 'slow',
  }, async () => {
    const fields =
      plainFields + radios('Credit card', 'Bank transfer', 'Cash on delivery') + cardWhenChosen;
    const { end, approval, orders, cards } = await buy(fields, { request: 'pay cash on delivery' });
    expect([end.outcome, orders[0]?.['way'], cards]).toEqual(['succeeded', 'Cash on delivery', 0]);
    expect(approval?.paying).toBe(
      'Cash on delivery (something is left for you to do: cash on delivery)',
    );
  });

  it('that leaves something to do is said in the receipt, with what the shop says of it', {
    tags: 'slow',
  }, async () => {
    const thanks = (id: string) =>
      `<h1>Thank you for your order!</h1><p>Your order number is <b>${id}</b>.</p><p>Please pay within 7 days.</p><p>IBAN: DE02 1203 0000 0000 2020 51</p><p>See you soon</p>`;
    const checkoutFields = plainFields + radios('Credit card', 'Bank transfer') + cardWhenChosen;
    const { end } = await buyMug(
      browser,
      plainShop({ checkoutFields, thanks }),
      {},
      { request: 'pay by bank transfer' },
    );
    expect(end).toMatchObject({
      outcome: 'succeeded',
      confirmationText: expect.stringMatching(
        /Left for you to do: bank transfer \(Please pay within 7 days\.; IBAN: DE02 1203 0000 0000 2020 51\)\.$/,
      ),
    });
  });

  it('that the shop still asks for after a card is told in the receipt', {
    tags: 'slow',
  }, async () => {
    const thanks = (id: string) =>
      `<h1>Thank you for your order!</h1><p>Your order number is <b>${id}</b>.</p><p>Payment is still due: please transfer $25.00.</p>`;
    const { end } = await buyMug(
      browser,
      plainShop({ checkoutFields: plainFields + plainCard, thanks }),
    );
    expect(end).toMatchObject({
      outcome: 'succeeded',
      confirmationText: expect.stringMatching(
        /The shop says that payment is still to come \(Payment is still due: please transfer \$25\.00\.\)\.$/,
      ),
    });
  });

  it('is not said to be still to come where the shop calls its total so', {
    tags: 'slow',
  }, async () => {
    const thanks = (id: string) =>
      `<h1>Thank you for your order!</h1><p>Your order number is <b>${id}</b>.</p><p>Payment due <b>$25.00</b></p>`;
    const { end } = await buyMug(
      browser,
      plainShop({ checkoutFields: plainFields + plainCard, thanks }),
    );
    expect(end).toMatchObject({
      outcome: 'succeeded',
      confirmationText: expect.not.stringContaining('still to come'),
    });
  });

  it('is no card where the request wants another one: nothing is typed, nothing is ordered', async () => {
    const { end, orders, cards } = await buy(plainFields + plainCard, {
      request: 'pay by bank transfer',
    });
    expect(end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining('the request says bank transfer'),
    });
    expect([orders, cards]).toEqual([[], 0]);
  });

  it('is a card where the request may mean another one only when the user says so', {
    tags: 'slow',
  }, async () => {
    const request = 'no gift wrap and pay by bank transfer';
    const fields = plainFields + plainCard;
    const declined = await buy(fields, { request }, 'stop');
    expect([declined.questions, declined.end.outcome, declined.orders, declined.cards]).toEqual([
      ['The shop takes a card here, and the request may mean another way. Pay by card?'],
      'failed',
      [],
      0,
    ]);
    const agreed = await buy(fields, { request }, 'card');
    expect([agreed.end.outcome, agreed.orders.length]).toEqual(['succeeded', 1]);
  });

  it('is asked for where the shop takes no card, and never another one than was wished', {
    tags: 'slow',
  }, async () => {
    const fields = plainFields + radios('Bank transfer', 'Cash on delivery');
    const { questions, orders } = await buy(fields, {}, '1');
    expect([questions, orders[0]?.['way']]).toEqual([
      ['The shop does not offer to pay by card here. How shall it be paid?'],
      'Cash on delivery',
    ]);
    const declined = await buy(fields, { request: 'on account, please' });
    expect(declined.questions).toEqual([
      'The shop does not offer invoice here. How shall it be paid?',
    ]);
    expect([declined.end.outcome, declined.orders]).toEqual(['failed', []]);
  });
});

describe('an account of the shop', () => {
  const passwords =
    '<h2>Your account</h2><label>Password <input type="password" name="pw" required></label><label>Repeat password <input type="password" name="pw2" required></label>';
  const buyWith = (fields: string, choice: string) =>
    buyMug(browser, plainShop({ checkoutFields: plainFields + fields + plainCard }), {
      answer: ({ kind }) =>
        kind === 'option-choice'
          ? { choice }
          : kind === 'merchant-login'
            ? { password: 'horse-battery-9' }
            : undefined,
    });

  it('is made when the user says so, with the password that the user chooses', {
    tags: 'slow',
  }, async () => {
    const { end, asked, orders } = await buyWith(passwords, 'make');
    expect(asked.map(({ kind }) => kind)).toEqual([
      'option-choice',
      'merchant-login',
      'approve-purchase',
    ]);
    expect(asked[0]).toMatchObject({ question: expect.stringContaining('Shall one be made?') });
    expect([end.outcome, orders[0]?.['pw'], orders[0]?.['pw2']]).toEqual([
      'succeeded',
      'horse-battery-9',
      'horse-battery-9',
    ]);
  });

  it('is not made against the user’s word, and not where the shop does not insist', {
    tags: 'slow',
  }, async () => {
    const refused = await buyWith(passwords, 'stop');
    expect(refused.end).toMatchObject({
      outcome: 'failed',
      placed: 'no',
      message: expect.stringContaining('none was to be made'),
    });
    expect([refused.orders, refused.posts.some(({ values }) => 'pw' in values)]).toEqual([
      [],
      false,
    ]);
    const guest = await buyWith(
      '<label>Password (to keep an account) <input type="password" name="pw"></label>',
      'stop',
    );
    expect([guest.end.outcome, guest.orders[0]?.['pw']]).toEqual(['succeeded', '']);
  });
});

it.each([
  ['pay cash on delivery', 'cash on delivery'],
  ['per Nachnahme, bitte', 'cash on delivery'],
  ['zahle per Überweisung', 'bank transfer'],
  ['auf Rechnung', 'invoice'],
  ['size M, blue, two of them', undefined],
  ['with the card of the company', undefined],
  ['no invoice, pay by card', undefined],
  ['no gift wrap and pay by bank transfer', 'unclear'],
  ['no gift wrap. Pay by bank transfer', 'bank transfer'],
  ['not by invoice, bank transfer or cash on delivery', 'unclear'],
  ['Tasse ohne Henkel auf Rechnung', 'unclear'],
  ['I have no card please pay by invoice', 'unclear'],
  ['Not Your Mother’s shampoo by invoice', 'unclear'],
  ['The birthday card with no envelope, pay by invoice', 'unclear'],
  ['Bank transfer is not possible for me', 'unclear'],
  ['poslat sem na dobírku', 'unclear'],
  ['ne vorrei due con bonifico', 'unclear'],
  ['not by card but cash on delivery', 'cash on delivery'],
  ['not by bank transfer', undefined],
  ['kein Kauf auf Rechnung, sondern per Nachnahme', 'cash on delivery'],
  ['no card. Pay cash on delivery', 'cash on delivery'],
])('“%s” asks to pay by %s', (request, way) => {
  expect(wayWanted(request)).toBe(way);
});

it.each([
  ['use my account', true],
  ['do not use my account', false],
  ['not as a guest but with my account', true],
  ['please don’t log in', false],
  ['no account please', false],
  ['ohne Konto', false],
  ['no newsletter and no mail to log in', false],
  ['no gift wrap. Use my account', true],
  ['no gift wrap, with my account', true],
])('whether “%s” wants the user’s account: %s', (request, isWanted) => {
  expect(wantsAccount({ task: { request } } as unknown as Run)).toBe(isWanted);
});

it.each([
  ['no express', 0],
  ['express, please', 1],
  ['no pickup', 0],
  ['pickup in store, please', 2],
])('“%s” chooses the way of delivery %i', (request, index) => {
  const ways = ['Standard $5.00', 'Express $9.00', 'Store pickup $1.00'];
  expect(chooseShipping(ways, request)).toBe(index);
});
