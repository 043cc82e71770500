import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { systemClock } from '../../../lib/clock.ts';
import { readOrderSettings, readOwnSettings, writeOwnSettings } from './settings-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

const settings = { limits: [{ subject: 'user' as const, dailyUsd: '500' }] };

const ctxOf = () => ({ store: database.store, clock: systemClock });

async function aProject(): Promise<string> {
  const projectId = randomUUID();
  const ctx = ctxOf();
  await writeOwnSettings(ctx, { projectId, settings: {} });
  await writeOwnSettings(ctx, { projectId, settings });
  return projectId;
}

describe('the settings of a project', () => {
  it('are read as they were written', async () => {
    expect(await readOwnSettings(ctxOf(), await aProject())).toEqual(settings);
  });

  it.each([
    ['raised', `settings = '{"limits": [{"subject": "user", "dailyUsd": "5000000"}]}'`],
    ['emptied', `settings = '{}'`],
    ['raised without a seal', `settings = '{"limits": []}', mac = null`],
    [
      'copied from another project',
      `(settings, mac) = (select settings, mac from order_settings o where o.project_id <> order_settings.project_id limit 1)`,
    ],
  ])('that somebody %s are not believed: nothing is priced by them', async (_, change) => {
    await aProject();
    const projectId = await aProject();
    await database.store.query({
      text: `update order_settings set ${change} where project_id = $1`,
      values: [projectId],
    });
    await expect(readOrderSettings(ctxOf(), projectId)).rejects.toMatchObject({
      code: 'internal-error',
      message: expect.stringContaining(`The row ${projectId} of order_settings was changed`),
    });
  });
});
