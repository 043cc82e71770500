import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import {
  chainName,
  contractCall,
  parseAt,
  type ReadParams,
  rawCall,
  readTransactionParams,
} from './transaction-params.ts';

/**
 * The `params` of a transaction of an evm mpc wallet (supplement, section 6): one call, without
 * value, and nothing else. A call without data may have a value: so transfers of native money are
 * answered, and what is answered can be sent again.
 */

const strictContractCall = contractCall.omit({ value: true }).strict();
const strictRawCall = rawCall
  .omit({ value: true })
  .extend({ data: rawCall.shape.data.removeDefault() })
  .strict();
const strictNativeCall = rawCall.extend({ data: z.literal('0x') }).strict();

export const evmMpcTransactionParamsSchema = z
  .strictObject({
    call: z
      .union([strictContractCall, strictRawCall, strictNativeCall])
      .meta({ description: 'The only call. It has data, or native money, not both.' }),
    chain: chainName,
  })
  .meta({ id: 'EvmMpcTransactionParams' });

/** One schema per form, so that a message speaks of the form that was meant. */
const outerSchema = z.strictObject({
  call: z.record(z.string(), z.unknown(), 'is required: the call to make'),
  chain: chainName,
});

/**
 * Reads the `params` of a create body, or those that the service made of a transfer.
 * @throws validation-error, transaction-invalid
 */
export function readMpcParams(
  input: JsonObject,
  network: { readonly name: string; readonly chainId: number },
): ReadParams {
  const { calls, params } = readTransactionParams(
    { call: readStrictCall(input), chain: network.name },
    network,
  );
  const [{ value, ...answered }] = params['calls'] as [JsonObject];
  return {
    calls,
    params: {
      call: value === '0' ? answered : { ...answered, value: value! },
      chain: network.name,
    },
  };
}

/**
 * The chain name of `params`, which decides what the rest is checked against.
 * @param hasDelegation whether accounts run code on a chain (EIP-7702)
 * @throws validation-error, chain-not-supported
 */
export function readMpcChain(input: JsonObject, hasDelegation: (chain: string) => boolean): string {
  refuseList(input, hasDelegation);
  return parseAt(outerSchema, input, 'params').chain;
}

function readStrictCall(input: JsonObject): JsonObject {
  const { call } = parseAt(outerSchema, input, 'params');
  return parseAt(formOf(call), call, 'params.call') as JsonObject;
}

function formOf(call: Readonly<Record<string, unknown>>): z.ZodType {
  if (!('to' in call)) return strictContractCall;
  return 'value' in call && call['data'] === '0x' ? strictNativeCall : strictRawCall;
}

function refuseList(input: JsonObject, hasDelegation: (chain: string) => boolean): void {
  if (!('calls' in input)) return;
  const { chain } = input;
  if (typeof chain === 'string' && !hasDelegation(chain))
    throw new ServiceError('validation-error', {
      message: `params.calls: an mpc wallet makes one call in a transaction on "${chain.slice(0, 64)}": accounts run no code there (EIP-7702), by which several calls would be one. Send each as "call", in a transaction of its own.`,
    });
  throw new ServiceError('validation-error', {
    message:
      'params.calls: an mpc wallet makes one call in a transaction. Send it as "call": {to, data} or {address, functionName, abi, args}.',
  });
}
