import { fileURLToPath } from 'node:url';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { migrate } from '../../store/migrate.ts';
import type { PayoutDestination } from './payout.ts';

const vaultMigrations = fileURLToPath(new URL('../../../migrations/vault', import.meta.url));

/** A throw-away database with every migration of the vault. */
export async function startPayoutDatabase(
  options: { readonly poolSize?: number } = {},
): Promise<TestDatabase> {
  const database = await startTestDatabase({ empty: true, ...options });
  await migrate(database.store, vaultMigrations);
  // Tests of banks pay more in a day than the limits of a fresh vault allow.
  await database.store.query({
    text: 'update payout_limits set per_payout_minor = 1e15, project_day_minor = 1e18, destination_day_minor = 1e18',
  });
  return database;
}

/**
 * A US account whose number ends in the digits, as the sandbox bank reads them:
 * `aUsAccount('9003')`.
 */
export function aUsAccount(digits = ''): PayoutDestination & { readonly type: 'bank-account-us' } {
  return {
    type: 'bank-account-us',
    holder: {
      name: 'Ada Lovelace',
      entityType: 'individual',
      address: {
        line1: '1 Main St',
        city: 'Springfield',
        stateOrRegion: 'IL',
        postalCode: '62701',
        country: 'US',
      },
    },
    routingNumber: '021000021',
    accountNumber: new Secret(digits === '' ? '770000424242' : `77001111${digits}`),
    accountType: 'checking',
  };
}

/** A German account whose number ends in the digits. */
export function anIban(
  digits = '',
): PayoutDestination & { readonly type: 'bank-account-sepa-iban' } {
  const bban = `37040044${digits === '' ? '0532013000' : `001111${digits}`}`.slice(0, 18);
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return {
    type: 'bank-account-sepa-iban',
    holder: { name: 'Ada Lovelace', entityType: 'individual' },
    iban: new Secret(`DE${String(check).padStart(2, '0')}${bban}`),
  };
}

/** A CLABE whose digits before the check digit end in these. */
export function aClabe(
  digits = '',
): PayoutDestination & { readonly type: 'bank-account-mx-clabe' } {
  const body = `002010${digits === '' ? '07777777777' : `0001111${digits}`}`;
  const sum = [...body].reduce(
    (total, digit, index) => total + ((Number(digit) * [3, 7, 1][index % 3]!) % 10),
    0,
  );
  return {
    type: 'bank-account-mx-clabe',
    holder: { name: 'Ada Lovelace', entityType: 'individual' },
    clabe: new Secret(`${body}${(10 - (sum % 10)) % 10}`),
  };
}

export function aColombianAccount(
  digits = '',
): PayoutDestination & { readonly type: 'bank-account-co' } {
  return {
    type: 'bank-account-co',
    holder: { name: 'Ada Lovelace', entityType: 'individual' },
    bankCode: '007',
    accountNumber: new Secret(digits === '' ? '550000424242' : `55001111${digits}`),
    accountType: 'savings',
    nationalDocument: new Secret('1032456789'),
  };
}
