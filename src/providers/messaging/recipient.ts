import { isPhoneNumber } from '../../lib/locator/locator.ts';
import { normalizeEmail } from '../../lib/people/email.ts';
import type { Channel, SendInput } from './messaging.ts';

const keyPattern = /^[A-Za-z0-9-]{1,100}$/;

/**
 * Refuses what must never reach a company: a list of recipients, a header, an option.
 * @throws Error: the caller checks before
 */
export function checkSendInput(channel: Channel, { to, idempotencyKey }: SendInput): void {
  const isGood = channel === 'email' ? normalizeEmail(to) !== undefined : isPhoneNumber(to);
  if (!isGood)
    throw new Error(
      `A message by ${channel} needs ${channel === 'email' ? 'one e-mail address' : 'one E.164 number'}.`,
    );
  if (!keyPattern.test(idempotencyKey))
    throw new Error(
      'The idempotency key of a message has 1 to 100 characters: letters, digits and "-".',
    );
}
