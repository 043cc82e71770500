import type { Ctx } from '../../../context.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
  readLimit,
} from '../../../lib/command.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { commandLineActor, performRule } from '../../operations/index.ts';
import { orderStates } from '../state/states.ts';
import { listOrderLines, readOrderTimeline } from './reads.ts';
import {
  acknowledge,
  holdRefuse,
  holdRelease,
  look,
  resolveClose,
  resolveContinue,
  resolveRefund,
} from './rules.ts';
import { orderOperatorUsage } from './usage.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Serves `purser orders list|show|hold|resolve`. @throws CommandError, ServiceError */
export async function orderOperatorCommand(
  ctx: Ctx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const { values, positionals } = parseCommand(argv, {
    texts: ['project', 'state', 'limit', 'note'],
    flags: ['waiting'],
  });
  const [verb, ...words] = positionals;
  if (values.help || verb === undefined) return print(orderOperatorUsage);
  const projectId = await projectOf(values.project);
  const note = values.note ?? '';
  const decide = async (rule: typeof acknowledge, orderId: string, reason = note) => {
    const decided = await performRule(ctx, rule, {
      actor: commandLineActor(),
      projectId,
      params: { orderId },
      reason,
    });
    print(values.json ? formatJson(decided) : `${String(decided.id)} is ${String(decided.state)}.`);
  };
  switch (verb) {
    case 'list': {
      const lines = await listOrderLines(ctx.store, {
        projectIds: [projectId],
        state: readState(values.state),
        waitingOnly: values.waiting === true,
        limit: readLimit(values.limit),
      });
      const rows = lines.map((line) => [
        line.id,
        line.kind,
        line.state,
        line.updatedAt.toISOString(),
        line.attention ?? '',
      ]);
      return print(
        values.json
          ? formatJson(lines)
          : formatTable(['ORDER', 'KIND', 'STATE', 'SINCE', 'ATTENTION'], rows),
      );
    }
    case 'show': {
      const shown = await readOrder(ctx, projectId, readId(words[0]));
      return print(values.json ? formatJson(shown) : describe(shown));
    }
    case 'hold': {
      const orderId = readId(words[1]);
      if (words[0] === 'release') return decide(holdRelease, orderId);
      if (words[0] === 'refuse') return decide(holdRefuse, orderId);
      throw new CommandError(
        'Write purser orders hold release <id>, or purser orders hold refuse <id>.',
      );
    }
    case 'resolve': {
      const orderId = readId(words[0]);
      if (words[1] === 'refund') return decide(resolveRefund, orderId);
      if (words[1] === 'continue') return decide(resolveContinue, orderId);
      if (words[1] === 'close') return decide(resolveClose, orderId);
      throw new CommandError('Say how: purser orders resolve <id> refund, continue or close.');
    }
    case 'acknowledge':
      return decide(acknowledge, readId(words[0]));
    case 'look':
      return decide(look, readId(words[0]), note === '' ? 'asked at the command line' : note);
    default:
      throw new CommandError(`There is no "purser orders ${verb}". See purser orders help.`);
  }
}

type Shown = Awaited<ReturnType<typeof readOrder>>;

async function readOrder(ctx: Ctx, projectId: string, id: string) {
  const shown = await readOrderTimeline(ctx, id);
  if (shown?.order.projectId !== projectId)
    throw new CommandError(`There is no order ${id} in this project.`);
  return shown;
}

function describe({ order, moves, deposits, refunds, payout, payoutWait, ledger }: Shown): string {
  const fields = [
    `order      ${order.id} (${order.kind})`,
    `state      ${order.state}${order.resumeState ? `, came from ${order.resumeState}` : ''}`,
    ...(order.attention === undefined ? [] : [`attention  ${order.attention}`]),
    ...(order.deadlineAt === undefined ? [] : [`until      ${order.deadlineAt.toISOString()}`]),
    ...(payout === undefined
      ? []
      : [
          [
            `payout     ${payout.id} ${payout.status} by ${payout.rail}`,
            payout.code && `(${payout.code})`,
            payoutWait,
          ]
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
      refunds.map((one) => [
        one.id,
        one.reason,
        one.status,
        formatAmount(one.amountMinor, one.decimals),
        one.recipient,
        one.error ?? '',
      ]),
    ),
    table(
      'OWED (smallest units)',
      ['ASSET', 'POSTED', 'PENDING'],
      ledger.map(({ asset, postedMinor, pendingMinor }) => [
        asset,
        (-postedMinor).toString(),
        (-pendingMinor).toString(),
      ]),
    ),
  ];
  return [fields.join('\n'), ...tables.filter((text) => text !== '')].join('\n\n');
}

function table(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return rows.length === 0 ? '' : `${title}\n${formatTable(heads, rows)}`;
}

function readId(text: string | undefined): string {
  if (text !== undefined && uuid.test(text)) return text;
  throw new CommandError('Name the order by its id.');
}

function readState(text: string | undefined): string | undefined {
  const states = new Set<string>(orderStates);
  if (text === undefined || states.has(text)) return text;
  throw new CommandError(
    `There is no state "${text}". States: ${[...states].toSorted().join(', ')}.`,
  );
}
