import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { families } from '../families.ts';
import { recordFeeAccounts } from '../family/spending/accounts.ts';
import { charge, readBudgets } from '../family/spending/budgets.ts';
import { chainsCommand, chainsUsage } from './chains.ts';
import { gasCommand } from './gas.ts';

const chains = { solana: 'lamports', stellar: 'stroops', aptos: 'octas', sui: 'MIST' } as const;
const base = testConfig();
const url = 'http://127.0.0.1:9';
const config = {
  ...base,
  solana: { ...base.solana, rpcUrl: url },
  stellar: { ...base.stellar, rpcUrl: url, walletFactoryId: 'C0' },
  aptos: { ...base.aptos, rpcUrl: url },
  sui: { ...base.sui, rpcUrl: url },
};
let database: TestDatabase;
let projectId: string;
beforeAll(async () => {
  database = await startTestDatabase();
  projectId = randomUUID();
});
afterAll(() => database?.close());

async function run(
  command: typeof gasCommand | typeof chainsCommand,
  ...argv: string[]
): Promise<string> {
  const lines: string[] = [];
  await command(
    { config, store: database.store },
    { argv, print: (line) => lines.push(line), projectOf: async () => projectId },
  );
  return lines.join('\n');
}

describe('purser gas', () => {
  it.each(Object.entries(chains))(
    'sets what a project may spend on %s, in %s, and the relay goes by it',
    async (chain, unit) => {
      expect(
        await run(gasCommand, 'set', '--chain', chain, '--per-day', '700', '--owner-per-day', '30'),
      ).toBe(`On ${chain} the project may spend 700 ${unit} in a day, each owner 30.`);
      const bounds = { projectDayMaxMinor: 10n, ownerDayMaxMinor: 9n };
      const budgetOf = async (project: string) =>
        (
          await readBudgets(database.store, {
            chain,
            pairs: [{ projectId: project, owner: 'o' }],
            bounds,
            open: [],
            kind: 'fees',
          })
        ).map(({ project: { max }, ownOwner }) => [max, ownOwner.max])[0];
      expect([await budgetOf(projectId), await budgetOf(randomUUID())]).toEqual([
        [700n, 30n],
        [10n, 9n],
      ]);
      expect(await run(gasCommand, 'set', '--chain', chain, '--per-day', '800')).toMatch(
        / 800 \w+ in a day, each owner \d{9,}\.$/,
      );
      expect(await budgetOf(projectId)).toEqual([800n, 9n]);
    },
  );

  it('shows what owners spent today and may spend, of every family', async () => {
    for (const chain of Object.keys(chains))
      await charge(database.store, 'fees', chain, [
        { projectId, owner: `userId:${chain}`, minor: 12n },
      ]);
    await run(gasCommand, 'set', '--chain', 'base-sepolia', '--per-day', '5');
    const text = await run(gasCommand, 'show');
    for (const [chain, unit] of Object.entries(chains)) {
      expect(text).toMatch(new RegExp(`^${chain} +800 +\\d+ +${unit}$`, 'm'));
      expect(text).toMatch(new RegExp(`^${chain} +userId:${chain} +12 +${unit}$`, 'm'));
    }
    expect(text).toMatch(/^base-sepolia +5 +\d+ +wei$/m);
    const { budgets, spent } = JSON.parse(await run(gasCommand, 'show', '--json')) as Record<
      'budgets' | 'spent',
      { chain: string }[]
    >;
    expect(budgets.map(({ chain }) => chain)).toEqual(['base-sepolia', ...Object.keys(chains)]);
    expect(spent).toContainEqual({ chain: 'sui', owner: 'userId:sui', minor: '12', unit: 'MIST' });
  });

  it.each([
    [['set', '--chain', 'venus', '--per-day', '1'], 'The chain "venus" is not known'],
    [['set', '--chain', 'xion', '--per-day', '1'], 'Nothing is paid on "xion"'],
    [['set', '--per-day', '1'], 'Name the chain'],
    [['set', '--chain', 'sui', '--per-day', '1.5'], '--per-day is a whole number of MIST'],
    [['show', '--limit', '0'], '--limit is a whole number from 1'],
    [['get'], 'Unknown command "gas get"'],
  ])('says what is wrong: %j', async (argv, sentence) => {
    await expect(run(gasCommand, ...argv)).rejects.toThrow(sentence);
  });
});

describe('purser chains', () => {
  it('tells of every chain that is served what its relay does, what it spent, and what its accounts need', async () => {
    for (const chain of Object.keys(chains))
      await recordFeeAccounts(database.store, chain, [
        { address: `payer-of-${chain}`, role: 'fee-payer', balanceMinor: 7n, alarm: 'poor' },
      ]);
    const text = await run(chainsCommand, 'status');
    for (const chain of Object.keys(chains)) {
      expect(text).toMatch(new RegExp(`^${chain} +0 +0 +0 +- +12 +-$`, 'm'));
      expect(text).toMatch(new RegExp(`^${chain} +fee-payer +payer-of-${chain} +7 +- +poor$`, 'm'));
    }
    const { relays } = JSON.parse(await run(chainsCommand, 'status', '--json')) as {
      relays: { chain: string }[];
    };
    expect(relays.map(({ chain }) => chain)).toEqual(Object.keys(chains));
  });

  it.each(Object.keys(chains))(
    'alarms when %s cost more in an hour than it usually may',
    async (chain) => {
      const book = await families.find(({ name }) => name === chain)!.code!.loadFees();
      const { projectDayMaxMinor } = book.boundsOf(config, chain)!;
      await charge(database.store, 'fees', chain, [
        { projectId: randomUUID(), owner: 'o', minor: projectDayMaxMinor / 2n },
      ]);
      expect(await run(chainsCommand, 'status')).toMatch(
        new RegExp(`^${chain} .*Fees of the last hour are \\d+ \\w+, more than`, 'm'),
      );
    },
  );

  it('has verbs of families, and names them', async () => {
    expect(await run(chainsCommand)).toBe(chainsUsage);
    expect(chainsUsage).toMatch(/^purser chains deploy <chain>/m);
    await expect(run(chainsCommand, 'recount', 'base-sepolia')).rejects.toThrow(
      'Name chain and account',
    );
    await expect(run(chainsCommand, 'conquer')).rejects.toThrow('Unknown command "chains conquer"');
  });
});
