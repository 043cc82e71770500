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
import { type DepositRecord, findDeposit, listDeposits } from '../../deposits/index.ts';
import { commandLineActor, performRule } from '../../operations/index.ts';
import { isUuid } from '../api/access.ts';
import { selectHeldDeposits, selectOrderDeposit } from '../legs/deposit/store.ts';
import { selectFailedReturns, selectRefundsOfDeposit } from '../legs/refund/store.ts';
import { depositAssign, depositKeep, depositReturn } from './rules.ts';
import { depositsUsage } from './usage.ts';

const isId = (text: string | undefined): text is string => text !== undefined && isUuid(text);

/** Serves `purser deposits …`. @throws CommandError, ServiceError */
export async function depositsCommand(
  ctx: Ctx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const { values, positionals } = parseCommand(argv, {
    texts: ['project', 'limit', 'note'],
    flags: ['all'],
  });
  const [verb, id, orderId] = positionals;
  if (values.help || verb === undefined) return print(depositsUsage);
  const projectId = await projectOf(values.project);
  const input = { actor: commandLineActor(), projectId, reason: values.note ?? '' };
  switch (verb) {
    case 'list': {
      const lines = await readLines(ctx, {
        projectId,
        all: values.all === true,
        limit: readLimit(values.limit),
      });
      return print(values.json ? formatJson(lines) : formatTable(heads, lines.map(rowOf)));
    }
    case 'show': {
      const deposit = isId(id) ? await findDeposit(ctx.store, id) : undefined;
      if (!deposit || deposit.projectId !== projectId)
        throw new CommandError('There is no such deposit in this project.');
      const [use, refunds] = await Promise.all([
        selectOrderDeposit(ctx.store, deposit.id),
        selectRefundsOfDeposit(ctx.store, deposit.id),
      ]);
      return print(formatJson({ deposit, use, refunds }));
    }
    case 'assign': {
      if (!isId(id) || !isId(orderId))
        throw new CommandError(
          'Write purser deposits assign <deposit> <order> --note <why>, with the ids of both.',
        );
      const order = await performRule(ctx, depositAssign, {
        ...input,
        params: { depositId: id, orderId },
      });
      return print(`The deposit pays order ${String(order.id)}, which is ${String(order.state)}.`);
    }
    case 'return': {
      if (!isId(id))
        throw new CommandError(
          'Write purser deposits return <deposit> --note <why>, with the id of the deposit.',
        );
      const { refundId } = await performRule(ctx, depositReturn, {
        ...input,
        params: { depositId: id },
      });
      return print(`Refund ${String(refundId)} is on its way.`);
    }
    case 'keep': {
      if (!isId(id))
        throw new CommandError(
          'Write purser deposits keep <deposit> --note <why>, with the id of the deposit.',
        );
      await performRule(ctx, depositKeep, { ...input, params: { depositId: id } });
      return print('The deposit is yours: it is owed to nobody.');
    }
    default:
      throw new CommandError(`There is no "purser deposits ${verb}". See purser deposits --help.`);
  }
}

interface Line {
  readonly deposit: DepositRecord;
  readonly reason?: string;
  /** The order that it seems to be meant for. */
  readonly orderId?: string;
}

async function readLines(
  ctx: Ctx,
  input: { readonly projectId: string; readonly all: boolean; readonly limit: number },
): Promise<Line[]> {
  const { projectId, limit } = input;
  if (input.all)
    return (await listDeposits(ctx.store, { projectId, limit })).deposits.map((deposit) => ({
      deposit,
    }));
  const held = await selectHeldDeposits(ctx.store, { projectId, limit });
  const lines = await Promise.all(
    held.map(async ({ depositId, reason, orderId }) => {
      const deposit = await findDeposit(ctx.store, depositId);
      return (
        deposit && {
          deposit,
          ...(reason !== undefined && { reason }),
          ...(orderId !== undefined && { orderId }),
        }
      );
    }),
  );
  const failed = await selectFailedReturns(ctx.store, { projectId, limit });
  const returns = await Promise.all(
    failed.map(async ({ depositId }) => {
      const deposit = await findDeposit(ctx.store, depositId);
      return deposit && { deposit, reason: 'return-failed' };
    }),
  );
  return [...lines, ...returns].filter((line) => line !== undefined).slice(0, limit);
}

const heads = ['DEPOSIT', 'STATUS', 'AMOUNT', 'TOKEN', 'FROM', 'WHY', 'ORDER'];

function rowOf({ deposit, reason, orderId }: Line): string[] {
  const { id, status, amountMinor, token, sender } = deposit;
  return [
    id,
    status,
    formatAmount(amountMinor, token.decimals),
    token.locator,
    sender,
    reason ?? '',
    orderId ?? deposit.orderId ?? '',
  ];
}
