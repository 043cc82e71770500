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
    expect(await readOrderSettings({ store: database.store }, projectId)).toEqual(shown.inForce);
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

  it('says what it can do', async () => {
    expect(await run()).toContain('purser orders settings show');
    await expect(run('settings', 'forget')).rejects.toThrow('show or set');
    await expect(run('nonsense')).rejects.toThrow('purser orders help');
  });
});
