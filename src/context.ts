import type { Logger } from 'pino';
import type { Chains } from './chains/registry.ts';
import type { Config } from './config/config.ts';
import type { Idempotency } from './http/answers/idempotency.ts';
import type { Clock } from './lib/clock.ts';
import type { Ids } from './lib/id.ts';
import type { UserLocator } from './lib/locator/locator.ts';
import type { Providers } from './providers/registry.ts';
import type { Store } from './store/types.ts';

/**
 * What every rule receives first. One per process, made by the composition root, `src/processes`.
 */
export interface Ctx {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly chains: Chains;
  readonly providers: Providers;
}

export type Environment = 'development' | 'staging' | 'production';

/** Who is calling: the key's project and, with a client key and JWT, the end user. */
export interface Caller {
  readonly projectId: string;
  readonly environment: Environment;
  readonly keyKind: 'server' | 'client';
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
  /** The JWT's user (`userId:<sub>`); absent with a server key or without a JWT. */
  readonly user?: UserLocator;
  /** The e-mail claim of the JWT, only when `email_verified`. Normalised. */
  readonly verifiedEmail?: string;
  /**
   * What a client key sent as `Authorization` without `Bearer`: the client secret of an order.
   * Nothing of it is checked yet.
   */
  readonly orderSecret?: string;
  /** Lower-case `x-client-name` header: selects the balances list form. */
  readonly clientName?: string;
}

/** A rule that serves a request knows its caller. */
export interface RequestCtx extends Ctx {
  readonly caller: Caller;
  readonly requestId: string;
  /** Present on a POST that came with an idempotency key. */
  readonly idempotency?: Idempotency;
}
