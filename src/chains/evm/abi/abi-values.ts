import { type AbiParameter, encodeAbiParameters } from 'viem';
import { ServiceError } from '../../../lib/errors.ts';
import { type Hex, isEvmAddress, wordOf, wordOfAddress, wordOfSigned } from './words.ts';

/**
 * Arguments of a contract call as they arrive in JSON, checked against the ABI's types and encoded.
 * Integers may be decimal or hex text, or a number that JSON carries exactly; everything refused is
 * named by its place.
 */

/** A parameter of an ABI entry, checked: its type is one that the ABI specification has. */
export interface AbiParam {
  readonly name: string;
  /** Canonical, e.g. `uint256` for `uint`, `tuple[2]`. */
  readonly type: string;
  readonly components?: readonly AbiParam[];
}

const typePattern = /^(uint|int|address|bool|bytes|string|function|tuple)(\d*)((?:\[\d*\])*)$/;
const depthMax = 8;
const componentsMax = 64;
const nameLengthMax = 128;
const elementsMax = 10_000;
const decimalPattern = /^-?\d{1,78}$/;
const hexIntegerPattern = /^0x[0-9a-fA-F]{1,64}$/;
const bytesPattern = /^0x(?:[0-9a-fA-F]{2})*$/;

/** Reads one entry of `inputs`; undefined when it is not a parameter of an ABI. */
export function readAbiParam(value: unknown, depth = 0): AbiParam | undefined {
  if (typeof value !== 'object' || value === null || depth > depthMax) return undefined;
  const {
    name = '',
    type,
    components,
  } = value as { name?: unknown; type?: unknown; components?: unknown };
  if (typeof name !== 'string' || name.length > nameLengthMax || typeof type !== 'string')
    return undefined;
  const canonical = canonicalType(type);
  if (canonical === undefined) return undefined;
  if (!canonical.startsWith('tuple')) return { name, type: canonical };
  const members = readAbiParams(components, depth + 1);
  return members && { name, type: canonical, components: members };
}

/** Reads `inputs` or `components`; undefined when they are not parameters of an ABI. */
export function readAbiParams(value: unknown, depth = 0): AbiParam[] | undefined {
  if (!Array.isArray(value) || value.length > componentsMax) return undefined;
  const params: AbiParam[] = [];
  for (const entry of value) {
    const param = readAbiParam(entry, depth);
    if (!param) return undefined;
    params.push(param);
  }
  return params;
}

function canonicalType(text: string): string | undefined {
  const match = text.length <= 64 ? typePattern.exec(text) : null;
  if (!match) return undefined;
  const [, base = '', size = '', suffix = ''] = match;
  if (base === 'uint' || base === 'int') {
    const bits = size === '' ? 256 : Number(size);
    return bits >= 8 && bits <= 256 && bits % 8 === 0 && !size.startsWith('0')
      ? `${base}${bits}${suffix}`
      : undefined;
  }
  if (base === 'bytes')
    return size === '' || (Number(size) >= 1 && Number(size) <= 32 && !size.startsWith('0'))
      ? text
      : undefined;
  if (size !== '') return undefined;
  return base === 'function' ? `bytes24${suffix}` : text;
}

/** The type as it stands in a function's signature: tuples are written out. */
export function signatureType(param: AbiParam): string {
  return param.components
    ? `(${param.components.map(signatureType).join(',')})${param.type.slice('tuple'.length)}`
    : param.type;
}

/**
 * The ABI encoding of the arguments, without `0x`.
 * @throws transaction-invalid naming the argument, e.g. `params.calls[0].args[1] (amount, uint256)`
 */
export function encodeArguments(
  params: readonly AbiParam[],
  args: readonly unknown[],
  place: string,
): string {
  const values = params.map((param, index) =>
    readAbiValue(param, args[index], `${place}[${index}]`, 0),
  );
  if (params.every(isWord))
    return values.map((value, index) => encodeWord(params[index]!.type, value)).join('');
  try {
    return encodeAbiParameters(params as readonly AbiParameter[], values as never).slice(2);
  } catch (cause) {
    throw new ServiceError('transaction-invalid', {
      message: `${place}: cannot be encoded as the abi has it.`,
      cause,
    });
  }
}

/**
 * Types that take one word each: the arguments of most calls, encoded without a generic encoder.
 */
function isWord({ type }: AbiParam): boolean {
  return !type.endsWith(']') && type !== 'string' && type !== 'bytes' && !type.startsWith('tuple');
}

