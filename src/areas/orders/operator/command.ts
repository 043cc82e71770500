import type { Ctx } from '../../../context.ts';
import { readBalances } from '../../../ledger/index.ts';
import { formatAmount } from '../../../lib/amount.ts';
import { CommandError, formatTable, type Print, parseCommand } from '../../../lib/command.ts';
import type { Db } from '../../../store/types.ts';
import { selectDepositsOfOrder } from '../../deposits/index.ts';
import { clearingOf } from '../legs/ledger.ts';
import { explainWait, payoutOf } from '../legs/payout/fact.ts';
import { selectRefundsOfOrder } from '../legs/refund/store.ts';
import { type OrderState, orderStates } from '../state/states.ts';
import { selectMoves, selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';
import { acknowledgeAttention, refuseHold, releaseHold, resolveByClosing, resolveByContinuing, resolveByRefund } from './operator.ts';

export const orderOperatorUsage = `purser orders list [--waiting] [--state S] [--limit N]   --waiting: those that wait for you
purser orders show <id>             state, history, deposits, refunds, payout and ledger of an order
purser orders hold release <id> --note <why>    an order on hold goes on
purser orders hold refuse <id> --note <why>     what was paid goes back
purser orders resolve <id> refund|continue|close --note <why>   ends the waiting of an order that needs an operator
purser orders acknowledge <id> --note <why>     an order that goes on or has ended asks for no attention any more
Options: [--project <id>] [--json]`;

export interface OperatorCommandInput {
  /** The words behind `purser orders`. */
  readonly argv: readonly string[];
  readonly print: Print;
  /** The project that was named, or the only one. */
  readonly projectOf: (named: string | undefined) => Promise<string>;
}

const limitDefault = 50;
const limitMax = 500;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const jsonValue = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

/** Serves `purser orders list|show|hold|resolve`. @throws CommandError, ServiceError */
export async function orderOperatorCommand(ctx: Ctx, { argv, print, projectOf }: OperatorCommandInput): Promise<void> {
  const { values, positionals } = parseCommand(argv, {
    project: { type: 'string' },
    state: { type: 'string' },
    waiting: { type: 'boolean' },
    limit: { type: 'string' },
    note: { type: 'string' },
  });
  const [verb, ...words] = positionals;
  if (values.help || verb === undefined) return print(orderOperatorUsage);
  const projectId = await projectOf(values.project);
  const note = values.note ?? '';
  const moved = (order: OrderRecord) =>
    print(values.json ? JSON.stringify({ id: order.id, state: order.state }) : `${order.id} is ${order.state}.`);
  switch (verb) {
    case 'list': {
      const lines = await selectOrderLines(ctx.store, {
        projectId,
        state: readState(values.state),
        waitingOnly: values.waiting === true,
        limit: readLimit(values.limit),
      });
      const rows = lines.map((line) => [line.id, line.kind, line.state, line.updatedAt.toISOString(), line.attention ?? '']);
      return print(values.json ? JSON.stringify(lines, null, 2) : formatTable(['ORDER', 'KIND', 'STATE', 'SINCE', 'ATTENTION'], rows));
    }
    case 'show': {
      const shown = await readOrder(ctx, projectId, readId(words[0]));
      return print(values.json ? JSON.stringify(shown, jsonValue, 2) : describe(shown));
    }
    case 'hold': {
      const input = { projectId, orderId: readId(words[1]), note };
      if (words[0] === 'release') return moved(await releaseHold(ctx, input));
      if (words[0] === 'refuse') return moved(await refuseHold(ctx, input));
      throw new CommandError('Write purser orders hold release <id>, or purser orders hold refuse <id>.');
    }
    case 'resolve': {
      const input = { projectId, orderId: readId(words[0]), note };
      if (words[1] === 'refund') return moved(await resolveByRefund(ctx, input));
      if (words[1] === 'continue') return moved(await resolveByContinuing(ctx, input));
      if (words[1] === 'close') return moved(await resolveByClosing(ctx, input));
      throw new CommandError('Say how: purser orders resolve <id> refund, continue or close.');
    }
    case 'acknowledge':
      return moved(await acknowledgeAttention(ctx, { projectId, orderId: readId(words[0]), note }));
    default:
      throw new CommandError(`There is no "purser orders ${verb}". See purser orders help.`);
  }
}

type Shown = Awaited<ReturnType<typeof readOrder>>;

async function readOrder(ctx: Ctx, projectId: string, id: string) {
  const order = await selectOrder(ctx.store, { by: 'id', id });
  if (!order || order.projectId !== projectId) throw new CommandError(`There is no order ${id} in this project.`);
  const [moves, deposits, refunds, ledger] = await Promise.all([
    selectMoves(ctx.store, id),
    selectDepositsOfOrder(ctx.store, id),
    selectRefundsOfOrder(ctx.store, id),
    readBalances(ctx.store, { projectId, account: clearingOf(order), limit: 100 }),
  ]);
  const { clientSecretHash: _, ...shown } = order;
  return { order: shown, moves, deposits, refunds, payout: payoutOf(order), ledger };
}

function describe({ order, moves, deposits, refunds, payout, ledger }: Shown): string {
  const fields = [
    `order      ${order.id} (${order.kind})`,
    `state      ${order.state}${order.resumeState ? `, came from ${order.resumeState}` : ''}`,
    ...(order.attention === undefined ? [] : [`attention  ${order.attention}`]),
    ...(order.deadlineAt === undefined ? [] : [`until      ${order.deadlineAt.toISOString()}`]),
    ...(payout === undefined
      ? []
      : [
          [`payout     ${payout.id} ${payout.status} by ${payout.rail}`, payout.code && `(${payout.code})`, explainWait(payout)]
            .filter(Boolean)
            .join(' '),
        ]),
  ];
  const tables = [
    table(
      'HISTORY',
      ['AT', 'EVENT', 'STATE', 'NOTE'],
      moves.map((move) => [move.at.toISOString(), move.event, move.to, move.note ?? '']),
    ),
    table(
      'DEPOSITS',
      ['ID', 'STATUS', 'AMOUNT', 'TOKEN', 'FROM', 'TRANSACTION'],
      deposits.map((one) => [
        one.id,
        one.status,
        formatAmount(one.amountMinor, one.token.decimals),
        one.token.locator,
        one.sender,
        one.txId,
      ]),
    ),
    table(
      'REFUNDS',
      ['ID', 'REASON', 'STATUS', 'AMOUNT', 'TO', 'ERROR'],
      refunds.map((one) => [one.id, one.reason, one.status, formatAmount(one.amountMinor, one.decimals), one.recipient, one.error ?? '']),
    ),
    table(
      'OWED (smallest units)',
      ['ASSET', 'POSTED', 'PENDING'],
      ledger.map(({ asset, postedMinor, pendingMinor }) => [asset, (-postedMinor).toString(), (-pendingMinor).toString()]),
    ),
  ];
  return [fields.join('\n'), ...tables.filter((text) => text !== '')].join('\n\n');
}

function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${title}\n${formatTable(heads, rows)}`;
}

function readId(text: string | undefined): string {
  if (text !== undefined && uuid.test(text)) return text;
  throw new CommandError('Name the order by its id.');
}

function readState(text: string | undefined): string | undefined {
  const states = new Set<string>(orderStates);
  if (text === undefined || states.has(text)) return text;
  throw new CommandError(`There is no state "${text}". States: ${[...states].toSorted().join(', ')}.`);
}

export function readLimit(text: string | undefined): number {
  const limit = text === undefined ? limitDefault : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= limitMax) return limit;
  throw new CommandError(`--limit is a whole number from 1 to ${limitMax}.`);
}

export interface OrderLine {
  readonly id: string;
  readonly kind: string;
  readonly state: OrderState;
  readonly attention: string | null;
  readonly updatedAt: Date;
  readonly deadlineAt: Date | null;
}

/**
 * Orders of a project for its operator, newest first: those in one state, those that wait for the operator or say that they need
 * attention, whatever their state, or all.
 */
export async function selectOrderLines(
  db: Db,
  input: { readonly projectId: string; readonly state?: string | undefined; readonly waitingOnly: boolean; readonly limit: number },
): Promise<OrderLine[]> {
  const { rows } = await db.query<OrderLine>({
    text: `select id, kind, state, attention, updated_at as "updatedAt", deadline_at as "deadlineAt" from orders
      where project_id = $1 and ($2::text is null or state = $2)
        ${input.waitingOnly ? "and (state in ('on_hold', 'needs_operator') or attention is not null)" : ''}
      order by created_at desc, id desc limit $3`,
    values: [input.projectId, input.state ?? null, input.limit],
  });
  return rows;
}
