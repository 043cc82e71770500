import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { Store } from '../../store/types.ts';
import type { CardProvider } from './card.ts';
import { createSandboxCard } from './sandbox/sandbox.ts';
import { createStripeCard } from './stripe/stripe.ts';

export * from './card.ts';
export { formatMoney } from './currency.ts';
export { sandboxCards } from './sandbox/sandbox-script.ts';

/** Path of the sandbox's page below the base path. */
export const sandboxCardPath = '/sandbox/card';

/** The acquirer that the configuration names; undefined when cards are not taken. */
export function createCard(
  config: Pick<Config, 'card' | 'api' | 'keyEncryptionKeys'>,
  deps: { readonly store: Store; readonly clock: Clock; readonly ids: Ids; readonly log: Logger },
): CardProvider | undefined {
  const { card } = config;
  switch (card.kind) {
    case 'off':
      return undefined;
    case 'sandbox':
      return createSandboxCard({
        ...deps,
        keys: config.keyEncryptionKeys.map(({ key }) => key),
        pageUrl: `${config.api.baseUrl}${sandboxCardPath}`,
      });
    case 'stripe':
      return createStripeCard({ ...card, log: deps.log });
  }
}
