import { expect, it } from 'vitest';
import { productionFiles, type SourceFile, sourceFiles } from './source-files.ts';
import { openInterpolations } from './sql-texts.ts';

/**
 * What the search cannot follow: names handed on as arguments. Each was read: its type is a union
 * of literals, or every caller is in the same file and hands on text of the program. A new one is
 * read the same way, or becomes a `$n`.
 */
const read: Readonly<Record<string, readonly string[]>> = {
  'src/areas/operations/audit.ts': ['lock'],
  'src/areas/sealed-rows.ts': ['table', 'where'],
  'src/jobs/flows/inspect.ts': ['change.set'],
  'src/ledger/check.ts': ['entry'],
  'src/ledger/entries.ts': ['direction', 'beyond', 'order'],
  'src/store/grants.ts': ['role', 'table', 'sequence'],
  'src/store/accept-row.ts': ['table', 'idColumn', 'columns', 'where', 'lock', 'resumed'],
  'src/store/audit-log.ts': ['copied'],
  'src/store/row-mac.ts': ['idColumn', 'columns', 'table', 'where'],
  'src/areas/activity/chains.ts': ['status'],
  'src/areas/activity/store.ts': ['filter.order'],
  'src/areas/deposits/store.ts': ['lock'],
  'src/areas/order-limits/store.ts': ['table', 'age'],
  'src/areas/orders/api/list-store.ts': [
    'where',
    'order',
    'read(`${place} and ${buckets}`)',
    'read(`${place} and ${buckets} and o.paid_currency = paid.currency`)',
    'read(`${place} and ${buckets} and o.recipient_key = recipient.key and ${currencyFits}`)',
    'texts[source]',
  ],
  'src/areas/orders/legs/refund/store.ts': ['column'],
  'src/areas/orders/state/store.ts': ['key.by'],
  'src/vault/payouts/store.ts': ['hours'],
  'src/vault/methods/store.ts': ['columns'],
  'src/areas/reconciliation/sides/treasury-facts.ts': ['references', 'also', 'table'],
  'src/areas/reconciliation/sides/walks.ts': ['changedAt', 'table'],
  'src/areas/users/keys/key-store.ts': ['input.table'],
  'src/areas/users/store.ts': ['sealedLocators.columns'],
  'src/areas/webhooks/endpoints/endpoint-store.ts': ['lock'],
  'src/chains/family/following/leases.ts': ['table', 'ownColumns'],
  'src/chains/family/late/queue.ts': [
    'table',
    'columns',
    'lists',
    'channel',
    'payload',
    'sealed.columns',
    'txIdColumn',
  ],
  'src/store/count-by-hour.ts': ['table', 'projectIdType'],
  'src/chains/evm/relay/sending/sends.ts': [
    "extra.condition ? `wanted as (${extra.condition}),` : ''",
    'kind',
    "extra.ctes ?? ''",
  ],
  'devnet/service/roles.ts': ['role'],
};

// Runners have no database, and the tools of agents call the interface.
const files = [...productionFiles(), ...sourceFiles('devnet/service')].filter(
  ({ path }) => !/^src\/(?:runner|mcp)\//.test(path),
);

it('no SQL text holds a value: what stands in one is text of the program itself, values are $n', {
  tags: 'slow',
}, () => {
  const open = openInterpolations(files);
  const unread = open.filter(({ path, code }) => !read[path]?.includes(code));
  expect(
    unread,
    'hand values on as $n; a name that is text of the program is added to the list above',
  ).toEqual([]);
  const stale = Object.entries(read).flatMap(([path, codes]) =>
    codes
      .filter((code) => !open.some((one) => one.path === path && one.code === code))
      .map((code) => `${path}: ${code}`),
  );
  expect(stale, 'the list above names what is gone').toEqual([]);
});

it('the search finds values however they come in, and lets text of the program through', () => {
  const found = (text: string) =>
    openInterpolations([{ path: 'src/a.ts', text } satisfies SourceFile]).map(({ code }) => code);
  expect(
    found(
      'const f = (id: string) => db.query({ text: `select 1 from wallets where id = ${id}` });',
    ),
  ).toEqual(['id']);
  expect(
    found(
      "const f = (input: Input) => ({ text: `select 1 from wallets where id = '${input.id}'` });",
    ),
  ).toEqual(['input.id']);
  expect(
    found(
      "const f = (name: string) => { const where = `and name = '${name}' or a.b = 1`; return `delete from wallets where a.b = 1 ${where}`; };",
    ),
  ).toEqual(['name', 'where']);
  expect(
    found('let order = "asc"; const t = `select 1 from wallets order by id ${order}`;'),
  ).toEqual(['order']);
  expect(found('for (const id of ids) q(`delete from wallets where id = ${id}`);')).toEqual(['id']);
  expect(
    found(
      'const f = (ids: string[]) => `select 1 from wallets where id in (${ids.map((id) => id).join()})`;',
    ),
  ).toEqual(['ids.map((id) => id).join()']);
  const fixed = [
    "const columns = 'id, name'; const t = `select ${columns.split(', ').map((one) => `w.${one}`).join(', ')} from wallets w`;",
    "const f = (isLocked: boolean) => `select 1 from wallets where a.b = 1 ${isLocked ? 'for update' : ''}`;",
    "const texts = { a: 'x', b: 'y' }; const f = (key: 'a') => `select ${texts[key]} from wallets`;",
    "const of = (step: string) => `t.${step}`; const t = `select ${of('id')} from wallets t`;",
    "for (const table of ['a', 'b']) q(`delete from ${table}`);",
  ];
  for (const text of fixed) expect(found(text)).toEqual([]);
});
