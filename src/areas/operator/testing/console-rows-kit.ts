import { randomBytes } from 'node:crypto';
import { appendAudit, commandLineActor } from '../../operations/index.ts';
import { insertWallets } from '../../wallets/index.ts';
import { type Filled, fillDeposit, fillProject, putAUser } from './console-fill-kit.ts';
import type { ConsoleWorld } from './console-kit.ts';

const batchSize = 500;
const usersAtOnce = 4;

/** What each copy of a row has of its own, as SQL of its `place`. */
const copies: readonly (readonly [table: string, which: string, own: string])[] = [
  [
    'transactions',
    'true',
    `'id', md5('a copy ' || place)::uuid, 'created_at', t.created_at + place * interval '1 ms'`,
  ],
  ['treasury_transfers', 'true', `'id', md5('a copy ' || place)::uuid`],
  [
    'orders',
    'payout_id is not null',
    `'id', md5('a copy ' || place)::uuid, 'payout_id', md5('a copy ' || place)::uuid, 'client_secret_hash', '\\x' || md5('payout ' || place)`,
  ],
  ['deposits', 'true', `'id', md5('deposit ' || place)::uuid, 'seen_id', 'seen ' || place`],
  ['order_deposits', 'true', `'deposit_id', md5('deposit ' || place)::uuid`],
  ['events', 'true', `'id', md5('a copy ' || place)::uuid, 'position', 1000000 + place`],
  [
    'webhook_deliveries',
    'true',
    `'id', md5('a copy ' || place)::uuid, 'event_id', md5('a copy ' || place)::uuid`,
  ],
  [
    'agent_checkouts',
    'true',
    `'id', md5('a copy ' || place)::uuid, 'item_key', '\\x' || md5('item ' || place)`,
  ],
];

/**
 * So many rows in every list of a project: one of each as the service writes it, and copies of it;
 * wallets and users, whose rows are sealed one by one, as the service writes them.
 */
export async function fillRows(
  world: ConsoleWorld,
  { projectId, rows }: { readonly projectId: string; readonly rows: number },
): Promise<Filled> {
  const filled = await fillProject(world, { projectId, text: `one of ${rows}` });
  await fillDeposit(world, { projectId, walletId: filled.walletId });
  for (const [table, which, own] of copies) {
    const found = await world.sql(
      `select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
      table,
    );
    const columns = found.rows.map(({ name }) => String(name));
    await world.sql(
      `insert into ${table} (${columns.join(', ')})
        select ${columns.map((column) => `copy.${column}`).join(', ')}
        from ${table} t, generate_series($1::int * 20 + 1, $1::int * 20 + $1::int - 1) place,
          lateral jsonb_populate_record(t, jsonb_build_object(${own})) copy
        where t.ctid = (select ctid from ${table} where ${which} limit 1)`,
      rows,
    );
  }
  await fillAudit(world, { projectId, rows });
  await fillWallets(world, { projectId, rows });
  await fillUsers(world, { projectId, rows });
  await world.sql('analyze');
  return filled;
}

interface Rows {
  readonly projectId: string;
  readonly rows: number;
}

async function fillAudit({ ctx }: ConsoleWorld, { projectId, rows }: Rows) {
  const event = {
    projectId,
    actor: commandLineActor(),
    action: 'orders.acknowledge',
    outcome: 'done',
    subject: 'order:one',
    reason: 'one of many',
    changed: {},
  } as const;
  for (let from = 0; from < rows; from += batchSize)
    await ctx.store.transaction(async (tx) => {
      for (let count = 0; count < Math.min(batchSize, rows - from); count++)
        await appendAudit({ clock: ctx.clock }, tx, event);
    });
}

async function fillWallets({ ctx, clock }: ConsoleWorld, { projectId, rows }: Rows) {
  for (let from = 0; from < rows; from += batchSize)
    await ctx.store.transaction((tx) =>
      insertWallets(
        tx,
        Array.from({ length: Math.min(batchSize, rows - from) }, () => {
          const address = `0x${randomBytes(20).toString('hex')}`;
          return {
            id: ctx.ids.uuid(),
            projectId,
            chainType: 'evm',
            type: 'smart',
            address,
            addressKey: address,
            adminSigner: {
              type: 'external-wallet',
              locator: `external-wallet:${address}`,
              address,
            },
            setup: {},
            delegates: [],
            createdAt: clock.now(),
          };
        }),
      ),
    );
}

async function fillUsers({ ctx }: ConsoleWorld, { projectId, rows }: Rows) {
  const put = () => putAUser(ctx, { projectId });
  for (let done = 0; done < rows; done += usersAtOnce)
    await Promise.all(Array.from({ length: Math.min(usersAtOnce, rows - done) }, put));
}
