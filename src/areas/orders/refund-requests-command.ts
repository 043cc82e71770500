import type { Ctx } from '../../context.ts';
import { CommandError, formatTable, type Print, parseCommand } from '../../lib/command.ts';
import { decideRefundRequest, type RefundDecision } from './refund-requests.ts';
import { selectOpenRequests } from './requests-store.ts';

export const refundRequestsUsage = `purser orders refunds               refund requests that wait for you
purser orders refunds accept <order> --note "…"     you are going to send the money back
purser orders refunds reject <order> --note "…"
purser orders refunds complete <order> --note "…"   you have sent it back`;

const shownMax = 200;
const decisions: Readonly<Record<string, RefundDecision>> = { accept: 'accepted', reject: 'rejected', complete: 'completed' };

/** Serves `purser orders refunds …`. @throws CommandError, ServiceError */
export async function refundRequestsCommand(
  ctx: Ctx,
  {
    argv,
    print,
    projectOf,
  }: { readonly argv: readonly string[]; readonly print: Print; readonly projectOf: (named: string | undefined) => Promise<string> },
): Promise<void> {
  const {
    values,
    positionals: [verb, orderId],
  } = parseCommand(argv, { project: { type: 'string' }, note: { type: 'string' } });
  if (values.help) return print(refundRequestsUsage);
  const projectId = await projectOf(values.project);
  if (verb === undefined || verb === 'list') {
    const requests = await selectOpenRequests(ctx.store, { projectId, limit: shownMax });
    if (values.json) return print(JSON.stringify(requests, null, 2));
    if (requests.length === 0) return print('No refund request waits for you.');
    const rows = requests.map((request) => [request.orderId, request.status, request.createdAt.toISOString(), request.reason]);
    return print(formatTable(['ORDER', 'STATUS', 'SINCE', 'REASON'], rows));
  }
  const decision = decisions[verb];
  if (decision === undefined) throw new CommandError(`There is no "purser orders refunds ${verb}".\n\n${refundRequestsUsage}`);
  if (orderId === undefined) throw new CommandError(`Name the order: purser orders refunds ${verb} <order> --note "…".`);
  if (values.note === undefined || values.note.trim() === '')
    throw new CommandError('Say why: --note "…" is kept in the history of the order.');
  const request = await decideRefundRequest(ctx, { projectId, orderId, decision, note: values.note });
  print(values.json ? JSON.stringify(request, null, 2) : `The refund request of order ${request.orderId} is ${request.status}.`);
}
