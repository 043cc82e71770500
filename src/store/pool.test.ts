import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databaseUrl, startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { isUniqueViolation, sqlStateOf } from './pg-errors.ts';
import { createStore } from './pool.ts';
import type { Store, Tx } from './types.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await startTestDatabase();
  store = database.store;
  await store.query({ text: 'create table counters (id int primary key, n int not null)' });
});
afterAll(() => database.close());
beforeEach(() =>
  store.query({ text: 'truncate counters; insert into counters values (1, 0), (2, 0)' }),
);

const read = async (id: number) =>
  (await store.query<{ n: number }>({ text: 'select n from counters where id = $1', values: [id] }))
    .rows[0]?.n;
const add = (tx: Tx, id: number) =>
  tx.query({ name: 'add', text: 'update counters set n = n + 1 where id = $1', values: [id] });

test('a transaction commits what its work did, and then runs the after-commit callbacks', async () => {
  const seen: (number | undefined)[] = [];
  let check: Promise<void> | undefined;
  const result = await store.transaction(async (tx) => {
    tx.afterCommit(() => {
      check = read(1).then((n) => void seen.push(n));
    });
    await add(tx, 1);
    expect(check).toBeUndefined();
    return 'done';
  });
  await check;
  expect(result).toBe('done');
  expect(seen).toEqual([1]);
});

test('a transaction whose work throws leaves nothing, runs no callback, and throws the same error', async () => {
  const error = new Error('changed my mind');
  await expect(
    store.transaction(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('must not run');
      });
      await add(tx, 1);
      throw error;
    }),
  ).rejects.toBe(error);
  expect(await read(1)).toBe(0);
});

test('a callback that throws does not turn a committed transaction into a failed one', async () => {
  await store.transaction(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('oops');
    });
    await add(tx, 1);
  });
  expect(await read(1)).toBe(1);
});

test('a transaction whose failed statement was swallowed is not reported as committed', async () => {
  await expect(
    store.transaction(async (tx) => {
      await add(tx, 1);
      await tx.query({ text: 'select 1 / 0' }).catch(() => undefined);
    }),
  ).rejects.toThrow('was rolled back: one of its statements failed and the failure was swallowed');
  expect(await read(1)).toBe(0);
});

test('a statement on a transaction that has ended is refused', async () => {
  let kept: Tx | undefined;
  await store.transaction(async (tx) => {
    kept = tx;
  });
  await expect(kept!.query({ text: 'select 1' })).rejects.toThrow('a promise was not awaited');
});

test('a deadlock is retried until both have happened', async () => {
  let meet = 0;
  const both = (first: number, second: number) =>
    store.transaction(async (tx) => {
      await add(tx, first);
      meet++;
      for (let tries = 0; meet < 2 && tries < 200; tries++)
        await tx.query({ text: 'select pg_sleep(0.005)' });
      await add(tx, second);
    });
  await Promise.all([both(1, 2), both(2, 1)]);
  expect([await read(1), await read(2)]).toEqual([2, 2]);
  expect(meet).toBeGreaterThan(2);
});

test('a serialization failure is retried, but not for ever', async () => {
  let runs = 0;
  const collide = (times: number) =>
    store.transaction(async (tx) => {
      if (++runs <= times)
        await tx.query({
          text: `do $$ begin raise exception 'collision' using errcode = '40001'; end $$`,
        });
      return runs;
    });
  expect(await collide(3)).toBe(4);
  runs = 0;
  expect(sqlStateOf(await collide(1_000).catch((error: unknown) => error))).toBe('40001');
  expect(runs).toBe(12);
});

test('a unique violation is told apart from others, and costs no connection', async () => {
  const one = createStore({ url: database.url, poolSize: 1 });
  try {
    const pid = async () =>
      (await one.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })).rows[0]!.pid;
    const before = await pid();
    const error: unknown = await one
      .query({ text: 'insert into counters values (1, 1)' })
      .catch((cause: unknown) => cause);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'counters_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'other')).toBe(false);
    expect(isUniqueViolation(new Error('23505'))).toBe(false);
    await expect(one.transaction(async (tx) => tx.query({ text: 'select 1 / 0' }))).rejects.toThrow(
      'division by zero',
    );
    expect(await pid()).toBe(before);
  } finally {
    await one.close();
  }
});

