import { describe, expect, test } from 'vitest';
import type { Environment } from '../../context.ts';
import { createSettingReader } from '../read-setting.ts';
import { readPayoutConfig } from './read-payout.ts';

function read(variables: Record<string, string>, environment: Environment = 'staging') {
  const reader = createSettingReader(variables);
  return { config: readPayoutConfig(reader, environment), problems: reader.problems };
}

const column = {
  PAYOUT_PROVIDERS: 'column',
  COLUMN_API_KEY: 'live_key',
  COLUMN_BANK_ACCOUNT_ID: 'bacc_1',
  COLUMN_WEBHOOK_SECRETS: 'new, old',
};

describe('the companies that payouts go to', () => {
  test('are the sandbox in development and staging, and none in production, unless they are named', () => {
    expect(read({}, 'development')).toEqual({ config: [{ kind: 'sandbox' }], problems: [] });
    expect(read({}, 'staging')).toEqual({ config: [{ kind: 'sandbox' }], problems: [] });
    expect(read({}, 'production')).toEqual({ config: [], problems: [] });
    expect(read({ PAYOUT_PROVIDERS: 'off' }, 'development')).toEqual({ config: [], problems: [] });
  });

  test('never include the sandbox in production, or beside a real bank', () => {
    expect(read({ PAYOUT_PROVIDERS: 'sandbox' }, 'production').problems).toEqual([
      expect.stringContaining('which pays nobody'),
    ]);
    expect(read({ ...column, PAYOUT_PROVIDERS: 'column,sandbox' }).problems).toEqual([
      expect.stringContaining('would be luck'),
    ]);
  });

  test('include Column with its account, key and one or two webhook secrets', () => {
    const { config, problems } = read(column, 'production');
    expect(problems).toEqual([]);
    expect(config).toMatchObject([
      { kind: 'column', url: 'https://api.column.com', bankAccountId: 'bacc_1' },
    ]);
    const [bank] = config;
    expect(bank?.kind === 'column' && bank.webhookSecrets.map((secret) => secret.reveal())).toEqual(
      ['new', 'old'],
    );
    expect(JSON.stringify(config)).not.toContain('live_key');
  });

  test.each([
    [
      { PAYOUT_PROVIDERS: 'column' },
      ['COLUMN_API_KEY', 'COLUMN_BANK_ACCOUNT_ID', 'COLUMN_WEBHOOK_SECRETS'],
    ],
    [{ ...column, COLUMN_URL: 'http://api.column.com' }, ['COLUMN_URL']],
    [{ ...column, COLUMN_WEBHOOK_SECRETS: 'a,b,c' }, ['COLUMN_WEBHOOK_SECRETS']],
    [
      { ...column, PAYOUT_PROVIDERS: 'columm' },
      ['PAYOUT_PROVIDERS', 'COLUMN_BANK_ACCOUNT_ID, COLUMN_API_KEY, COLUMN_WEBHOOK_SECRETS'],
    ],
    [{ ...column, PAYOUT_PROVIDERS: 'column,column' }, ['PAYOUT_PROVIDERS']],
    [{ COLUMN_API_KEY: 'left over' }, ['COLUMN_API_KEY']],
  ])('%j is refused by name', (variables, names) => {
    const { problems } = read(variables);
    expect(problems.map((problem) => names.find((name) => problem.startsWith(name)))).toEqual(
      names,
    );
  });
});
