import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { developmentSecrets } from '../../src/config/development-config.ts';
import { createLogger } from '../../src/lib/log/log.ts';
import { type Running, runUntilSignal, stopAll } from '../../src/processes/lifecycle.ts';
import { keepDatabase } from './database.ts';
import { openDataFolder } from './folder.ts';
import { type DevOptions, readDevOptions } from './options.ts';
import { checkPorts } from './ports.ts';

const shout = (text: string) => process.stdout.write(`  ${text}\n`);

async function start(options: DevOptions, parts: Running[]): Promise<void> {
  parts.push(await openDataFolder(options.dataDir, options));
  await checkPorts(options);
  // Before the database, so that one which is there without its secrets has lost them.
  developmentSecrets(options.dataDir);

  const databaseDir = join(options.dataDir, 'postgres');
  shout(
    existsSync(join(databaseDir, 'data'))
      ? 'Starting the database.'
      : 'Making the database (first start).',
  );
  const starting = keepDatabase({ dataDir: databaseDir, print: shout });
  // The larger half of the program is read while the database starts.
  const loading = import('./service.ts');
  loading.catch(() => undefined);
  const database = await starting;
  parts.push(database);
  const { runDevService } = await loading;
  const { log, greeting } = await runDevService({
    options,
    databaseUrl: database.url,
    apiDatabaseUrl: database.apiUrl,
    workerDatabaseUrl: database.workerUrl,
    vaultDatabaseUrl: database.vaultUrl,
    vaultServiceUrl: database.vaultServiceUrl,
    shopsDatabaseUrl: database.shopsUrl,
    print: shout,
    parts,
  });
  const end = runUntilSignal(log, parts);
  void database.lost.then((error) => end(error));
  // Last: whoever reads it may send a signal at once.
  process.stdout.write(`\n${greeting}\n`);
}

/**
 * `npm start` with the words behind it.
 * @throws when it cannot start; what had started is stopped then
 */
export async function startDevelopment(args: readonly string[]): Promise<void> {
  const options = readDevOptions(args);
  if ('help' in options) {
    process.stdout.write(`${options.help}\n`);
    return;
  }
  const parts: Running[] = [];
  try {
    await start(options, parts);
  } catch (error) {
    await stopAll(parts, createLogger({ level: 'silent', process: 'dev' }));
    throw error;
  }
}
