import { startHttpLoad, startSqlLoad } from './load.ts';
import { type BenchOptions, interleave, type Measure, median } from './measure.ts';
import { startBenchService } from './service.ts';

const connections = 32;
const adminAddress = '0x1111111111111111111111111111111111111111';
const walletsReadMax = 20_000;

/**
 * Creating and reading wallets over HTTP, beside the same statements sent straight to the same
 * PostgreSQL.
 */
export async function benchWallets(options: BenchOptions): Promise<Measure[]> {
  const seconds = options.quick ? 1 : 3;
  const rounds = options.quick ? 2 : 5;
  const service = await startBenchService({ options });
  const [http, sql] = [startHttpLoad(), startSqlLoad()];
  try {
    const common = { baseUrls: [await service.startApi()], apiKey: service.serverKey, connections };
    const { databaseUrl, projectId } = service;

    const measureCreate = async (withOwner: boolean): Promise<Measure[]> => {
      const name = `create wallet${withOwner ? ' with owner' : ''}`;
      options.progress(`${name}: ${rounds} rounds`);
      const create = (round: number | string) =>
        http.run({
          ...common,
          seconds,
          request: {
            kind: 'create-wallet',
            adminAddress,
            ...(withOwner ? { ownerPrefix: `bench${round}` } : {}),
          },
        });
      const insert = () =>
        sql.run({
          databaseUrl,
          connections,
          seconds,
          statement: { kind: 'insert-wallet', projectId, withOwner },
        });
      await create('warm');
      await insert();
      const { as, bs, ratio } = await interleave({
        rounds,
        a: create,
        b: insert,
        rateOf: { a: (one) => one.perSecond, b: (one) => one.perSecond },
      });
      return describe(name, { ours: as, limit: bs, ratio, what: 'INSERTs', atLeast: 0.6 });
    };
    const created = await measureCreate(false);
    const owned = await measureCreate(true);

    options.progress(`get wallet: ${rounds} rounds`);
    const { rows } = await service.store.query<{ id: string; address: string }>({
      text: `select id, address from wallets where address ~ '[A-F]' limit ${walletsReadMax}`,
    });
    const [addresses, ids] = [rows.map((row) => row.address), rows.map((row) => row.id)];
    const get = () => http.run({ ...common, seconds, request: { kind: 'get-wallet', addresses } });
    const select = () =>
      sql.run({ databaseUrl, connections, seconds, statement: { kind: 'select-wallet', ids } });
    await get();
    await select();
    const read = await interleave({
      rounds,
      a: get,
      b: select,
      rateOf: { a: (one) => one.perSecond, b: (one) => one.perSecond },
    });
    return [
      ...created,
      ...owned,
      ...describe('get wallet', {
        ours: read.as,
        limit: read.bs,
        ratio: read.ratio,
        what: 'SELECTs by primary key',
        atLeast: 0.15,
      }),
    ];
  } finally {
    http.close();
    sql.close();
    await service.close();
  }
}

interface Rate {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

function describe(
  name: string,
  input: {
    ours: readonly Rate[];
    limit: readonly Rate[];
    ratio: number;
    what: string;
    atLeast: number;
  },
): Measure[] {
  const { ours, limit, ratio, what, atLeast } = input;
  const middle = (of: (rate: Rate) => number, rates = ours) => median(rates.map(of));
  const [p50, p99] = [middle((rate) => rate.p50Ms), middle((rate) => rate.p99Ms)];
  return [
    {
      name,
      value: middle((rate) => rate.perSecond),
      unit: '/s',
      beside: { what, value: middle((rate) => rate.perSecond, limit) },
      ratio,
      goal: { atLeast },
    },
    {
      name: `${name}, p99`,
      value: p99,
      unit: 'ms',
      beside: { what: 'p50', value: p50 },
      ratio: p99 / p50,
      goal: { atMost: 10 },
    },
  ];
}