function encodeWord(type: string, value: unknown): string {
  if (type === 'address') return wordOfAddress(value as string);
  if (type === 'bool') return wordOf(value ? 1 : 0);
  if (type.startsWith('bytes')) return (value as string).slice(2).padEnd(64, '0');
  return wordOfSigned(value as bigint);
}

/**
 * The value as the encoders take it: bigint, `0x` text, boolean, text, array.
 * @throws transaction-invalid
 */
export function readAbiValue(param: AbiParam, value: unknown, place: string, depth = 0): unknown {
  const { type } = param;
  const where = `${place} (${param.name === '' ? '' : `${param.name}, `}${type})`;
  if (depth > depthMax) throw invalid(where, 'is nested too deeply.');
  if (type.endsWith(']')) return readArray(param, value, place, where, depth);
  if (param.components) return readTuple(param.components, value, place, where, depth);
  if (type.startsWith('uint') || type.startsWith('int')) return readInteger(type, value, where);
  if (type === 'address') {
    if (typeof value !== 'string' || !isEvmAddress(value))
      throw invalid(where, 'must be an address: 0x and 40 hex characters.');
    return value.toLowerCase();
  }
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw invalid(where, 'must be true or false.');
    return value;
  }
  if (type === 'string') {
    if (typeof value !== 'string') throw invalid(where, 'must be a text.');
    return value;
  }
  return readBytes(type, value, where);
}

function readArray(
  param: AbiParam,
  value: unknown,
  place: string,
  where: string,
  depth: number,
): unknown[] {
  const open = param.type.lastIndexOf('[');
  const length = param.type.slice(open + 1, -1);
  if (!Array.isArray(value)) throw invalid(where, 'must be an array.');
  if (length !== '' && value.length !== Number(length))
    throw invalid(where, `must have ${Number(length)} elements, it has ${value.length}.`);
  if (value.length > elementsMax) throw invalid(where, `has more than ${elementsMax} elements.`);
  const element: AbiParam = { ...param, name: '', type: param.type.slice(0, open) };
  return value.map((entry, index) => readAbiValue(element, entry, `${place}[${index}]`, depth + 1));
}

/** Tuples by position, or by the names of their members. */
function readTuple(
  components: readonly AbiParam[],
  value: unknown,
  place: string,
  where: string,
  depth: number,
): unknown[] {
  const isList = Array.isArray(value);
  if (!isList && (typeof value !== 'object' || value === null))
    throw invalid(where, 'must be an object with the names of the tuple, or an array.');
  if (isList && value.length !== components.length)
    throw invalid(where, `must have ${components.length} elements, it has ${value.length}.`);
  return components.map((component, index) => {
    if (isList) return readAbiValue(component, value[index], `${place}[${index}]`, depth + 1);
    return readAbiValue(
      component,
      Object.hasOwn(value, component.name)
        ? (value as Record<string, unknown>)[component.name]
        : undefined,
      `${place}.${component.name}`,
      depth + 1,
    );
  });
}

function readInteger(type: string, value: unknown, where: string): bigint {
  const signed = type.startsWith('int');
  const integer = toInteger(value, where);
  const bits = BigInt(type.slice(signed ? 3 : 4));
  const min = signed ? -(1n << (bits - 1n)) : 0n;
  const max = (signed ? 1n << (bits - 1n) : 1n << bits) - 1n;
  if (integer < min || integer > max) throw invalid(where, `must be between ${min} and ${max}.`);
  return integer;
}

function toInteger(value: unknown, where: string): bigint {
  if (typeof value === 'string' && (decimalPattern.test(value) || hexIntegerPattern.test(value)))
    return BigInt(value);
  if (typeof value !== 'number')
    throw invalid(where, 'must be an integer, as decimal text, e.g. "1000000".');
  // A larger number has lost digits before it came here.
  if (!Number.isSafeInteger(value))
    throw invalid(
      where,
      'is a number that JSON does not carry exactly: send it as decimal text, e.g. "1000000000000000000".',
    );
  return BigInt(value);
}

function readBytes(type: string, value: unknown, where: string): Hex {
  if (typeof value !== 'string' || !bytesPattern.test(value))
    throw invalid(where, 'must be 0x and an even number of hex characters.');
  const size = type === 'bytes' ? undefined : Number(type.slice('bytes'.length));
  if (size !== undefined && value.length !== 2 + 2 * size)
    throw invalid(where, `must have ${size} bytes, it has ${(value.length - 2) / 2}.`);
  return value as Hex;
}

function invalid(where: string, reason: string): ServiceError {
  return new ServiceError('transaction-invalid', { message: `${where}: ${reason}` });
}
