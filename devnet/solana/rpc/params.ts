import { z } from 'zod';
import { fromBase58 } from '../base.ts';
import type { Chain, Commitment } from '../chain.ts';
import { codes, invalidParams, RpcError } from './errors.ts';

const keyBytes = 32;
const signatureBytes = 64;

export const commitmentSchema = z.enum(['processed', 'confirmed', 'finalized']);
export const contextSchema = z.object({
  commitment: commitmentSchema.nullish(),
  minContextSlot: z.number().int().nonnegative().nullish(),
});
export const countSchema = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** Reads parameter `index`. @throws RpcError that names it */
export function readParam<Output>(
  params: readonly unknown[],
  index: number,
  schema: z.ZodType<Output>,
): Output {
  const read = schema.safeParse(params[index]);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw invalidParams(
    `parameter ${[index + 1, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not understood'}`,
  );
}

/** An object that may be left out. */
export function readConfig<Shape extends z.ZodRawShape>(
  params: readonly unknown[],
  index: number,
  schema: z.ZodObject<Shape>,
) {
  return readParam(params, index, schema.nullish()) ?? readParam([{}], 0, schema);
}

function bytesSchema(length: number, title: string) {
  return z
    .string({ error: `${title} in base58 is needed` })
    .refine((text) => isBase58Of(text, length), `${title} in base58 is needed`);
}

export const addressSchema = bytesSchema(keyBytes, 'an address (32 bytes)');
export const signatureSchema = bytesSchema(signatureBytes, 'a signature (64 bytes)');

function isBase58Of(text: string, bytes: number): boolean {
  // Base58 of 64 bytes has at most 88 characters: longer texts need not be read.
  if (text.length > 88) return false;
  try {
    return fromBase58(text).length === bytes;
  } catch {
    return false;
  }
}

export interface View {
  readonly slot: number;
  readonly commitment: Commitment;
}

/**
 * What a call sees; without a commitment that is what is final.
 * @throws RpcError when the call wants a newer slot
 */
export function viewOf(chain: Chain, config: z.infer<typeof contextSchema>): View {
  const commitment = config.commitment ?? 'finalized';
  const slot = chain.slotFor(commitment);
  if (config.minContextSlot != null && slot < config.minContextSlot)
    throw new RpcError(codes.minContextSlot, 'Minimum context slot has not been reached', {
      contextSlot: slot,
    });
  return { slot, commitment };
}

/** For the methods that read blocks: what is only processed may still go. */
export function blockViewOf(chain: Chain, config: z.infer<typeof contextSchema>): View {
  if (config.commitment === 'processed')
    throw new RpcError(codes.invalidParams, 'Method does not support commitment below `confirmed`');
  return viewOf(chain, config);
}

export interface Contextual<Value> {
  readonly context: { readonly slot: number; readonly apiVersion: string };
  readonly value: Value;
}

export const apiVersion = '4.0.0';

export function inContext<Value>(
  { slot }: { readonly slot: number },
  value: Value,
): Contextual<Value> {
  return { context: { slot, apiVersion }, value };
}
