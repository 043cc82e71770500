import { z } from 'zod';
import type { Hex } from './types.ts';

/** What the relay reads from a node, checked. */

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text.toLowerCase() as Hex);
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/)
  .transform((text) => BigInt(text));

export const quantitySchema = quantity;
export const hexSchema = hex;

export const headSchema = z.object({
  number: quantity,
  hash: hex,
  timestamp: quantity,
  gasLimit: quantity,
  baseFeePerGas: quantity.nullish(),
});
export type Head = z.infer<typeof headSchema>;

export const logSchema = z.object({
  address: hex,
  topics: z.array(hex),
  data: hex,
  transactionHash: hex.nullish(),
  blockNumber: quantity.nullish(),
});
export type Log = z.infer<typeof logSchema>;

export const receiptSchema = z.object({
  transactionHash: hex,
  blockHash: hex,
  blockNumber: quantity,
  status: quantity.nullish(),
  gasUsed: quantity,
  effectiveGasPrice: quantity.nullish(),
  /** OP-stack chains: what the transaction's data cost on the chain below, on top of gas. */
  l1Fee: quantity.nullish(),
  /** Read one by one with `logSchema`: of a batch's hundreds, every third is ours. */
  logs: z.array(z.unknown()),
});
export type Receipt = z.infer<typeof receiptSchema>;

export const feeHistorySchema = z.object({
  baseFeePerGas: z.array(quantity).nullish(),
  reward: z.array(z.array(quantity)).nullish(),
});
