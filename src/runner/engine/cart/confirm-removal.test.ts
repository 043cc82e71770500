/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { captionOf } from '../buttons.ts';
import { takeSnapshot } from '../page/snapshot.ts';
import { oddShop, toCheckout } from '../testing/odd-shop.ts';
import { buyMug } from '../testing/on-account.ts';
import { asksRemoval, saysRemove, sureButton } from './confirm-removal.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const window = (yes: string) =>
  `<dialog id="sure"><p>Remove it from the cart?</p><button type="button" onclick="sure.close()">Cancel</button> <button type="button" onclick="out.submit()">${yes}</button></dialog>`;

it.each([
  ['the browser, as in Zen Cart', "if (confirm('Are you sure?')) out.submit()", ''],
  [
    'the browser, which then asks something else',
    "if (confirm('Are you sure?')) { if (confirm('Are you sure?')) out.cap.name = 'club'; out.submit(); }",
    '',
  ],
  [
    'nobody, and by the browser for something else',
    "if (confirm('Shall a warranty be added?')) out.cap.name = 'warranty'; out.submit()",
    '',
  ],
  ['the page, as in Cornerstone', 'sure.showModal()', window('OK')],
  ['the page, as in Magento’s small cart', 'sure.showModal()', window('Remove item')],
  [
    'the browser, by a name that says gift wrap,',
    "if (confirm('Remove Red Cap with gift wrap from your cart?')) out.submit()",
    '',
  ],
  [
    'the page, by a name that says gift wrap,',
    'sure.showModal()',
    window('Yes').replace('it', 'Red Cap with gift wrap'),
  ],
])('a line is taken out where it is asked by %s whether it shall', async (_, press, around) => {
  const shop = oddShop({
    title: 'Blue Mug',
    price: '$20.00',
    sum: '$20.00',
    cart: (count, session) =>
      `<table><tr><td>Blue Mug</td><td><input name="quantity" aria-label="Quantity" value="${count}"></td><td>$20.00</td></tr>${session.has('cap') ? '' : `<tr><td>Red Cap with gift wrap</td><td>1</td><td>$9.00</td><td><button type="button" onclick="${press}">Remove</button></td></tr>`}</table><form id="out" method="post" action="/cart/set"><input type="hidden" name="cap" value="0"></form>${around}${toCheckout}`,
  });
  const { orders, asked } = await buyMug(browser, shop);
  expect([orders, asked.map(({ kind }) => kind)]).toEqual([
    [{ quantity: '1', cap: '0' }],
    ['approve-purchase'],
  ]);
});

it.each<[string, boolean]>([
  ['Are you sure?', true],
  ['Are you sure you want to delete this item?', true],
  ['Remove item\nDo you want to remove Blue Mug from your cart?', true],
  ['Are you sure you would like to remove this item from the shopping cart?', true],
  ['Möchten Sie diesen Artikel wirklich aus dem Warenkorb entfernen?', true],
  ['Êtes-vous sûr de vouloir supprimer cet article du panier ?', true],
  ['Weet u zeker dat u dit artikel uit de winkelwagen wilt verwijderen?', true],
  ['Tem certeza que deseja remover este item do carrinho?', true],
  ['Sind Sie sicher?', true],
  ['Möchten Sie den Artikel wirklich löschen?', true],
  ['¿Estás seguro?', true],
  ['¿Está seguro de que desea eliminar este artículo?', true],
  ['¿Eliminar y añadir un seguro?', false],
  ['本当によろしいですか？', true],
  ['', false],
  ['Blue Mug', false],
  ['The item was removed.', false],
  ['The item was removed.\nProtect the others with a warranty?', false],
  ['The item was removed.\nA pair of socks instead?', false],
  ['You have removed Blue Mug. Undo?', false],
  ['Was it removed?', false],
  ['Are you sure you do not want free delivery?', false],
  ['Are you sure? Remove it and join the club?', false],
  ['Remove it? Is the cap for a child?', false],
  ['Remove it, and put it on your wish list?', false],
  ['Remove the cap ($9.00)?', false],
  ['Remove it and subscribe to the newsletter?', false],
  ['Remove it and get another every month?', false],
  ['Are you over 18? Then remove it.', false],
  ['Remove our cookies?', false],
  ['Vuoi rimuovere questo articolo dal carrello?', true],
  ['カートから削除しますか？', true],
  ['この商品をカートから削除してもよろしいですか', true],
  ['商品の削除\nこの商品を削除します。よろしいですか？', true],
  ['カートの商品をすべて削除しますか？', false],
  ['削除しました。延長保証を付けますか？', false],
  ['削除しました。靴下はいかがですか？', false],
])('whether “%s” asks to take something out: %s', (text, is) => {
  expect(asksRemoval(text)).toBe(is);
});

