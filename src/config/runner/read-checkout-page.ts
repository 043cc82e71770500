import type { Environment } from '../../context.ts';
import type { SettingReader } from '../read-setting.ts';

/** Where the app shows a checkout to its user. */
export function readCheckoutPageUrl(
  reader: SettingReader,
  environment: Environment,
): string | undefined {
  const text = reader.text('CHECKOUT_PAGE_URL');
  if (text === undefined) return undefined;
  const sample = text.replaceAll('{checkoutId}', '0');
  const url = URL.canParse(sample) ? new URL(sample) : undefined;
  const isWeb =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && environment !== 'production');
  if (!text.includes('{checkoutId}') || !isWeb || url?.username !== '' || url.password !== '')
    reader.problems.push(
      'CHECKOUT_PAGE_URL is the https address of the page of your app, with {checkoutId} in it: https://app.example/checkouts/{checkoutId}.',
    );
  return text;
}
