import type { Config } from '../../config/config.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Ids, systemIds } from '../../lib/id.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import type { Store } from '../../store/types.ts';
import { createHttpSmsSender } from './http-sms.ts';
import { MessagingError, type MessagingProvider, type Sender } from './messaging.ts';
import { sandboxSender } from './sandbox.ts';
import { createSmtpSender } from './smtp.ts';

export type { Message } from './kinds.ts';
export { MessagingError, type SendOutcome } from './messaging.ts';

/** Who sends e-mails and short messages by this configuration. */
export function createMessaging(
  config: Pick<Config, 'messaging' | 'keyEncryptionKeys'>,
  {
    store,
    clock = systemClock,
    ids = systemIds,
  }: { readonly store: Store; readonly clock?: Clock; readonly ids?: Ids },
): MessagingProvider {
  const { email, sms } = config.messaging;
  const sandbox = (channel: 'email' | 'sms') =>
    sandboxSender({ store, clock, ids, sealer: createSealer(config.keyEncryptionKeys) }, channel);
  const senders: Record<'email' | 'sms', Sender> = {
    email:
      email.kind === 'smtp'
        ? createSmtpSender({ ...email, clock })
        : email.kind === 'sandbox'
          ? sandbox('email')
          : noSender('EMAIL'),
    sms:
      sms.kind === 'http'
        ? createHttpSmsSender(sms)
        : sms.kind === 'sandbox'
          ? sandbox('sms')
          : noSender('SMS'),
  };
  return { sendEmail: senders.email, sendSms: senders.sms };
}

function noSender(setting: string): Sender {
  return async () => {
    throw new MessagingError(`${setting} is off on this instance.`);
  };
}
