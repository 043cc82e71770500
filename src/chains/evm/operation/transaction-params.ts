import { parseTransaction } from 'viem';
import { z } from 'zod';
import type { OperationCall } from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Json, JsonObject } from '../../../lib/json/json.ts';
import { encodeContractCall } from '../abi/contract-call.ts';
import { checkEvmAddress, type Hex } from '../abi/words.ts';

/**
 * The `params` of a transaction of an evm smart wallet (supplement, section 6): validator and
 * documentation.
 */

const callsMax = 100;
const abiEntriesMax = 1_500;
const argumentsMax = 64;
const functionNameLengthMax = 500;
/**
 * Calldata of one operation. Nodes refuse transactions above 128 KiB, and the batch around it needs
 * room too.
 */
const calldataBytesMax = 96 * 1_024;
const calldataLengthMax = 2 + 2 * calldataBytesMax;
const valueLimit = 1n << 256n;

const address = z
  .string()
  .superRefine((text, issues) => {
    const problem = checkEvmAddress(text);
    if (problem) issues.addIssue({ code: 'custom', message: problem });
  })
  .meta({ pattern: '^0x[a-fA-F0-9]{40}$', example: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' });
const value = z
  .union([
    z.string().regex(/^\d{1,78}$/, 'must be wei as decimal text, e.g. "1000000000000000000"'),
    z.int('must be decimal text: as a number it is not exact').nonnegative(),
  ])
  .transform(String)
  .refine((text) => BigInt(text) < valueLimit, 'must be below 2^256')
  .meta({ description: 'Wei, as decimal text.' });
const bytes = z
  .string()
  .max(calldataLengthMax, `must not have more than ${calldataBytesMax} bytes`)
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x and an even number of hex characters');
const abiEntry = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Entry of a contract ABI.' });

export const contractCall = z.object({
  address,
  functionName: z.string().min(1).max(functionNameLengthMax).meta({
    description: 'Name, or with overloads the full signature, e.g. `transfer(address,uint256)`.',
  }),
  abi: z.array(abiEntry).min(1).max(abiEntriesMax).meta({
    description:
      'At least the entry of the function; with the entries of errors, a revert is reported by name.',
  }),
  args: z
    .array(z.unknown())
    .max(argumentsMax)
    .default([])
    .meta({ description: 'Integers as decimal text, bytes as hex, tuples as objects or arrays.' }),
  value: value.default('0'),
});
export const rawCall = z.object({
  to: address,
  value: value.default('0'),
  data: bytes.default('0x'),
});
const serializedCall = z.object({
  transaction: bytes.min(4).meta({
    description:
      'Serialised EVM transaction, with or without signature; target, value and data are taken from it.',
  }),
});

export const chainName = z
  .string('is required: a chain name, e.g. "base-sepolia"')
  .min(1)
  .max(64)
  .meta({ example: 'base-sepolia' });

const evmCall = z.union([contractCall, rawCall, serializedCall]);

export const evmTransactionParamsSchema = z
  .object({
    calls: z
      .array(evmCall)
      .min(1)
      .max(callsMax)
      .optional()
      .meta({ description: 'Run in order, all or none.' }),
    call: evmCall.optional().meta({ description: 'In place of `calls`: the only call.' }),
    chain: chainName,
    signer: z
      .string()
      .optional()
      .meta({ description: 'Locator of the acting signer; the admin signer when absent.' }),
  })
  .meta({ id: 'EvmTransactionParams' });

/** One schema per form, so that a message speaks of the form that was meant. */
const outerSchema = z.object({
  calls: z
    .array(z.unknown(), 'is required: the calls to make, or one as "call"')
    .min(1, 'must have at least one call')
    .max(callsMax, `must not have more than ${callsMax} calls`)
    .optional(),
  call: z.unknown().optional(),
  chain: chainName,
});

/** A call, ready to be run, and what its errors can be decoded with. */
export interface ReadCall extends OperationCall {
  readonly abi?: readonly unknown[];
  /** Where it stands in the request; absent: in the list. */
  readonly place?: string;
}

/** Where a call stands in the request, for messages. */
export function placeOf(calls: readonly ReadCall[], index: number): string {
  return calls[index]?.place ?? `params.calls[${index}]`;
}

export interface ReadParams {
  readonly calls: readonly ReadCall[];
  /**
   * As answered: defaults filled in, unknown fields gone, one call as a list of one, `chain` the
   * network that it stands for.
   */
  readonly params: JsonObject;
}

/**
 * The chain name of `params`, which decides what the rest is checked against.
 * @throws validation-error
 */
export function readChain(input: JsonObject): string {
  return readOuter(input).chain;
}

const singlePlace = 'params.call';

/** The calls, each with its place: a list, or the only one as `call`. @throws validation-error */
function readOuter(input: JsonObject): {
  readonly calls: readonly (readonly [call: unknown, place: string])[];
  readonly chain: string;
} {
  const { calls, call, chain } = parseAt(outerSchema, input, 'params');
  if (calls !== undefined && call !== undefined)
    throw new ServiceError('validation-error', {
      message: 'params: has both "call" and "calls". Send "calls", or the only call as "call".',
    });
  if (call !== undefined) return { calls: [[call, singlePlace]], chain };
  if (calls === undefined)
    throw new ServiceError('validation-error', {
      message: 'params.calls: is required: the calls to make, or one as "call".',
    });
  return { calls: calls.map((one, index) => [one, `params.calls[${index}]`] as const), chain };
}

/**
 * Reads the `params` of a create body.
 * @param network the network that `chain` stands for, and the chain id its node answered
 * @throws validation-error, transaction-invalid
 */
export function readTransactionParams(
  input: JsonObject,
  network: { readonly name: string; readonly chainId: number },
): ReadParams {
  const outer = readOuter(input);
  const answered: Json[] = [];
  let calldataLength = 0;
  const calls = outer.calls.map(([call, place]) => {
    const read = readCall(call, place, network.chainId);
    answered.push(read.answered);
    calldataLength += read.call.data.length - 2;
    return place === singlePlace ? { ...read.call, place } : read.call;
  });
  if (calldataLength > 2 * calldataBytesMax)
    throw new ServiceError('transaction-invalid', {
      message: `params.calls: together they have more than ${calldataBytesMax} bytes of calldata. Split them over several transactions.`,
    });
  return { calls, params: { calls: answered, chain: network.name } };
}

function readCall(
  input: unknown,
  place: string,
  chainId: number,
): { call: ReadCall; answered: Json } {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new ServiceError('validation-error', {
      message: `${place}: must be an object. Send {address, functionName, abi, args, value?}, {to, value, data} or {transaction}.`,
    });
  if ('transaction' in input) {
    const answered = parseAt(serializedCall, input, place);
    return { call: readSerialized(answered.transaction as Hex, place, chainId), answered };
  }
  if ('functionName' in input || 'address' in input || 'abi' in input) {
    const answered = parseAt(contractCall, input, place);
    const data = encodeContractCall({
      functionName: answered.functionName,
      abi: answered.abi,
      args: answered.args,
      place,
    });
    return {
      call: {
        to: answered.address.toLowerCase() as Hex,
        value: BigInt(answered.value),
        data,
        abi: answered.abi,
      },
      answered: answered as unknown as Json,
    };
  }
  if (!('to' in input))
    throw new ServiceError('validation-error', {
      message: `${place}: is none of the forms {address, functionName, abi, args, value?}, {to, value, data} and {transaction}.`,
    });
  const answered = parseAt(rawCall, input, place);
  return {
    call: {
      to: answered.to.toLowerCase() as Hex,
      value: BigInt(answered.value),
      data: answered.data.toLowerCase() as Hex,
    },
    answered,
  };
}

function readSerialized(serialized: Hex, place: string, chainId: number): ReadCall {
  const refuse = (reason: string) =>
    new ServiceError('transaction-invalid', { message: `${place}.transaction: ${reason}` });
  let transaction: ReturnType<typeof parseTransaction>;
  try {
    transaction = parseTransaction(serialized);
  } catch (cause) {
    throw new ServiceError('transaction-invalid', {
      message: `${place}.transaction: is not a serialised EVM transaction.`,
      cause,
    });
  }
  if (transaction.type === 'eip4844' || transaction.type === 'eip7702')
    throw refuse(
      `a wallet cannot send a transaction of type ${transaction.type}: its blobs or authorisations would be lost.`,
    );
  if (transaction.to === undefined || transaction.to === null)
    throw refuse(
      'creates a contract, which a wallet cannot do directly: call a factory contract instead.',
    );
  // Legacy transactions may name no chain.
  if (
    transaction.chainId !== undefined &&
    transaction.chainId !== 0 &&
    transaction.chainId !== chainId
  )
    throw refuse(`is for chain id ${transaction.chainId}, but the chain of params has ${chainId}.`);
  return {
    to: transaction.to.toLowerCase() as Hex,
    value: transaction.value ?? 0n,
    data: transaction.data ?? '0x',
  };
}

/** @throws validation-error that names the place */
export function parseAt<S extends z.ZodType>(
  schema: S,
  input: unknown,
  place: string,
): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const path = issue.path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
  throw new ServiceError('validation-error', { message: `${place}${path}: ${reasonOf(issue)}.` });
}

/** Of a union the message of the form that came closest. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message.replace(/\.$/, '');
  const closest = issue.errors.flat().find((inner) => inner.code !== 'invalid_type');
  return (closest?.message ?? 'has the wrong type').replace(/\.$/, '');
}