test('a connection that dies, idle or in the middle of a transaction, costs that call only', async () => {
  const one = createStore({ url: database.url, poolSize: 1, applicationName: 'victim' });
  const kill = () =>
    store.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`,
    });
  try {
    await one.query({ text: 'select 1' });
    await kill();
    await expect
      .poll(() =>
        one.query({ text: 'select 1' }).then(
          () => 'fine',
          () => 'lost',
        ),
      )
      .toBe('fine');
    await expect(
      one.transaction(async (tx) => {
        await add(tx, 1);
        await kill();
        await add(tx, 1);
      }),
    ).rejects.toThrow();
    await expect
      .poll(() =>
        one.query({ text: 'select 1' }).then(
          () => 'fine',
          () => 'lost',
        ),
      )
      .toBe('fine');
    expect(await read(1)).toBe(0);
  } finally {
    await one.close();
  }
});

test('a statement that runs too long is ended by the server, and a pool that stays full is an error', async () => {
  const hasty = createStore({
    url: database.url,
    poolSize: 1,
    statementTimeoutMs: 100,
    connectTimeoutMs: 150,
  });
  try {
    await expect(hasty.query({ text: 'select pg_sleep(5)' })).rejects.toThrow('statement timeout');
    await hasty.transaction(async (tx) => {
      await tx.query({ text: 'select 1' });
      await expect(hasty.query({ text: 'select 1' })).rejects.toThrow('timeout exceeded');
    });
  } finally {
    await hasty.close();
  }
});

test('a transaction that stands still between two statements is ended by the server, with its locks', async () => {
  const sleepy = createStore({ url: database.url, poolSize: 2, idleTransactionTimeoutMs: 100 });
  try {
    const stalled = sleepy.transaction(async (tx) => {
      await add(tx, 1);
      await store.transaction((other) => add(other, 1));
      await add(tx, 1);
    });
    await expect(stalled).rejects.toThrow();
    expect(await read(1)).toBe(1);
    expect((await sleepy.query({ text: 'select 1' })).rowCount).toBe(1);
  } finally {
    await sleepy.close();
  }
});

test('an urgent statement does not wait for a pool that is full', async () => {
  const full = createStore({ url: database.url, poolSize: 1 });
  try {
    await full.transaction(async (tx) => {
      await tx.query({ text: 'select 1' });
      expect((await full.query({ text: 'select 1', urgent: true })).rowCount).toBe(1);
    });
  } finally {
    await full.close();
  }
});

test('dates arrive as text, big numbers as text, times as Date', async () => {
  const { rows } = await store.query({
    text: `select date '2026-01-31' as d, 9007199254740993::bigint as b, 1.10::numeric(78,2) as n, timestamptz '2026-01-31T10:00:00+02' as t`,
  });
  expect(rows).toEqual([
    { d: '2026-01-31', b: '9007199254740993', n: '1.10', t: new Date('2026-01-31T08:00:00Z') },
  ]);
});

test('a listener hears notifications, also after its connection was lost, and is told that it may have missed some', async () => {
  const listening = createStore({ url: database.url, poolSize: 1, applicationName: 'ears' });
  const heard: (string | undefined)[] = [];
  try {
    const listener = listening.listen!('test_channel', (payload) => heard.push(payload));
    await expect.poll(() => heard).toEqual([undefined]);
    await store.query({ text: `select pg_notify('test_channel', 'one')` });
    await expect.poll(() => heard).toEqual([undefined, 'one']);
    await store.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ears listen'`,
    });
    await expect.poll(() => heard, { timeout: 30_000 }).toEqual([undefined, 'one', undefined]);
    await store.query({ text: `select pg_notify('test_channel', 'two')` });
    await expect.poll(() => heard).toEqual([undefined, 'one', undefined, 'two']);
    await listener.close();
  } finally {
    await listening.close();
  }
});

test.each([1, 2])(
  'a listener whose connection says nothing any more from its LISTEN number %i on takes another one',
  async (muteFrom) => {
    const from = new URL(database.url.replace('@/', '@localhost/'));
    const folder = from.searchParams.get('host');
    const port = Number(from.port || 5432);
    let listens = 0;
    const proxy = net.createServer((near) => {
      const far = folder
        ? net.connect(join(folder, `.s.PGSQL.${port}`))
        : net.connect(port, from.hostname);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      let isMute = false;
      near.on('data', (bytes) => {
        isMute ||= bytes.includes('LISTEN') && ++listens === muteFrom;
        if (!isMute) far.write(bytes);
      });
      far.pipe(near);
      near.on('close', () => far.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
    const url = `postgres://${from.username}${from.password && `:${from.password}`}@${address}${from.pathname}`;
    const listening = createStore({ url, poolSize: 1, connectTimeoutMs: 300 });
    const heard: string[] = [];
    try {
      listening.listen!('one_channel', (payload) => heard.push(payload ?? 'look'));
      if (muteFrom === 2) await expect.poll(() => heard).toEqual(['look']);
      listening.listen!('other_channel', (payload) => heard.push(payload ?? 'look'));
      await expect.poll(() => heard).toHaveLength(muteFrom + 1);
      await store.query({
        text: `select pg_notify('one_channel', 'one'), pg_notify('other_channel', 'other')`,
      });
      await expect.poll(() => heard.slice(muteFrom + 1)).toEqual(['one', 'other']);
    } finally {
      await listening.close();
      proxy.close();
    }
  },
);

test('an address that is none is refused without repeating it', () => {
  expect(() => createStore({ url: 'mysql://root:hunter2@localhost', poolSize: 1 })).toThrow(
    /must start with postgres:\/\//,
  );
  expect(() => createStore({ url: 'mysql://root:hunter2@localhost', poolSize: 1 })).not.toThrow(
    /hunter2/,
  );
});

test('the database of an address can be changed, for sockets and for hosts', () => {
  expect(databaseUrl('postgres://purser@/postgres?host=%2Ftmp%2Fx', 'mine')).toBe(
    'postgres://purser@/mine?host=%2Ftmp%2Fx',
  );
  expect(databaseUrl('postgresql://a:b@db:5432/postgres?sslmode=require', 'mine')).toBe(
    'postgresql://a:b@db:5432/mine?sslmode=require',
  );
});
