import { z } from 'zod';
import { storableText } from '../../../lib/json/storable-text.ts';
import type { OperationError } from '../../family.ts';

const u64 = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);

/** A transaction of a user as the node tells it, as far as it is read. */
export const executedSchema = z.object({
  hash: z.string(),
  success: z.boolean(),
  vm_status: z.string().transform((text) => storableText(text, 1_000)),
  gas_used: u64,
  gas_unit_price: u64,
  changes: z.array(
    z.object({ type: z.string(), address: z.string().optional(), data: z.unknown().optional() }),
  ),
  events: z.array(z.object({ type: z.string(), data: z.unknown() })),
});
export type Executed = z.infer<typeof executedSchema>;

/** `error` of an operation that the chain refuses (supplement, section 6). */
export function executionError(vmStatus: string): OperationError {
  const aborted = /^Move abort in ([\w:]+): (.*)$/.exec(vmStatus);
  const because = printable(vmStatus);
  const message = aborted
    ? `${aborted[1]} refuses the transaction: ${printable(aborted[2]!)}`
    : `The network refuses the transaction: ${because}.`;
  return { reason: 'program_error', message: message.slice(0, 500), logs: [because] };
}

/** Modules write what they like. */
const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 400);
