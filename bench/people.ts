import { changeUser, saveRecord } from '../src/areas/users/index.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemIds } from '../src/lib/id.ts';
import { createLogger } from '../src/lib/log/log.ts';
import { productionEnv } from '../test/harness/production.ts';
import { startHttpLoad, startSqlLoad } from './load.ts';
import { type BenchOptions, interleave, type Measure, median } from './measure.ts';
import { type BenchService, startBenchService } from './service.ts';

const connections = 16;
const userCount = 2_000;

/**
 * Reading a user, whose record is found by a keyed hash and opened with a key of its own, beside
 * the same statement alone.
 */
export async function benchPeople(options: BenchOptions): Promise<Measure[]> {
  const seconds = options.quick ? 1 : 3;
  const rounds = options.quick ? 2 : 5;
  const service = await startBenchService({ options });
  const [http, sql] = [startHttpLoad(), startSqlLoad()];
  try {
    options.progress(`read user: ${userCount} users`);
    const locators = await createUsers(service);
    const { rows } = await service.store.query<{ hash: string }>({
      text: `select encode(locator_hash, 'hex') as hash from user_locators`,
    });
    const baseUrls = [await service.startApi()];
    const { databaseUrl, projectId } = service;
    const hashes = rows.map((row) => row.hash);
    const read = () =>
      http.run({
        baseUrls,
        apiKey: service.serverKey,
        connections,
        seconds,
        request: { kind: 'read-user', locators },
      });
    const select = () =>
      sql.run({
        databaseUrl,
        connections,
        seconds,
        statement: { kind: 'select-user', projectId, hashes },
      });
    await read();
    await select();
    options.progress(`read user: ${rounds} rounds`);
    const { as, bs, ratio } = await interleave({
      rounds,
      a: read,
      b: select,
      rateOf: { a: (one) => one.perSecond, b: (one) => one.perSecond },
    });
    const [p50, p99] = [median(as.map((one) => one.p50Ms)), median(as.map((one) => one.p99Ms))];
    return [
      {
        name: 'read user',
        value: median(as.map((one) => one.perSecond)),
        unit: '/s',
        beside: { what: 'SELECTs by locator', value: median(bs.map((one) => one.perSecond)) },
        ratio,
        goal: { atLeast: 0.15 },
      },
      {
        name: 'read user, p99',
        value: p99,
        unit: 'ms',
        beside: { what: 'p50', value: p50 },
        ratio: p99 / p50,
        goal: { atMost: 10 },
      },
    ];
  } finally {
    http.close();
    sql.close();
    await service.close();
  }
}

/** Users as a project makes them, with data; @returns their locators */
async function createUsers({
  store,
  databaseUrl,
  secrets,
  projectId,
}: BenchService): Promise<string[]> {
  const config = loadConfig(
    productionEnv({ process: 'purser', databaseUrl, secrets, rpcUrls: {} }),
    { process: 'purser' },
  );
  const caller = {
    projectId,
    environment: 'production',
    keyKind: 'server',
    keyId: 'bench',
    scopes: new Set<string>(),
  } as const;
  const ctx = {
    config,
    store,
    clock: systemClock,
    ids: systemIds,
    log: createLogger({ level: 'silent', process: 'bench' }),
    caller,
  };
  const userDetails = {
    firstName: 'Alice',
    lastName: 'Miller',
    dateOfBirth: '1990-05-04',
    countryOfResidence: 'DE',
  };
  const kycData = {
    email: 'alice@example.com',
    phoneNumber: '+4915112345678',
    nationality: 'DE',
    addressOfResidence: { line1: 'Hauptstrasse 1', city: 'Berlin', postalCode: '10115' },
    identityDocument: { type: 'passport', number: 'C01X00T47', issuingCountryCode: 'DE' },
  } as const;
  const locators = Array.from({ length: userCount }, (_, nr) => `userId:bench-${nr}`);
  for (const locator of locators)
    await changeUser(ctx, { locator, create: true }, (tx, user) =>
      saveRecord(ctx, tx, user, {
        record: { ...user.record, userDetails, kycData },
        hasData: true,
      }),
    );
  return locators;
}
