import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { defaultOrderSettings, readOrderSettings } from '../pricing/index.ts';
import { ordersCommand } from './orders-command.ts';

const projectId = '0190b2a0-0000-7000-8000-000000000001';
let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

async function run(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  const ctx = { store: database.store, clock: createManualClock() };
  await ordersCommand(ctx, {
    argv,
    print: (line) => lines.push(line),
    projectOf: async () => projectId,
  });
  return lines.join('\n');
}

describe('purser orders settings', () => {
  it('shows the defaults of a project that has set nothing', async () => {
    expect(JSON.parse(await run('settings', 'show'))).toEqual({
      projectId,
      own: {},
      inForce: defaultOrderSettings,
    });
  });

  it("sets values over the defaults; a project's fees come before them", async () => {
    const own = {
      quoteMinutes: 15,
      kycRequired: false,
      fees: [{ type: 'service', bps: 0 }],
      tokens: ['usdc'],
    };
    const shown = JSON.parse(await run('settings', 'set', JSON.stringify(own)));
    expect(shown.own).toEqual(own);
    expect(shown.inForce).toMatchObject({
      ...own,
      maxSlippageBps: 100,
      fees: [...own.fees, ...defaultOrderSettings.fees],
    });
    expect(
      await readOrderSettings({ store: database.store, clock: createManualClock() }, projectId),
    ).toEqual(shown.inForce);
    expect(JSON.parse(await run('settings', 'set', '{}')).inForce).toEqual(defaultOrderSettings);
  });

  it.each([
    ['{"quoteMinutes": 0}', 'quoteMinutes'],
    ['{"qoteMinutes": 5}', 'qoteMinutes'],
    ['{"fees": [{"type": "rounding", "bps": 1}]}', 'rounding'],
    ['{"fees": [{"type": "service", "fixedUsd": 1}]}', 'fees.0.fixedUsd'],
    ['{"limits": [{"subject": "user"}]}', 'names no limit'],
    ['{"onPayoutReturned": "keep"}', 'onPayoutReturned'],
    ['{', 'no JSON'],
  ])('%s is refused with what is wrong', async (json, problem) => {
    await expect(run('settings', 'set', json)).rejects.toThrow(problem);
  });

  it('that were deleted or put back are not those of a project any more', async () => {
    const ctx = { store: database.store, clock: createManualClock() };
    const stored = async () => {
      const text = 'select settings, updated_at, mac from order_settings';
      return (await database.store.query<object>({ text })).rows[0]!;
    };
    const put = (row: unknown) =>
      database.store.query({
        text: `insert into order_settings select $1, r.* from jsonb_to_record($2) r (settings jsonb, updated_at timestamptz, mac text)
          on conflict (project_id) do update set settings = excluded.settings, updated_at = excluded.updated_at, mac = excluded.mac`,
        values: [projectId, JSON.stringify(row)],
      });
    await run('settings', 'set', '{"kycRequired": false}');
    const lax = await stored();
    await run('settings', 'set', '{"kycRequired": true}');
    const strict = await stored();
    await put(lax);
    await expect(readOrderSettings(ctx, projectId)).rejects.toMatchObject({
      code: 'internal-error',
    });
    await database.store.query({ text: 'delete from order_settings' });
    await expect(readOrderSettings(ctx, projectId)).rejects.toMatchObject({
      code: 'internal-error',
    });
    await put(strict);
    expect(await readOrderSettings(ctx, projectId)).toMatchObject({ kycRequired: true });
    await put({ ...strict, updated_at: new Date(ctx.clock.now().getTime() + 60_000) });
    await expect(readOrderSettings(ctx, projectId)).rejects.toMatchObject({
      code: 'internal-error',
    });
    await put(strict);
  });

  it('says what it can do', async () => {
    expect(await run()).toContain('purser orders settings show');
    await expect(run('settings', 'forget')).rejects.toThrow('show or set');
    await expect(run('nonsense')).rejects.toThrow('purser orders help');
  });
});
