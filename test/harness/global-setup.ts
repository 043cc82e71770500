import { startSharedServer } from './database.ts';
import { compilePrograms } from './programs.ts';

/**
 * vitest globalSetup: one PostgreSQL for every test file of the run, with a migrated template
 * database, and compiled programs. Whoever runs tests many times (`npm run mutate`) starts the
 * server once and names it in the setting.
 */
export async function setup(): Promise<() => Promise<void>> {
  const [shared, removePrograms] = await Promise.all([
    process.env.PURSER_TEST_SERVER_URL === undefined ? startSharedServer() : undefined,
    // Sources that do not compile fail where they are needed, and nowhere else.
    compilePrograms().catch(() => () => undefined),
  ]);
  if (shared) process.env.PURSER_TEST_SERVER_URL = shared.url;
  return async () => {
    removePrograms();
    await shared?.close();
  };
}
