import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { Store } from '../../store/types.ts';
import type { CardSource } from './card-source.ts';
import { openSandboxIssuer, type SandboxIssuer } from './sandbox.ts';
import { createStripeIssuing } from './stripe-issuing.ts';
import { createUserCards } from './user.ts';

export type { CardSource, IssuedCard, NoCard } from './card-source.ts';
export type { SandboxIssuer } from './sandbox.ts';

interface Deps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
}

/**
 * Where cards of agent checkouts come from, as the configuration says; undefined when they pay by
 * no card.
 */
export function createCardSource(
  config: Pick<Config, 'cardSource' | 'keyEncryptionKeys'>,
  deps: Deps,
): CardSource | undefined {
  const { cardSource } = config;
  switch (cardSource.kind) {
    case 'off':
      return undefined;
    case 'user':
      return createUserCards();
    case 'sandbox':
      return createSandboxIssuer({ config, ...deps });
    case 'stripe-issuing':
      return createStripeIssuing({ ...cardSource, log: deps.log });
  }
}

/**
 * The sandbox issuer over the service's database. Its `authorise` is what shops of ours ask
 * (`ShopOptions.issuer`).
 */
export function createSandboxIssuer(
  ctx: { readonly config: Pick<Config, 'keyEncryptionKeys'> } & Omit<Deps, 'log'>,
): SandboxIssuer {
  return openSandboxIssuer({
    store: ctx.store,
    clock: ctx.clock,
    ids: ctx.ids,
    keys: ctx.config.keyEncryptionKeys,
  });
}
