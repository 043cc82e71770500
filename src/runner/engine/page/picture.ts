import type { Page } from 'playwright-core';
import { bounded } from './bounded.ts';

const secrets = [
  'input[type=password]',
  'input[autocomplete^="cc-"]',
  'input[autocomplete~="one-time-code"]',
  ...['card', 'cvc', 'cvv', 'ccnum', 'cc-', 'otp', 'passw', 'one-time', 'onetime', 'iban'].flatMap(
    (word) => [`input[name*="${word}" i]`, `input[id*="${word}" i]`],
  ),
];
const blur = (selectors: readonly string[]) =>
  `${selectors.join(',')} { filter: blur(14px) !important; color: transparent !important; text-shadow: none !important; caret-color: transparent !important; }`;

const underWay = new WeakMap<Page, Promise<unknown>>();

/**
 * Resolves when no picture of the page is being taken: until then nothing may be read from it or
 * done to it.
 */
export async function pictureTaken(page: Page): Promise<void> {
  await underWay.get(page);
}

/**
 * Begins a picture: whoever reads or uses the page next waits for it, and nobody else has to. See
 * {@link takePicture}.
 */
export function beginPicture(
  page: Page,
  masked: 'secrets' | 'all-inputs',
): Promise<Buffer | undefined> {
  const picture = pictureTaken(page).then(() => takePicture(page, masked));
  underWay.set(page, picture);
  return picture;
}

/**
 * A JPEG of the window with secrets blurred; undefined when none can be taken, or when secrets
 * might show outside of inputs.
 */
export async function takePicture(
  page: Page,
  masked: 'secrets' | 'all-inputs',
): Promise<Buffer | undefined> {
  const all = [
    'input:not([type=radio]):not([type=checkbox]):not([type=submit]):not([type=button])',
    'textarea',
    'select',
    '[contenteditable]',
    'iframe',
  ];
  try {
    if (masked === 'all-inputs' && (await showsLongNumber(page))) return undefined;
    return await page.screenshot({
      type: 'jpeg',
      quality: 50,
      scale: 'css',
      animations: 'disabled',
      timeout: 4_000,
      style: blur(masked === 'all-inputs' ? [...secrets, ...all] : secrets),
    });
  } catch {
    return undefined;
  }
}

/** Some payment forms print the typed card number beside the field. */
function showsLongNumber(page: Page): Promise<boolean> {
  // A page that waits for its next document answers nothing.
  return bounded(
    page.evaluate<boolean>(
      '/\\d(?:[ -]?\\d){11,}/.test(document.body ? document.body.innerText : "")',
    ),
    2_000,
  );
}
