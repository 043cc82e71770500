import { describe, expect, it } from 'vitest';
import { stepsAccounts } from '../../../fixtures/shops/index.ts';
import { useFixtureShops } from './testing/fixture-shops.ts';
import { type Answer, isShortRow, shopTable } from './testing/shop-rows.ts';

const world = useFixtureShops();
const { rows, expectRow, toolbox, mine, signIn } = shopTable(world);

describe('the engine in every other way of a fixture shop', () => {
  it.each(rows.filter((row) => !isShortRow(row)).map((row) => [row[0], row] as const))(
    '%s',
    (_, row) => expectRow(row),
  );

  it('says what was really charged when that is more than was approved, and delivers to the buyer and not to the address of the account', async () => {
    const { run, orders } = await world.buy({ ...toolbox, mean: 'overcharge', knowsIssuer: false });
    expect(run.end).toMatchObject({
      outcome: 'succeeded',
      total: { amountMinor: orders[0]!.totalMinor },
    });
    const account = await world.buy({ ...mine, answer: signIn('password') });
    expect(account.orders).toMatchObject([
      {
        email: stepsAccounts.password.email,
        address: { line1: '7 Mill Lane', postalCode: 'YO1 7HH' },
      },
    ]);
  });

  it('gives up after three logins that the shop refuses', async () => {
    const answer: Answer = ({ kind }) =>
      kind === 'merchant-login' ? { username: 'x@y.example', password: 'guess' } : undefined;
    const { run, orders } = await world.buy({ ...mine, answer });
    expect(run.asked.map(({ kind }) => kind)).toEqual([
      'merchant-login',
      'merchant-login',
      'merchant-login',
    ]);
    expect(run.end).toMatchObject({ outcome: 'failed', reason: 'automation_failed', placed: 'no' });
    expect(orders).toEqual([]);
  });
});
