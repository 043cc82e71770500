import { loadFamilies } from '../chains/families.ts';
import { createChains } from '../chains/registry.ts';
import type { Config } from '../config/config.ts';
import type { Ctx } from '../context.ts';
import { type Clock, machineClock, systemClock } from '../lib/clock.ts';
import { systemIds } from '../lib/id.ts';
import type { Logger } from '../lib/log/log.ts';
import { createCard } from '../providers/card/index.ts';
import { createCardSource } from '../providers/card-source/index.ts';
import { composeCustody, withoutTreasuries } from '../providers/custody/by-purpose.ts';
import { createKyc } from '../providers/kyc/index.ts';
import { createMessaging } from '../providers/messaging/index.ts';
import { createPricing } from '../providers/pricing/index.ts';
import { createScreening } from '../providers/screening/index.ts';
import {
  createMissingVault,
  createVaultClient,
  type VaultProvider,
} from '../providers/vault/index.ts';
import { createStore } from '../store/pool.ts';
import { createRowMacs } from '../store/row-mac.ts';
import type { Store } from '../store/types.ts';
import { workerName } from './lifecycle.ts';

/**
 * The one place where the parts meet: the chain families that the configuration names, a provider
 * per kind of company.
 */
export async function composeCtx(
  config: Config,
  options: { log: Logger; process: string; clock?: Clock; beside?: Store },
): Promise<Ctx> {
  const { log, clock = systemClock } = options;
  const store = createStore({
    url: config.database.url.reveal(),
    poolSize: config.database.poolSize,
    log,
    rowMacs: createRowMacs(config.keyEncryptionKeys, log),
    applicationName: `purser-${options.process}`,
    ...(options.beside && { beside: options.beside }),
  });
  const custody = composeCustody(config, { clock });
  const families = await loadFamilies({
    config,
    store,
    clock,
    log,
    workerName: workerName(options.process),
  });
  return {
    config,
    store,
    clock,
    ids: systemIds,
    log,
    chains: createChains(families),
    providers: {
      custody,
      pricing: createPricing(config, { clock: machineClock(clock), log }),
      kyc: createKyc(config, { store, clock, ids: systemIds }),
      messaging: createMessaging(config, { store, clock }),
      card: createCard(config, { store, clock, ids: systemIds, log }),
      cardSource: createCardSource(config, { store, clock, ids: systemIds, log }),
      screening: createScreening(config, { clock: machineClock(clock), log }),
      vault: composeVault(config, { clock, log }),
    },
  };
}

/**
 * What serves callers where API and worker are one process: everything of it but the keys that only
 * the worker opens.
 */
export function callersCtx(ctx: Ctx): Ctx {
  return {
    ...ctx,
    providers: { ...ctx.providers, custody: withoutTreasuries(ctx.providers.custody) },
  };
}

function composeVault(
  { vault }: Config,
  ctx: { readonly clock: Clock; readonly log: Logger },
): VaultProvider {
  if (!vault) return createMissingVault();
  return createVaultClient({ ...vault, identity: { name: vault.peer, seed: vault.seed }, ...ctx });
}
