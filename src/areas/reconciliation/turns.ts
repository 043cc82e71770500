import { setTimeout as pause } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import type { Db, Tx } from '../../store/types.ts';
import { selectOpen } from './differences-store.ts';
import {
  keyOf,
  type ReconcileOptions,
  reconcileProject,
  settleFindings,
  type Turn,
} from './reconcile.ts';
import { lookAtBanks, lookAtBooks } from './sides/books.ts';
import type { Finding } from './types.ts';

/** Turns of the timer, each project by one process at a time. */

/** A process that died keeps a project from being compared for so long. */
const leaseMs = 10 * 60_000;
const projectsPerPage = 200;
const projectEveryMs = 3 * 60_000;
const booksEveryMs = 24 * 3_600_000;
/** Stands for what belongs to no project. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

export interface TurnOptions extends ReconcileOptions {
  /** By the service's clock, since the last turn. */
  readonly everyMs?: number;
}

/**
 * Compares every project whose turn has come; for the worker.
 * @returns how many differences they have
 */
export async function reconcileAll(
  ctx: Ctx,
  { everyMs = projectEveryMs, ...options }: TurnOptions = {},
): Promise<number> {
  let open = 0;
  for await (const projectId of projectIds(ctx.store)) {
    if (!(await claimTurn(ctx, { projectId, everyMs }))) continue;
    try {
      const turn = await reconcileProject(ctx, projectId, options);
      open += turn.differences.length;
      if (turn.skipped.length > 0)
        ctx.log.warn({ projectId, skipped: turn.skipped }, 'some things could not be compared');
      await endTurn(ctx, projectId, turn);
    } catch (error) {
      // One project that cannot be compared keeps no other waiting; its lease ends by itself.
      ctx.log.error({ err: error, projectId }, 'a project could not be compared');
    }
  }
  return open;
}

/** {@link reconcileBooks} once a day, by one process. @returns how many differences there are */
export async function reconcileBooksDaily(ctx: Ctx): Promise<number> {
  if (!(await claimTurn(ctx, { projectId: nilUuid, everyMs: booksEveryMs }))) return 0;
  const turn = await reconcileBooks(ctx);
  await endTurn(ctx, nilUuid, turn);
  return turn.differences.length;
}

/** Days of the banks' lists that are compared at each turn. */
const bankReachMs = 2 * 24 * 3_600_000;

/** Compares what belongs to no single project. Walks all of the ledger. */
export async function reconcileBooks(ctx: Ctx, options: ReconcileOptions = {}): Promise<Turn> {
  const open = await selectOpen(ctx.store, null);
  const oldest = Math.min(
    ctx.clock.now().getTime(),
    ...open.map(({ firstSeenAt }) => firstSeenAt.getTime()),
  );
  const lookOnce = async () => {
    const until = ctx.clock.now();
    const [books, banks] = [
      await lookAtBooks(ctx),
      await lookAtBanks(ctx, { from: new Date(oldest - bankReachMs), until }),
    ];
    const findings = new Map(
      [...books.findings, ...banks.findings].map((finding): [string, Finding] => [
        keyOf(finding),
        finding,
      ]),
    );
    return { findings, skipped: banks.skipped ?? [], hasBanks: banks.unlooked === undefined };
  };
  const first = await lookOnce();
  if (first.findings.size > 0) await pause(options.pauseMs ?? 0);
  const second = first.findings.size > 0 ? await lookOnce() : first;
  const healed = open.filter(
    (difference) =>
      !second.findings.has(keyOf(difference)) &&
      (difference.comparison !== 'bank' || second.hasBanks),
  );
  const differences = await settleFindings(ctx, {
    projectId: null,
    findings: first.findings,
    settled: second.findings,
    healed,
  });
  return { compared: 1, skipped: second.skipped, differences };
}

async function* projectIds(db: Db): AsyncGenerator<string> {
  for (let after = nilUuid; ; ) {
    const { rows } = await db.query<{ id: string }>({
      name: 'reconciliation-projects',
      text: `select id from projects where id > $1 order by id limit ${projectsPerPage}`,
      values: [after],
    });
    for (const { id } of rows) yield id;
    if (rows.length < projectsPerPage) return;
    after = rows.at(-1)!.id;
  }
}

/**
 * The lease runs by the database's clock, which all workers share; when it is time again, by the
 * service's.
 */
async function claimTurn(
  { store: db, clock }: Pick<Ctx, 'store' | 'clock'>,
  { projectId, everyMs }: { readonly projectId: string; readonly everyMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'reconciliation-claim',
    text: `insert into reconciliation_turns as t (project_id, lease_until) values ($1, now() + ${leaseMs} * interval '1 millisecond')
      on conflict (project_id) do update set lease_until = excluded.lease_until
        where t.lease_until <= now() and (t.ended_at is null or t.ended_at <= $2)`,
    values: [projectId, new Date(clock.now().getTime() - everyMs)],
  });
  return rowCount === 1;
}

/** Has a project compared at the next look for turns, whenever its last one was. */
export async function askTurn(tx: Tx, projectId: string): Promise<void> {
  await tx.query({
    text: `insert into reconciliation_turns (project_id, lease_until) values ($1, now()) on conflict (project_id) do update set ended_at = null`,
    values: [projectId],
  });
}

/** When a project was compared last, how much of it, and what could not be. */
export async function readTurn(
  db: Db,
  projectId: string,
): Promise<{
  readonly endedAt?: Date;
  readonly compared?: number;
  readonly skipped: readonly string[];
}> {
  const { rows } = await db.query<{ ended_at: Date | null; compared: string; skipped: string[] }>({
    text: 'select ended_at, compared, skipped from reconciliation_turns where project_id = $1',
    values: [projectId],
  });
  const [row] = rows;
  return {
    skipped: row?.skipped ?? [],
    ...(row?.ended_at && { endedAt: row.ended_at, compared: Number(row.compared) }),
  };
}

async function endTurn(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  projectId: string,
  turn: Turn,
): Promise<void> {
  await ctx.store.query({
    name: 'reconciliation-end',
    text: 'update reconciliation_turns set lease_until = now(), ended_at = $2, compared = $3, skipped = $4 where project_id = $1',
    values: [projectId, ctx.clock.now(), turn.compared, JSON.stringify(turn.skipped)],
  });
}
