import { findFlow } from '../../jobs/index.ts';
import {
  CommandError,
  formatJson,
  formatTable,
  type Print,
  parseCommand,
  readDuration,
} from '../../lib/command.ts';
import { payoutStatuses } from '../../providers/vault/payout-wire.ts';
import { compareBooks } from '../payouts/books.ts';
import { payoutView } from '../payouts/disburse.ts';
import { cancelPayout, markPayout, retryPayout } from '../payouts/operator.ts';
import { findFlowId, findPayout, listPayouts } from '../payouts/store.ts';
import type { PayoutCtx } from '../payouts/types.ts';
import { holdOptions, holdsCommand, requireId } from './payout-holds.ts';
import { limitOptions, limitsCommand } from './payout-limits.ts';

export const payoutsUsage = `purser payouts list                 payouts, the newest first
    [--status <status>] [--project <id>] [--object order:<id>] [--limit 50]
purser payouts show <id>            one payout, and what was done for it
purser payouts retry <id>           let one that needs an operator go on: it is looked up, or sent if it never was
purser payouts mark <id> settled|rejected|returned --yes
    [--code R03] [--reference <id>] what the bank said by other means
purser payouts cancel <id> --yes    end one that was not handed in yet
purser payouts compare [--since 7d] compare with the banks' own books; names every difference
purser payouts limits               what the vault pays at most, in the smallest unit of each currency; a day is the last 24 hours
    [--set usd --as <person> --per-payout 1000000 --project-day 10000000 --destination-day 2500000 --second-person 1000000]
    [--new-destination-wait 24 --as <person>] hours that a destination waits after it was saved
purser payouts held [--limit 50]    payouts that wait for a second person or for their destination’s time
purser payouts approve <id>         a second person’s yes: --as says who puts it forward, the token whose yes it is
    --as <person> --token-file <file>
purser payouts refuse <id>          end one that is held, for a reason
    --as <person> --reason <text>
purser payouts approver add <name>  somebody who may approve; the token is shown once. Again: a new token
    --as <person>
purser payouts approver list
purser payouts approver remove <name> --as <person>
purser payouts stop --reason <text> hand nothing more to any bank; what was not handed in waits
purser payouts start                go on
They work on the vault's own database (VAULT_DATABASE_URL): run them where the vault runs.
Options: [--json]`;

const limitDefault = 50;
const sinceDefault = '7d';

export interface PayoutsCommandInput {
  readonly argv: readonly string[];
  readonly print: Print;
}

/**
 * Serves `purser payouts …`.
 * @param openCtx opens the vault; only what needs it does
 * @returns the exit code: 1 when books differ
 * @throws CommandError, ServiceError with a sentence for whoever typed it
 */
export async function payoutsCommand(
  openCtx: () => Promise<PayoutCtx>,
  input: PayoutsCommandInput,
): Promise<number> {
  const { values, positionals } = parseCommand(input.argv, {
    texts: [
      ...(['status', 'project', 'object', 'limit', 'code', 'reference', 'since'] as const),
      ...limitOptions,
      ...holdOptions,
    ],
    flags: ['yes'],
  });
  const [verb, id, as] = positionals;
  const print: Show = (value, text) => input.print(values.json ? formatJson(value) : text);
  if (values.help || verb === undefined) {
    input.print(payoutsUsage);
    return 0;
  }
  switch (verb) {
    case 'list':
      return showList(await openCtx(), { ...values, print });
    case 'show':
      return showOne(await openCtx(), requireId(id, verb), print);
    case 'retry': {
      const payout = await retryPayout(await openCtx(), {
        payoutId: requireId(id, verb),
        actor: 'operator',
      });
      print(payout, `It goes on, from ${payout.status}.`);
      return 0;
    }
    case 'mark':
      return mark(openCtx, { id: requireId(id, verb), as, values, print });
    case 'cancel': {
      const payoutId = requireId(id, verb);
      if (!values.yes)
        throw new CommandError(
          `What the payout is for will be told that it is not paid: purser payouts cancel ${payoutId} --yes.`,
        );
      print(
        await cancelPayout(await openCtx(), { payoutId, actor: 'operator' }),
        'Cancelled. It was never sent.',
      );
      return 0;
    }
    case 'compare':
      return compare(await openCtx(), {
        sinceMs: readDuration(values.since ?? sinceDefault),
        print,
      });
    case 'held':
    case 'approve':
    case 'refuse':
    case 'approver':
      return holdsCommand(openCtx, { positionals, values, print });
    case 'limits':
    case 'stop':
    case 'start':
      return limitsCommand(openCtx, { verb, values, print });
    default:
      throw new CommandError(
        `Unknown command "payouts ${positionals.join(' ')}".\n\n${payoutsUsage}`,
      );
  }
}

