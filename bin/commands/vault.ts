import { vaultCommand, vaultUsage } from '../../src/areas/payment-methods/command.ts';
import { payoutsCommand, payoutsUsage } from '../../src/areas/payment-methods/payout-command.ts';
import { createPayouts } from '../../src/areas/payment-methods/payout-service.ts';
import { applyClock } from '../../src/clock/index.ts';
import { developmentVaultEnvironment } from '../../src/config/development-config.ts';
import { vaultMigrationsFolder } from '../../src/config/folders.ts';
import { loadVaultConfig } from '../../src/config/load-vault-config.ts';
import type { VaultConfig } from '../../src/config/vault-config.ts';
import { createMovableClock } from '../../src/lib/clock.ts';
import type { Print } from '../../src/lib/command.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createStore } from '../../src/store/pool.ts';
import type { VaultCtx } from '../../src/vault/index.ts';
import { composeVaultCtx } from '../compose-vault.ts';
import { quietLog } from '../lifecycle.ts';
import type { Command, CommandCall } from './command.ts';
import { findLocalVault } from './place.ts';

/** Works on the vault's own database. */
export const vault: Command = {
  usage: vaultUsage,
  async run(call) {
    const { argv, print } = call;
    if (argv[0] === 'migrate') return migrateVault(readVaultConfig(call), print);
    let ctx: VaultCtx | undefined;
    try {
      return await vaultCommand(
        async () => {
          ctx = await openVaultCtx(readVaultConfig(call));
          return ctx;
        },
        { argv, print },
      );
    } finally {
      await ctx?.store.close();
    }
  },
};

/** On the vault's own database too. */
export const payouts: Command = {
  usage: payoutsUsage,
  async run(call) {
    let ctx: VaultCtx | undefined;
    const openCtx = async () => {
      const config = readVaultConfig(call);
      ctx = await openVaultCtx(config);
      return createPayouts(ctx, config.payouts, config).ctx;
    };
    try {
      return await payoutsCommand(openCtx, { argv: call.argv, print: call.print });
    } finally {
      await ctx?.store.close();
    }
  },
};

/** In development at the time that the clock was moved to. */
async function openVaultCtx(config: VaultConfig): Promise<VaultCtx> {
  const clock = createMovableClock();
  const ctx = await composeVaultCtx(config, { log: quietLog, process: 'purser', clock });
  if (config.service.environment === 'development') await applyClock(ctx.store, clock);
  return ctx;
}

function readVaultConfig({ env, dataDir }: CommandCall): VaultConfig {
  const local = findLocalVault(env, dataDir);
  return loadVaultConfig(local === undefined ? env : developmentVaultEnvironment({ ...local(), port: 3_001 }));
}

async function migrateVault(config: VaultConfig, print: Print): Promise<number> {
  const store = createStore({ url: config.service.database.url.reveal(), poolSize: 1, applicationName: 'purser-command' });
  try {
    const { applied } = await migrate(store, vaultMigrationsFolder(), {
      onProgress: ({ name, index, count }) => print(`${index}/${count} ${name}`),
    });
    print(applied.length === 0 ? 'The vault’s database is up to date.' : `${applied.length} migrations applied.`);
    return 0;
  } finally {
    await store.close();
  }
}
