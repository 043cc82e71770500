import { Gauge, type Registry } from 'prom-client';
import type { Ctx } from '../../context.ts';
import { countOpen } from './differences-store.ts';
import { comparisons } from './types.ts';

/**
 * Adds open differences, read from the database at each scrape, and how long ago each project was
 * compared at the latest.
 */
export function addReconciliationMetrics(
  { registry }: { readonly registry: Registry },
  ctx: Pick<Ctx, 'store' | 'clock' | 'log'>,
): void {
  let reading: Promise<void> | undefined;
  const collect = () => (reading ??= read().finally(() => (reading = undefined)));
  const differences = new Gauge({
    name: 'purser_reconciliation_differences',
    help: 'Open differences between chain, ledger, bank and acquirer.',
    labelNames: ['comparison'] as const,
    registers: [registry],
    collect,
  });
  const oldest = new Gauge({
    name: 'purser_reconciliation_oldest_turn_seconds',
    help: 'Time since the project that waits longest was compared.',
    registers: [registry],
    collect,
  });
  const skipping = new Gauge({
    name: 'purser_reconciliation_projects_skipping',
    help: 'Projects of which something could not be compared in their last turn.',
    registers: [registry],
    collect,
  });

  async function read(): Promise<void> {
    try {
      const counts = new Map(
        (await countOpen(ctx.store)).map(({ comparison, count }) => [comparison, count]),
      );
      for (const comparison of comparisons)
        differences.set({ comparison }, counts.get(comparison) ?? 0);
      const { rows } = await ctx.store.query<{ oldest: Date | null; skipping: number }>({
        name: 'reconciliation-turns',
        text: `select min(ended_at) filter (where project_id in (select id from projects)) as oldest, count(*) filter (where skipped <> '[]')::int as skipping from reconciliation_turns`,
      });
      const { oldest: at, skipping: count } = rows[0]!;
      oldest.set(at === null ? 0 : (ctx.clock.now().getTime() - at.getTime()) / 1_000);
      skipping.set(count);
    } catch (error) {
      ctx.log.warn({ err: error }, 'the differences cannot be read');
    }
  }
}
