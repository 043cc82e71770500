import { beginOperation, type Operation } from '../../../areas/operations/index.ts';
import { applyClock } from '../../../clock/index.ts';
import { developmentVaultEnvironment } from '../../../config/development-config.ts';
import { loadVaultConfig } from '../../../config/vault/load-vault-config.ts';
import type { VaultConfig } from '../../../config/vault/vault-config.ts';
import { createMovableClock, systemClock } from '../../../lib/clock.ts';
import { CommandError, type Print } from '../../../lib/command.ts';
import { systemIds } from '../../../lib/id.ts';
import { sqlStateOf } from '../../../store/pg-errors.ts';
import { createStore } from '../../../store/pool.ts';
import { payoutsCommand, payoutsUsage } from '../../../vault/commands/payouts.ts';
import { vaultCommand, vaultUsage } from '../../../vault/commands/vault.ts';
import type { VaultCtx } from '../../../vault/index.ts';
import { createPayouts } from '../../../vault/payouts/service.ts';
import { quietLog } from '../../lifecycle.ts';
import { composeVaultCtx, migrateVault as migrateDatabase } from '../../vault/compose.ts';
import type { Command, CommandCall } from '../command.ts';
import { findLocalVault } from '../place.ts';

/** Works on the vault's own database. */
export const vault: Command = {
  usage: vaultUsage,
  run: (call) =>
    call.argv[0] === 'migrate'
      ? migrateVault(readVaultConfig(call), call.print)
      : runRecorded(call, ['vault', ...call.argv], (open) =>
          vaultCommand(async () => (await open()).ctx, call),
        ),
};

/** On the vault's own database too. */
export const payouts: Command = {
  usage: payoutsUsage,
  run: (call) =>
    runRecorded(call, ['payouts', ...call.argv], (open) => {
      const openCtx = async () => {
        const { ctx, config } = await open();
        return createPayouts(ctx, config.payouts, config).ctx;
      };
      return payoutsCommand(openCtx, call);
    }),
};

type Opened = { readonly ctx: VaultCtx; readonly config: VaultConfig };

/**
 * Runs a command that may open the vault; one that does is recorded in the vault's database before
 * it does anything else.
 */
async function runRecorded(
  call: CommandCall,
  words: readonly string[],
  work: (open: () => Promise<Opened>) => Promise<number>,
): Promise<number> {
  let opened: VaultCtx | undefined;
  let operation: Operation | undefined;
  let outcome: 'done' | 'failed' = 'failed';
  try {
    const code = await work(async () => {
      const config = readVaultConfig(call);
      const ctx = await openVaultCtx(config);
      opened = ctx;
      const hash = (word: string) =>
        ctx.vault.fingerprint('', ['operator', word]).toString('hex').slice(0, 16);
      operation = await beginOperation(ctx, words, hash).catch(refuseService);
      return { ctx, config };
    });
    if (code === 0) outcome = 'done';
    return code;
  } finally {
    // That it began is recorded; what it printed and answered counts more than that it ended.
    await operation?.end(outcome).catch(() => undefined);
    await opened?.store.close();
  }
}

/** Whoever cannot write the record is not the owner. */
function refuseService(error: unknown): never {
  if (sqlStateOf(error) !== insufficientPrivilege) throw error;
  throw new CommandError(
    'This command works as the owner of the vault’s database, and VAULT_DATABASE_URL names a role with less: see docs/guides/vault.md.',
    { cause: error },
  );
}

const insufficientPrivilege = '42501';

/** In development at the time that the clock was moved to. */
async function openVaultCtx(config: VaultConfig): Promise<VaultCtx> {
  const clock = createMovableClock();
  const ctx = await composeVaultCtx(config, { log: quietLog, process: 'purser', clock });
  if (config.service.environment === 'development') await applyClock(ctx.store, clock);
  return ctx;
}

function readVaultConfig({ env, dataDir }: CommandCall): VaultConfig {
  const local = findLocalVault(env, dataDir);
  return loadVaultConfig(
    local === undefined ? env : developmentVaultEnvironment({ ...local(), port: 3_001 }),
  );
}

async function migrateVault(config: VaultConfig, print: Print): Promise<number> {
  const store = createStore({
    url: config.service.database.url.reveal(),
    poolSize: 1,
    applicationName: 'purser-command',
  });
  try {
    const ctx = { store, clock: systemClock, ids: systemIds };
    const operation = await beginOperation(ctx, ['vault', 'migrate'], () => '');
    const { applied } = await migrateDatabase(store, {
      onProgress: ({ name, index, count }) => print(`${index}/${count} ${name}`),
    });
    await operation.end('done');
    print(
      applied.length === 0
        ? 'The vault’s database is up to date.'
        : `${applied.length} migrations applied.`,
    );
    return 0;
  } finally {
    await store.close();
  }
}