type Show = (value: unknown, text: string) => void;

async function showList(
  ctx: PayoutCtx,
  filter: { status?: string; project?: string; object?: string; limit?: string; print: Show },
): Promise<number> {
  const status = payoutStatuses.find((one) => one === filter.status);
  if (filter.status !== undefined && status === undefined)
    throw new CommandError(`--status is one of ${payoutStatuses.join(', ')}.`);
  const limit = Number(filter.limit ?? limitDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw new CommandError('--limit is a whole number from 1 to 500.');
  const payouts = (
    await listPayouts(ctx.store, {
      status,
      projectId: filter.project,
      object: filter.object,
      limit,
    })
  ).map(payoutView);
  filter.print(
    payouts,
    payouts.length === 0
      ? 'No payouts.'
      : formatTable(
          ['PAYOUT', 'STATUS', 'FOR', 'RAIL', 'SMALLEST UNITS', 'BANK', 'WHY', 'CREATED'],
          payouts.map((payout) => [
            payout.payoutId,
            payout.held === undefined ? payout.status : 'held',
            payout.object,
            payout.rail,
            `${payout.amountMinor} ${payout.currency}`,
            `${payout.provider} ${payout.bankReference ?? ''}`,
            payout.attention ?? payout.code ?? '',
            payout.createdAt,
          ]),
        ),
  );
  return 0;
}

async function showOne(ctx: PayoutCtx, id: string, print: Show): Promise<number> {
  const payout = await findPayout(ctx.store, id);
  if (payout === undefined) throw new CommandError(`There is no payout ${id}.`);
  const flowId = await findFlowId(ctx.store, id);
  const flow = flowId === undefined ? undefined : await findFlow(ctx.store, flowId);
  const view = { ...payoutView(payout), calls: payout.calls, bankKey: payout.bankKey };
  const work = flow?.history.map(({ at, step, outcome }) => ({ at, step, outcome })) ?? [];
  const lines = Object.entries(view).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, typeof value === 'object' ? formatJson(value, 0) : String(value)]],
  );
  const next =
    flow?.status === 'active'
      ? `Goes on at ${flow.runAt.toISOString()}, with ${flow.step}.`
      : 'Nothing is planned for it.';
  print(
    { ...view, work, nextAt: flow?.status === 'active' ? flow.runAt.toISOString() : undefined },
    [
      formatTable(['', ''], lines),
      '',
      formatTable(
        ['DONE AT', 'STEP', 'CAME TO'],
        work.map(({ at, step, outcome }) => [at, step, outcome]),
      ),
      next,
    ].join('\n'),
  );
  return 0;
}

async function mark(
  openCtx: () => Promise<PayoutCtx>,
  input: {
    id: string;
    as: string | undefined;
    values: { code?: string; reference?: string; yes?: boolean };
    print: Show;
  },
): Promise<number> {
  const { id, values, print } = input;
  const as = (['settled', 'rejected', 'returned'] as const).find((one) => one === input.as);
  if (as === undefined)
    throw new CommandError('Say what the bank said: settled, rejected or returned.');
  if (!values.yes)
    throw new CommandError(
      `Ask the bank first: what is marked rejected or returned will be refunded, and a bank that has it pays all the same. If you are sure: purser payouts mark ${id} ${as} --yes.`,
    );
  if (
    values.code !== undefined &&
    (!/^[A-Za-z][\w.-]{0,63}$/.test(values.code) || /\d{5}/.test(values.code))
  )
    throw new CommandError('--code is the bank’s code, as in R03.');
  if (values.reference !== undefined && !/^[\w-]{1,100}$/.test(values.reference))
    throw new CommandError('--reference is the bank’s id.');
  const ctx = await openCtx();
  const payout = await markPayout(ctx, {
    payoutId: id,
    as,
    code: values.code,
    bankReference: values.reference,
    actor: 'operator',
  });
  print(payout, `It is ${payout.status}.`);
  return 0;
}

async function compare(
  ctx: PayoutCtx,
  { sinceMs, print }: { readonly sinceMs: number; readonly print: Show },
): Promise<number> {
  const until = ctx.clock.now();
  const result = await compareBooks(ctx, { from: new Date(until.getTime() - sinceMs), until });
  const { compared, differences } = result;
  print(
    result,
    differences.length === 0
      ? `${compared} payouts compared: the books agree.`
      : formatTable(
          ['DIFFERENCE', 'BANK', 'PAYOUT', 'BANK’S ID', 'HERE', 'THERE'],
          differences.map((one) => [
            one.kind,
            one.provider,
            one.payoutId ?? '',
            one.bankReference ?? '',
            one.here ?? '',
            one.there ?? '',
          ]),
        ),
  );
  return differences.length === 0 ? 0 : 1;
}
