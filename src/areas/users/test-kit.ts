import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../../../test/harness/http.ts';
import type { Ctx } from '../../context.ts';
import { createWorker } from '../../jobs/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createKyc } from '../../providers/kyc/index.ts';
import type { KycProvider } from '../../providers/kyc/kyc.ts';
import { flows } from '../flows.ts';
import { identityRoutes, userRoutes } from '../identity/routes.ts';
import { linkedWalletRoutes } from '../linked-wallets/routes.ts';
import { publicRoutes } from '../public-routes.ts';

export interface PeopleApi extends TestApi {
  readonly clock: ReturnType<typeof createManualClock>;
  /** Path of a user, and below it. */
  path(locator: string, below?: string): string;
}

export interface PeopleOptions extends Pick<TestApiOptions, 'config' | 'log' | 'database'> {
  /** Instead of the sandbox. */
  readonly kyc?: KycProvider;
}

/**
 * Users, identity and linked wallets over HTTP, with the sandbox company and a clock that stands
 * still.
 */
export async function startPeopleApi(options: PeopleOptions = {}): Promise<PeopleApi> {
  const clock = createManualClock();
  const api = await startTestApi({
    ...options,
    clock,
    routes: [...userRoutes, ...identityRoutes, ...linkedWalletRoutes],
    families: evmParts.families,
    providers: (ctx) => ({ kyc: options.kyc ?? createKyc(ctx.config, ctx) }),
    server: { publicRoutes },
  });
  return {
    ...api,
    clock,
    path: (locator, below = '') => `/2025-06-09/users/${encodeURIComponent(locator)}${below}`,
  };
}

/** Runs the flows of a context until it is stopped. */
export function startFlows(ctx: Ctx): { stop(): Promise<void> } {
  const worker = createWorker(ctx, { flows, pollMs: 20 });
  worker.start();
  return worker;
}

/** A body of PUT user with every block. */
export function aPerson(
  overrides: { firstName?: string; lastName?: string; country?: string; email?: string } = {},
) {
  const {
    firstName = 'Alice',
    lastName = 'Miller',
    country = 'DE',
    email = 'alice@example.com',
  } = overrides;
  return {
    userDetails: { firstName, lastName, dateOfBirth: '1990-05-04', countryOfResidence: country },
    kycData: {
      email,
      phoneNumber: '+4915112345678',
      nationality: 'DE',
      addressOfResidence: { line1: 'Hauptstrasse 1', city: 'Berlin', postalCode: '10115' },
      identityDocument: { type: 'passport', number: 'C01X00T47', issuingCountryCode: 'DE' },
    },
    dueDiligence: {
      employmentStatus: 'full-time',
      sourceOfFunds: 'salary-disbursement',
      industry: 'financial-institution',
    },
    verificationHistory: {
      idVerificationTimestamp: '2026-01-02T00:00:00Z',
      livenessVerificationTimestamp: '2026-01-02T00:01:00Z',
    },
  };
}

/** One pixel. */
export const aPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
