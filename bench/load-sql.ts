import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { selectPersonsByLocator } from '../src/areas/users/store.ts';
import { insertWallets, type NewWallet, selectWalletById } from '../src/areas/wallets/store.ts';
import { systemIds } from '../src/lib/id.ts';
import type { Db, Statement } from '../src/store/types.ts';
import { serveLoad } from './load.ts';
import { percentile } from './measure.ts';
import { createOrderRows } from './order-rows.ts';

/** The statements of a request sent straight to the database, one at a time on each connection. */
export interface SqlLoad {
  readonly databaseUrl: string;
  readonly connections: number;
  readonly seconds: number;
  readonly statement:
    | { readonly kind: 'insert-wallet'; readonly projectId: string; readonly withOwner: boolean }
    | { readonly kind: 'select-wallet'; readonly ids: readonly string[] }
    | { readonly kind: 'insert-payment-method'; readonly projectId: string }
    | { readonly kind: 'create-order'; readonly projectId: string }
    | {
        readonly kind: 'select-user';
        readonly projectId: string;
        readonly hashes: readonly string[];
      };
}

export interface SqlLoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

function aWallet(projectId: string, withOwner: boolean): NewWallet {
  const address = `0x${randomBytes(20).toString('hex')}`;
  const owner = `userId:${randomBytes(8).toString('hex')}`;
  return {
    id: systemIds.uuid(),
    projectId,
    chainType: 'evm',
    type: 'smart',
    address,
    addressKey: address,
    ...(withOwner ? { owner, ownerKey: owner } : {}),
    adminSigner: { type: 'external-wallet', locator: `external-wallet:${address}`, address },
    setup: { owners: [address], threshold: 1, saltNonce: `0x${randomBytes(32).toString('hex')}` },
    createdAt: new Date(),
  };
}

function createWork({ statement }: SqlLoad): (db: Db) => Promise<void> {
  if (statement.kind === 'insert-wallet') {
    return async (db) => {
      const inserted = await insertWallets(db, [aWallet(statement.projectId, statement.withOwner)]);
      if (inserted.size !== 1) throw new Error('a wallet was not inserted');
    };
  }
  if (statement.kind === 'create-order') return (db) => createOrderRows(db, statement.projectId);
  if (statement.kind === 'insert-payment-method')
    return (db) => insertMethodRows(db, statement.projectId);
  if (statement.kind === 'select-user') {
    const { projectId } = statement;
    const hashes = statement.hashes.map((hash) => Buffer.from(hash, 'hex'));
    let nextHash = 0;
    return async (db) => {
      const persons = await selectPersonsByLocator(db, {
        projectId,
        hashes: [hashes[nextHash++ % hashes.length]!],
      });
      if (persons.size !== 1) throw new Error('a user was not found');
    };
  }
  let next = 0;
  return async (db) => {
    if (!(await selectWalletById(db, statement.ids[next++ % statement.ids.length]!)))
      throw new Error('a wallet was not found');
  };
}

/** A user's key and a method under it, as large as real ones. */
async function insertMethodRows(db: Db, projectId: string): Promise<void> {
  const [keyId, id] = [systemIds.uuid(), systemIds.uuid()];
  await db.query({
    name: 'bench-insert-payment-method',
    text: `with key as (insert into user_keys (id, project_id, owner_ref, kek_id, wrapped, created_at) values ($1, $3, $4, 'bench', $5, $8) returning id)
           insert into payment_methods (id, project_id, user_key_id, person_id, type, version, sealed_details, account_version, sealed_account, fingerprint,
             is_default, created_at, updated_at)
           select $2, $3, key.id, key.id, 'bank-account-us', 1, $6, 1, $7, $4, true, $8, $8 from key`,
    values: [
      keyId,
      id,
      projectId,
      randomBytes(32),
      randomBytes(60),
      randomBytes(600),
      randomBytes(150),
      new Date(),
    ],
  });
}

const pools = new Map<string, pg.Client[]>();

async function connect({ databaseUrl, connections }: SqlLoad): Promise<pg.Client[]> {
  let clients = pools.get(databaseUrl);
  if (!clients) {
    clients = Array.from(
      { length: connections },
      () => new pg.Client({ connectionString: databaseUrl }),
    );
    await Promise.all(clients.map((client) => client.connect()));
    pools.set(databaseUrl, clients);
  }
  return clients;
}

async function runSqlLoad(load: SqlLoad): Promise<SqlLoadResult> {
  const clients = await connect(load);
  const work = createWork(load);
  const latencies: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + load.seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      const db: Db = {
        query: async <R>(statement: Statement) =>
          (await client.query({
            ...statement,
            values: statement.values as unknown[],
          })) as unknown as { rows: R[]; rowCount: number },
      };
      for (let sentMs = performance.now(); sentMs < endMs; ) {
        await work(db);
        const nowMs = performance.now();
        latencies.push(nowMs - sentMs);
        sentMs = nowMs;
      }
    }),
  );
  const seconds = (performance.now() - startMs) / 1_000;
  const sorted = Float64Array.from(latencies).sort();
  return {
    perSecond: sorted.length / seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  };
}

serveLoad(runSqlLoad);
