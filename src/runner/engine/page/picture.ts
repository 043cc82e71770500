import type { Page } from 'playwright-core';

const secrets = [
  'input[type=password]',
  'input[autocomplete^="cc-"]',
  'input[autocomplete~="one-time-code"]',
  ...['card', 'cvc', 'cvv', 'ccnum', 'cc-', 'otp', 'passw', 'one-time', 'onetime', 'iban'].flatMap((word) => [
    `input[name*="${word}" i]`,
    `input[id*="${word}" i]`,
  ]),
];
const blur = (selectors: readonly string[]) =>
  `${selectors.join(',')} { filter: blur(14px) !important; color: transparent !important; text-shadow: none !important; caret-color: transparent !important; }`;

/** A JPEG of the window with secrets blurred; undefined when none can be taken, or when secrets might show outside of inputs. */
export async function takePicture(page: Page, masked: 'secrets' | 'all-inputs'): Promise<Buffer | undefined> {
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
  return page.evaluate('/\\d(?:[ -]?\\d){11,}/.test(document.body ? document.body.innerText : "")');
}