it.each<[string, string, boolean]>([
  ['Remove Blue Mug with gift wrap from your cart?', 'Blue Mug with gift wrap 1 $20.00', true],
  ['Remove Blue Mug with gift wrap from your cart?', 'Blue Mug 1 $20.00', false],
  ['Remove Gift Wrap?', 'Gift wrap $3.00', true],
  ['Remove Blue Mug and add gift wrap?', 'Blue Mug 1 $20.00 Add gift wrap', false],
  ['Remove all?', 'All Purpose Mug 1 $20.00', false],
  ['Rimuovere tutti gli articoli?', 'Tazza blu 1 20,00 €', false],
  ['商品を削除しましたが、靴下を追加しますか？', '青いマグ 1', false],
])('whether “%s” asks to take out “%s”: %s', (text, line, is) => {
  expect(asksRemoval(text, line)).toBe(is);
});

it.each<[string, boolean]>([
  ['Yes', true],
  ['OK', true],
  ['Yes, remove', true],
  ['Yes, delete it!', true],
  ['Remove item', true],
  ['Ja, entfernen', true],
  ['Aceptar', true],
  ['Potwierdź', true],
  ['×', false],
  ['Aceptar cookies', false],
  ['Yes, add the warranty', false],
  ['Yes, sign me up', false],
  ['Confirm order', false],
  ['No, remove it', false],
  ['Remove and check out', false],
  ['Remove and add insurance', false],
  ['はい', true],
  ['はい、削除する', true],
  ['削除する', true],
  ['いいえ', false],
  ['キャンセル', false],
])('whether “%s” is a yes to it: %s', (caption, is) => {
  expect(saysRemove(caption)).toBe(is);
});

const ask = (text: string, ...captions: readonly string[]) =>
  `<dialog open><p>${text}</p>${captions.map((one) => `<button>${one}</button> `).join('')}</dialog>`;
const drawn = (inside: string) =>
  `<div style="position:fixed;inset:10% 20%;background:#fff">${inside}</div>`;

it.each<[string, string, string | undefined]>([
  ['to take it out', ask('Remove it from <b>your</b> cart?', 'Cancel', 'OK'), 'OK'],
  [
    'so in a layer',
    drawn('<p>Are you sure?</p><a href="#">Cancel</a> <button>Yes</button>'),
    'Yes',
  ],
  ['in Japanese', ask('カートから削除しますか？', 'いいえ', 'はい'), 'はい'],
  ['so by its verb', ask('カートから削除しますか？', 'キャンセル', '削除する'), '削除する'],
  ['without a way back', ask('Are you sure?', 'Yes'), undefined],
  ['with its inverse', ask('Are you sure?', 'Yes', 'No, remove it'), undefined],
  ['twice', ask('Remove it?', 'OK', 'Yes', 'Cancel'), undefined],
  ['for a warranty', ask('Add a warranty?', 'Yes', 'No thanks'), undefined],
  ['for news', ask('Do you want our newsletter?', 'Yes', 'No thanks'), undefined],
  ['for the age', ask('Are you over 18?', 'Yes', 'No'), undefined],
  ['for cookies', ask('¿Aceptar cookies?', 'Aceptar', 'No aceptar'), undefined],
  ['in a picture', ask('<img alt="Remove it?">', 'Yes', 'No'), undefined],
  ['in a small cart', ask('Your cart<br>Blue Mug', 'Remove', 'Keep shopping'), undefined],
  [
    'with the lines',
    ask('<ul><li>Blue Mug</li></ul>Are you sure?', 'Remove', 'Keep shopping'),
    undefined,
  ],
  ['with a field', ask('Are you sure? <input type="number">', 'Yes', 'No'), undefined],
  ['with a price', ask('Are you sure?<br>Sum $20.00', 'Yes', 'No'), undefined],
])('a page that asks %s gets its yes only for that', async (_, dialog, pressed) => {
  const page = await browser.newPage();
  const body = '<h1>Cart</h1><a href="/1">One</a> <a href="/2">Two</a> <a href="/3">Three</a>';
  await page.setContent(body);
  const before = await takeSnapshot(page.mainFrame());
  await page.setContent(body + dialog);
  const button = await sureButton(before, await takeSnapshot(page.mainFrame()));
  expect(button && captionOf(button)).toBe(pressed);
  await page.close();
});
