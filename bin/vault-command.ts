import { vaultCommand, vaultUsage } from '../src/areas/payment-methods/command.ts';
import { payoutsCommand, payoutsUsage } from '../src/areas/payment-methods/payout-command.ts';
import { createPayouts } from '../src/areas/payment-methods/payout-service.ts';
import { applyClock } from '../src/clock/index.ts';
import { developmentVaultEnvironment } from '../src/config/development-config.ts';
import { vaultMigrationsFolder } from '../src/config/folders.ts';
import { loadVaultConfig } from '../src/config/load-vault-config.ts';
import type { VaultConfig } from '../src/config/vault-config.ts';
import { createMovableClock } from '../src/lib/clock.ts';
import type { Print } from '../src/lib/command.ts';
import { createLogger } from '../src/lib/log.ts';
import { migrate } from '../src/store/migrate.ts';
import { createStore } from '../src/store/pool.ts';
import type { VaultCtx } from '../src/vault/index.ts';
import { composeVaultCtx } from './compose-vault.ts';

export { payoutsUsage, vaultUsage };

export interface VaultCommandInput {
  /** The words behind `purser vault`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The local instance, when its vault is meant and not that of the environment. */
  readonly local?: () => { readonly dataDir: string; readonly databaseUrl: string };
  readonly print: Print;
}

/** Runs `purser vault …` on the vault's own database. @returns the exit code @throws CommandError, ConfigError, ServiceError */
export async function runVaultCommand(input: VaultCommandInput): Promise<number> {
  const { argv, print } = input;
  if (argv[0] === 'migrate') return migrateVault(readVaultConfig(input), print);
  let ctx: VaultCtx | undefined;
  try {
    return await vaultCommand(
      async () => {
        ctx = await openVaultCtx(readVaultConfig(input));
        return ctx;
      },
      { argv, print },
    );
  } finally {
    await ctx?.store.close();
  }
}

/** Runs `purser payouts …` on the vault's own database. @returns the exit code @throws CommandError, ConfigError, ServiceError */
export async function runPayoutsCommand(input: VaultCommandInput): Promise<number> {
  let ctx: VaultCtx | undefined;
  const openCtx = async () => {
    const config = readVaultConfig(input);
    ctx = await openVaultCtx(config);
    return createPayouts(ctx, config.payouts).ctx;
  };
  try {
    return await payoutsCommand(openCtx, input);
  } finally {
    await ctx?.store.close();
  }
}

/** In development at the time that the clock was moved to. */
async function openVaultCtx(config: VaultConfig): Promise<VaultCtx> {
  const clock = createMovableClock();
  const ctx = await composeVaultCtx(config, { log: createLogger({ level: 'silent', process: 'purser' }), process: 'purser', clock });
  if (config.service.environment === 'development') await applyClock(ctx.store, clock);
  return ctx;
}

function readVaultConfig({ env, local }: VaultCommandInput): VaultConfig {
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
