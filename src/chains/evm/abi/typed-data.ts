import { hashTypedData } from 'viem';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import { readAbiParam, readAbiValue } from './abi-values.ts';
import { checkEvmAddress, type Hex } from './words.ts';

/**
 * Typed data (EIP-712) as callers send it in JSON: checked against its own types, big integers as
 * decimal text, hashed.
 */

const typesMax = 100;
const fieldsMax = 100;
const depthMax = 32;
const elementsMax = 10_000;
const name = z.string().regex(/^(?!__proto__$)[A-Za-z_$][\w$]{0,127}$/, 'must be a name');

const chainIdText = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,15}$/, 'must be a number')])
  .transform(Number);
const domainSchema = z.object({
  name: z.string().max(1_000).optional(),
  version: z.string().max(1_000).optional(),
  chainId: chainIdText.optional(),
  verifyingContract: z
    .string()
    .superRefine((text, issues) => {
      const problem = checkEvmAddress(text);
      if (problem) issues.addIssue({ code: 'custom', message: problem });
    })
    .transform((text) => text.toLowerCase() as Hex)
    .optional(),
  salt: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex characters')
    .transform((text) => text as Hex)
    .optional(),
});
const typedDataSchema = z.object({
  domain: domainSchema,
  types: z
    .record(name, z.array(z.object({ name, type: z.string().max(200) })).max(fieldsMax))
    .refine(
      (types) => Object.keys(types).length <= typesMax,
      `must not have more than ${typesMax} types`,
    ),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
});
type TypedData = z.output<typeof typedDataSchema>;

export interface ReadTypedData {
  readonly hash: Hex;
  /** In lower case. */
  readonly verifyingContract: string | undefined;
}

/**
 * Hash of the typed data that is to be signed on a chain.
 * @throws validation-error naming the place, e.g. `params.typedData.message.amount`
 */
export function readTypedData(
  input: unknown,
  network: { readonly name: string; readonly chainId: number },
): ReadTypedData {
  const parsed = typedDataSchema.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw invalid(
      `params.typedData${issue.path.map((key) => `.${String(key)}`).join('')}`,
      issue.message,
    );
  }
  const { domain, types, primaryType, message } = parsed.data;
  if (domain.chainId !== undefined && domain.chainId !== network.chainId)
    throw invalid(
      'params.typedData.domain.chainId',
      `is ${domain.chainId}, but "${network.name}" has ${network.chainId}`,
    );
  if (!Object.hasOwn(types, primaryType) || primaryType === 'EIP712Domain')
    throw invalid('params.typedData.primaryType', 'is not one of the names in types');
  const value = readStruct(types, primaryType, message, 'params.typedData.message', 0);
  try {
    return {
      hash: hashTypedData({ domain, types, primaryType, message: value }),
      verifyingContract: domain.verifyingContract,
    };
  } catch (cause) {
    throw new ServiceError('validation-error', {
      message: 'params.typedData: is not typed data of EIP-712.',
      cause,
    });
  }
}

function readStruct(
  types: TypedData['types'],
  type: string,
  value: unknown,
  place: string,
  depth: number,
): Record<string, unknown> {
  if (depth > depthMax) throw invalid(place, 'is nested too deeply');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(place, `must be an object of type ${type}`);
  const fields = types[type]!;
  if (new Set(fields.map((field) => field.name)).size !== fields.length)
    throw invalid(`params.typedData.types.${type}`, 'names a field twice');
  return Object.fromEntries(
    fields.map((field) => {
      const where = `${place}.${field.name}`;
      if (!Object.hasOwn(value, field.name)) throw invalid(where, 'is required');
      return [
        field.name,
        readField(
          types,
          field.type,
          (value as Record<string, unknown>)[field.name],
          where,
          depth + 1,
        ),
      ];
    }),
  );
}

function readField(
  types: TypedData['types'],
  type: string,
  value: unknown,
  place: string,
  depth: number,
): unknown {
  if (depth > depthMax) throw invalid(place, 'is nested too deeply');
  const array = /^(.+)\[(\d*)\]$/.exec(type);
  if (array) {
    const [, element = '', length = ''] = array;
    if (!Array.isArray(value)) throw invalid(place, 'must be an array');
    if (length !== '' && value.length !== Number(length))
      throw invalid(place, `must have ${length} elements, it has ${value.length}`);
    if (value.length > elementsMax) throw invalid(place, `has more than ${elementsMax} elements`);
    return value.map((entry, index) =>
      readField(types, element, entry, `${place}[${index}]`, depth + 1),
    );
  }
  if (Object.hasOwn(types, type)) return readStruct(types, type, value, place, depth);
  const param = /^(?:tuple|function)/.test(type) ? undefined : readAbiParam({ name: '', type });
  if (!param)
    throw invalid(
      place,
      `has the type "${type.slice(0, 60)}", which is neither in types nor one of EIP-712`,
    );
  try {
    return readAbiValue(param, value, place);
  } catch (error) {
    if (error instanceof ServiceError)
      throw new ServiceError('validation-error', { message: error.message });
    throw error;
  }
}

function invalid(place: string, reason: string): ServiceError {
  return new ServiceError('validation-error', {
    message: `${place}: ${reason.replace(/\.$/, '')}.`,
  });
}
