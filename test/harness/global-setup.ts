import { startSharedServer } from './database.ts';
import { compilePrograms } from './programs.ts';

/** vitest globalSetup: one PostgreSQL for every test file of the run, with a migrated template database, and compiled programs. */
export async function setup(): Promise<() => Promise<void>> {
  const [shared, removePrograms] = await Promise.all([
    startSharedServer(),
    // Sources that do not compile fail where they are needed, and nowhere else.
    compilePrograms().catch(() => () => undefined),
  ]);
  process.env.PURSER_TEST_SERVER_URL = shared.url;
  return async () => {
    removePrograms();
    await shared.close();
  };
}
