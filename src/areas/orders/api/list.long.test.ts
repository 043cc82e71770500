import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { fillOrders, listCases } from '../testing/list-fill-kit.ts';
import { listStatement, selectOrders } from './list-store.ts';

const count = 1_000_000;
const limit = 101;
const projectId = randomUUID();
let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  await fillOrders(database.store, { projectId, count });
}, 900_000);
afterAll(() => database?.close());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

describe('lists of a million orders', () => {
  const middle = new Date(Date.parse('2023-01-01T00:00:00Z') + (count / 2) * 90_000);
  const pages = [
    ['the first page', undefined],
    ['a page in the middle', { at: middle, id: randomUUID() }],
  ] as const;

  it.each(
    listCases.flatMap(({ name, filter }) =>
      pages.map(([page, beyond]) => ({ name, page, filter, beyond })),
    ),
  )(
    'read few blocks by an index: $name, $page',
    async ({ filter, beyond, name, page }) => {
      for (const order of ['desc', 'asc'] as const) {
        const input = [
          { projectId, ...filter },
          { order, limit, ...(beyond && { beyond }) },
        ] as const;
        const { text, values } = listStatement(...input);
        const { rows } = await database.store.query<{
          'QUERY PLAN': [
            { Plan: PlanNode & { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } },
          ];
        }>({
          text: `explain (analyze, buffers, format json) ${text}`,
          values,
        });
        const plan = rows[0]!['QUERY PLAN'][0].Plan;
        const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        console.log(`${name}, ${page}, ${order}: ${blocks} blocks\n${printPlan(plan)}`);
        expect(blocks, `${name} ${order}`).toBeLessThan(4_000);
        expect(scansOf(plan)).not.toContain('Seq Scan');
        const found = await selectOrders(database.store, ...input);
        expect(found.length).toBeLessThanOrEqual(limit);
      }
    },
    60_000,
  );
});

function scansOf(node: PlanNode): string[] {
  return [
    ...(node['Relation Name'] === 'orders' ? [node['Node Type']] : []),
    ...(node.Plans ?? []).flatMap(scansOf),
  ];
}

function printPlan(
  node: PlanNode & {
    readonly 'Index Name'?: string;
    readonly 'Actual Rows'?: number;
    readonly 'Actual Loops'?: number;
  },
  depth = 1,
): string {
  const index = node['Index Name'] === undefined ? '' : ` ${node['Index Name']}`;
  const line = `${'  '.repeat(depth)}${node['Node Type']}${index} rows ${node['Actual Rows']} loops ${node['Actual Loops']}`;
  return [line, ...(node.Plans ?? []).map((child) => printPlan(child, depth + 1))].join('\n');
}
