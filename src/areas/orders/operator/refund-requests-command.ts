import type { Ctx } from '../../../context.ts';
import {
  CommandError,
  type CommandInput,
  formatJson,
  formatTable,
  parseCommand,
} from '../../../lib/command.ts';
import { commandLineActor, performRule } from '../../operations/index.ts';
import { isSentByHand } from '../legs/refund/requests.ts';
import { type RefundRequest, selectOpenRequests } from '../legs/refund/requests-store.ts';
import { selectOrder } from '../state/store.ts';
import { refundRequestRules } from './rules.ts';
import { refundRequestsUsage } from './usage.ts';

const shownMax = 200;
const rules: Readonly<Record<string, (typeof refundRequestRules)['accept']>> = refundRequestRules;

/** Serves `purser orders refunds …`. @throws CommandError, ServiceError */
export async function refundRequestsCommand(
  ctx: Ctx,
  { argv, print, projectOf }: CommandInput,
): Promise<void> {
  const {
    values,
    positionals: [verb, orderId],
  } = parseCommand(argv, { texts: ['project', 'note', 'item'] });
  if (values.help) return print(refundRequestsUsage);
  const projectId = await projectOf(values.project);
  if (verb === undefined || verb === 'list') {
    const requests = await selectOpenRequests(ctx.store, { projectId, limit: shownMax });
    if (values.json) return print(formatJson(requests));
    if (requests.length === 0) return print('No refund request is open.');
    const rows = await Promise.all(
      requests.map(async (request) => [
        request.orderId,
        String(request.lineItem),
        request.status,
        request.createdAt.toISOString(),
        await whatNext(ctx, request),
        request.reason,
      ]),
    );
    return print(formatTable(['ORDER', 'ITEM', 'STATUS', 'SINCE', 'WAITS FOR', 'REASON'], rows));
  }
  const rule = rules[verb];
  if (rule === undefined)
    throw new CommandError(
      `There is no "purser orders refunds ${verb}".\n\n${refundRequestsUsage}`,
    );
  if (orderId === undefined)
    throw new CommandError(`Name the order: purser orders refunds ${verb} <order> --note "…".`);
  if (values.note === undefined || values.note.trim() === '')
    throw new CommandError('Say why: --note "…" is kept in the history of the order.');
  if (values.item !== undefined && !/^\d{1,2}$/.test(values.item))
    throw new CommandError('--item is the index of a line item, from 0.');
  const lineItem = values.item === undefined ? undefined : Number(values.item);
  const params = { orderId, ...(lineItem !== undefined && { lineItem }) };
  const request = await performRule(ctx, rule, {
    actor: commandLineActor(),
    projectId,
    params,
    reason: values.note,
  });
  print(
    values.json
      ? formatJson(request)
      : `The refund request of order ${String(request.orderId)} (line item ${String(request.lineItem)}) is ${String(request.status)}.`,
  );
}

async function whatNext(ctx: Ctx, request: RefundRequest): Promise<string> {
  if (request.status === 'initiated') return 'your decision';
  const order = await selectOrder(ctx.store, { by: 'id', id: request.orderId });
  return order && isSentByHand(order) ? 'you to send it' : 'its way back, by itself';
}
