import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takePicture } from '../engine/page/picture.ts';
import { hiddenInputs, type Run } from '../engine/run.ts';
import { Scrubber } from '../scrub.ts';
import { type RunWorld, servePages, startRunWorld } from '../testing/run-world.ts';
import { type LiveView, openLiveView } from './live-view.ts';
import type { TypedSecret } from './typed-secrets.ts';

let world: RunWorld;
let browser: Awaited<ReturnType<RunWorld['openBrowser']>>;
let view: LiveView;
const told: TypedSecret[] = [];

const digits = Array.from(
  { length: 6 },
  (_, at) =>
    `<input maxlength="1" id="d${at}" oninput="document.getElementById('d${at + 1}')?.focus()">`,
).join('');
beforeAll(async () => {
  world = await startRunWorld();
  browser = await world.openBrowser();
  servePages(world.shop, {
    '/': `<form action="/in"><label>User name <input name="u"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>
      <label>Security code <input name="x1"></label><label>Postal code <input name="zip"></label><label>Your search <input name="q"></label>
      <input autocomplete="one-time-code" name="otp"><label>Card number <input name="n"></label>${digits}<iframe src="/bank"></iframe>`,
    '/bank': '<label>Code of your bank <input id="tan"></label>',
    '/in': '<h1>Welcome</h1>',
  });
});
afterAll(() => world.close());
beforeEach(async () => {
  told.length = 0;
  await browser.page.goto('http://shop.example/');
  view = await openLiveView(browser.page, (secret) => void told.push(secret));
  view.permitInput(true);
});

async function types(text: string, isPasted = false): Promise<void> {
  for (const one of isPasted ? [text] : text) await view.input({ kind: 'text', text: one });
}

describe('what a user types by hand', () => {
  it('into fields for passwords, codes and cards is told once each, whole, and nothing else is', async () => {
    const { page } = browser;
    const fields: [string, string, boolean?][] = [
      ['[name=u]', 'ada'],
      ['[name=x1]', '739'],
      ['[name=zip]', '941051'],
      ['[name=q]', 'secret words'],
      ['[name=otp]', '884213', true],
      ['[name=n]', '4000000000000002', true],
      ['[name=p]', 'hunter2'],
    ];
    for (const [field, text, isPasted] of fields) {
      await page.focus(field);
      await types(text, isPasted);
    }
    await view.input({ kind: 'key', key: 'Backspace' });
    await types('3');
    view.permitInput(false);
    expect(told).toEqual([
      { kind: 'security-code', value: '739' },
      { kind: 'code', value: '884213' },
      { kind: 'card-number', value: '4000000000000002' },
      { kind: 'password', value: 'hunter3' },
    ]);
    await view.close();
  });

  it('is told although its page is left at once, in a field for each digit, and in the frame of a bank', async () => {
    const { page } = browser;
    await page.focus('#d0');
    await types('246813');
    await page.frameLocator('iframe').locator('#tan').focus();
    await types('TAN-5531');
    await page.focus('[name=p]');
    await types('correct horse', true);
    await view.input({ kind: 'key', key: 'Enter' });
    await page.waitForURL(/\/in/);
    await view.close();
    expect(told).toEqual([
      { kind: 'code', value: 'TAN-5531' },
      { kind: 'password', value: 'correct horse' },
      { kind: 'code', value: '246813' },
    ]);
  });
});

it('no field can be read in a picture for the log once a user has typed by hand, whatever its name', async () => {
  const { page } = browser;
  const picture = async (typed: boolean, text: string) => {
    await page.fill('[name=q]', text);
    const run = {
      state: { cardTyped: false },
      screen: { mask: async () => undefined, wasTyped: () => typed },
    } as unknown as Run;
    return (await takePicture(page, hiddenInputs(run)))!.toString('base64');
  };
  expect(await picture(false, 'first words')).not.toBe(await picture(false, 'other words'));
  expect(await picture(true, 'first words')).toBe(await picture(true, 'other words'));
});

it('what was typed by hand is taken out of everything that a run says', () => {
  const scrubber = new Scrubber();
  const typed: TypedSecret[] = [
    { kind: 'password', value: 'hunter3' },
    { kind: 'code', value: '884213' },
    // No real number: nothing but having been told makes it one.
    { kind: 'card-number', value: '4000 0000 0000 0003' },
    { kind: 'security-code', value: '739' },
  ];
  const page =
    '739 visitors: welcome hunter3, code 884-213, card 4000000000000003, security code 739';
  expect(scrubber.text(page)).toBe(page);
  for (const one of typed) scrubber.learnTyped(one);
  expect(scrubber.text(page)).toBe(
    '739 visitors: welcome ***, code ***, card ***, security code ***',
  );
});
