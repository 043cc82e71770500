import { z } from 'zod';
import type { JsonObject } from '../../lib/json/json.ts';
import type { Db } from '../../store/types.ts';
import type { Approvals } from '../approvals/index.ts';
import { selectTransactionLines, type TransactionRecord } from './store.ts';

/**
 * Transactions of a wallet for the project's operator: what they do, how far they are, and who has
 * approved.
 */
export async function listTransactionLines(
  db: Db,
  input: Parameters<typeof selectTransactionLines>[1],
) {
  return (await selectTransactionLines(db, input)).map(lineOf);
}

function lineOf(record: TransactionRecord) {
  const {
    id,
    chain,
    subject,
    status,
    onChain,
    sendParams,
    tokenLocator,
    approvals,
    error,
    createdAt,
    completedAt,
    validUntil,
  } = record;
  return {
    id,
    chain,
    subject,
    status,
    txId: text.parse(onChain.txId),
    explorerLink: text.parse(onChain.explorerLink),
    send: sendOf(sendParams),
    tokenLocator,
    approvals: { ...countApprovals(approvals), validUntil },
    error: text.parse(error?.message),
    createdAt,
    completedAt,
  };
}

const text = z.string().optional().catch(undefined);
const sentSchema = z.object({
  params: z.object({ amount: text, recipient: text, recipientAddress: text }),
});

/**
 * Of a transfer: how much, and to whom as it was asked; who has no wallet yet has no address. What
 * somebody wrote there is left out: the line stands.
 */
function sendOf(sendParams: JsonObject | undefined) {
  const params = sentSchema.safeParse(sendParams).data?.params;
  if (params === undefined) return undefined;
  const { amount, recipient, recipientAddress } = params;
  return { amount, recipient: recipient ?? recipientAddress };
}

/** A quorum counts as its members do. */
function countApprovals({ pending, submitted }: Approvals): {
  readonly given: number;
  readonly open: number;
} {
  const given = submitted.map((one) =>
    'quorumApprovals' in one ? one.quorumApprovals.submitted.length : 1,
  );
  const partly = pending.map((one) =>
    'quorumApprovals' in one ? one.quorumApprovals.submitted.length : 0,
  );
  const open = pending.map((one) => ('quorumApprovals' in one ? one.quorumApprovals.remaining : 1));
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  return { given: sum([...given, ...partly]), open: sum(open) };
}
