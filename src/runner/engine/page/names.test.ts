import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { takeSnapshot } from './snapshot.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
});
afterAll(() => browser.close());

async function fieldNames(html: string): Promise<string[]> {
  await page.setContent(html);
  return (await takeSnapshot(page.mainFrame())).fields.map(({ label }) => label);
}

/** What is read on a button, and what it is called beside that. */
async function buttonNames(html: string): Promise<[string, string][]> {
  await page.setContent(html);
  return (await takeSnapshot(page.mainFrame())).buttons.map(({ text, label }) => [text, label]);
}

const readersOnly =
  'style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"';
const signFont = 'style="font-family:\'Material Icons\'"';

describe('the name of a field', () => {
  it('is what aria-labelledby points to, before aria-label, before its label, before its title', async () => {
    expect(
      await fieldNames(`<p><span id="a">City</span><span id="b">of birth</span></p>
        <input aria-labelledby="a b" aria-label="Town" title="Place">
        <input aria-label="Town" title="Place">
        <label for="c">Street</label><input id="c" title="Place">
        <label>Postcode <input title="Place"></label>
        <input title="Place">`),
    ).toEqual(['City of birth', 'Town', 'Street', 'Postcode', 'Place']);
  });

  it('is of a label for screen readers, where that is all there is', async () => {
    expect(
      await fieldNames(
        `<label for="a" ${readersOnly}>Email</label><input id="a"><label for="b" hidden>Phone</label><input id="b">`,
      ),
    ).toEqual(['Email', '']);
  });

  it.each([
    ['display:none', '<span style="display:none">quantity</span>'],
    ['visibility:hidden', '<span style="visibility:hidden">quantity</span>'],
    ['no opacity', '<span style="opacity:0">quantity</span>'],
    ['no size', '<span style="font-size:0">quantity</span>'],
    ['a place outside of the page', '<span style="position:absolute;left:-9999px">quantity</span>'],
    ['a clip', `<span ${readersOnly}>quantity</span>`],
    ['aria-hidden', '<span aria-hidden="true">quantity</span>'],
  ])('has no words that %s hides', async (_, words) => {
    expect(await fieldNames(`<label for="a">Phone ${words}</label><input id="a">`)).toEqual([
      'Phone',
    ]);
  });

  it('is the label that a person reads, where an attribute says something else', async () => {
    expect(
      await fieldNames(`<span id="lie" style="display:none">Phone</span>
        <label for="a">Quantity</label><input id="a" aria-labelledby="lie">
        <label for="b">Quantity</label><input id="b" aria-label="Phone">
        <label for="c">Quantity</label><input id="c" aria-label="Quantity of the lamp">`),
    ).toEqual(['Quantity', 'Quantity', 'Quantity of the lamp']);
  });

  it('is of a drawn control the label around it and the input behind it', async () => {
    const drawn =
      '<span role="radio" tabindex="0" aria-checked="false" style="display:inline-block;width:16px;height:16px"></span>';
    expect(
      await fieldNames(
        `<label>${drawn}<input type="radio" tabindex="-1" aria-hidden="true">Cash on delivery</label>`,
      ),
    ).toEqual(['Cash on delivery']);
  });

  it('never holds what was typed into another field', async () => {
    expect(
      await fieldNames(`<label for="a">Card <input id="b" value="4242424242424242" aria-label="Number"> valid until</label><input id="a">
        <span id="c">Card <input value="4242424242424242" aria-label="Number"></span><input aria-labelledby="c">`),
    ).toEqual(['Number', 'Card valid until', 'Number', 'Card']);
  });
});

describe('the name of a button', () => {
  it('is beside its text what its attributes, pictures and signs are called', async () => {
    expect(
      await buttonNames(`<button aria-label="Remove the lamp">×</button>
        <button title="Add to basket">+</button>
        <button><img alt="Search" src="data:,"></button>
        <button style="width:30px;height:30px"><svg width="20" height="20"><title>Close</title></svg></button>
        <button style="width:30px;height:30px"><i ${signFont}>shopping_cart</i></button>
        <button style="width:30px;height:30px"><span ${readersOnly}>Open the menu</span></button>
        <button>Pay with <img alt="PayPal" src="data:,"></button>
        <button>Continue</button>`),
    ).toEqual([
      ['×', 'Remove the lamp'],
      ['+', 'Add to basket'],
      ['', 'Search'],
      ['', 'Close'],
      ['', 'shopping cart'],
      ['', 'Open the menu'],
      ['Pay with', 'Pay with PayPal'],
      ['Continue', ''],
    ]);
  });

  it('is what its picture or sign is called where it has no role', async () => {
    const drawn = (inner: string) =>
      `<ul><li style="cursor:pointer;width:40px;height:40px">${inner}</li></ul>`;
    const picture = '<img alt="Navy" width="30" height="30" src="data:,">';
    expect(await buttonNames(`${drawn(picture)}${drawn(`<i ${signFont}>add_circle</i>`)}`)).toEqual(
      [
        ['', 'Navy'],
        ['', 'add circle'],
      ],
    );
  });

  it('has no words that nobody sees beside those that are seen', async () => {
    expect(
      await buttonNames(`<button>Save <span ${readersOnly}>and order now</span></button>
        <button>Save <span style="display:none">and order now</span><span aria-hidden="true" style="opacity:0">and order now</span></button>`),
    ).toEqual([
      ['Save', ''],
      ['Save', ''],
    ]);
  });
});

it('a stepper in a line of its own says the number between its two buttons', async () => {
  await page.setContent(
    '<div><b>Mug 12</b> <button>−</button><span>2</span><button>+</button> $18.00</div><div><b>Pan</b> <button>−</button><input value="3.00"><button>+</button></div>',
  );
  const { buttons } = await takeSnapshot(page.mainFrame());
  expect(buttons.map(({ count }) => count)).toEqual(['2', '2', '3', '3']);
});
