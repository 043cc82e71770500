import { formatUserLocator, type UserLocator } from './locator.ts';

/**
 * The one form in which two locators of one person are equal: e-mails arrive normalised from the
 * parser, handles are compared without case, and `x` and `twitter` are one place.
 */
export function locatorKeyOf(locator: UserLocator): string {
  if (locator.kind === 'x' || locator.kind === 'twitter')
    return `twitter:${locator.value.toLowerCase().replace(/^@/, '')}`;
  return formatUserLocator(locator);
}
