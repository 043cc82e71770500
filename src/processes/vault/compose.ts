import { createChains } from '../../chains/registry.ts';
import { vaultMigrationsFolder } from '../../config/folders.ts';
import type { VaultConfig } from '../../config/vault/vault-config.ts';
import type { Ctx } from '../../context.ts';
import { type Clock, machineClock, systemClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { Providers } from '../../providers/registry.ts';
import { type MigrateOptions, type MigrateResult, migrate } from '../../store/migrate.ts';
import { createStore } from '../../store/pool.ts';
import { unsealedRows } from '../../store/row-mac.ts';
import type { Store } from '../../store/types.ts';
import { grantVaultRights } from '../../vault/grants.ts';
import { openVault, type VaultCtx } from '../../vault/index.ts';
import { createKeks } from '../../vault/keys/keks/index.ts';

/**
 * The vault's parts: its own database and keys, no chain, no company of the main side.
 * @throws provider-unavailable, internal-error its keys do not open; the pool is closed then
 */
export async function composeVaultCtx(
  config: VaultConfig,
  options: { log: Logger; process: string; clock?: Clock },
): Promise<VaultCtx> {
  const { log, clock = systemClock } = options;
  const store = createStore({
    url: config.service.database.url.reveal(),
    poolSize: config.service.database.poolSize,
    log,
    rowMacs: unsealedRows,
    applicationName: `purser-${options.process}`,
  });
  const ctx: Ctx = {
    config: config.service,
    store,
    clock,
    ids: systemIds,
    log,
    chains: createChains([]),
    providers: noProviders(),
  };
  try {
    return {
      ...ctx,
      vault: await openVault(ctx, createKeks(config.keks, { clock: machineClock(clock) })),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The vault talks to none of the companies that the main side talks to. */
function noProviders(): Providers {
  return new Proxy({} as Providers, {
    get: (_, name) => {
      throw new Error(`The vault has no provider "${String(name)}".`);
    },
  });
}

/**
 * Brings the vault's database up to this version and gives the running vault its rights, as the
 * owner.
 */
export async function migrateVault(store: Store, options?: MigrateOptions): Promise<MigrateResult> {
  const result = await migrate(store, vaultMigrationsFolder(), options);
  await grantVaultRights(store);
  return result;
}
