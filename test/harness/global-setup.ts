import { startSharedServer } from './database.ts';

/** vitest globalSetup: one PostgreSQL for every test file of the run, with a migrated template database. */
export async function setup(): Promise<() => Promise<void>> {
  const shared = await startSharedServer();
  process.env.PURSER_TEST_SERVER_URL = shared.url;
  return shared.close;
}
