import { hexOfBytes } from '../bytes.ts';
import { isAddress } from './hash.ts';

/**
 * The encoding of contract calls (ABI specification), as hex without `0x`. It refuses with a
 * TypeError what does not fit its type.
 */

export interface Parameter {
  readonly name?: string;
  readonly type: string;
  readonly components?: readonly Parameter[];
}

const depthMax = 16;

/** The parameters of a signature: `f(address,(uint256,bytes)[])`. @throws TypeError */
export function parametersOf(signature: string): Parameter[] {
  const text = signature.slice(signature.indexOf('('));
  let at = 0;
  function readList(depth: number): Parameter[] {
    const found: Parameter[] = [];
    at++;
    while (text[at] !== ')') {
      if (at >= text.length || depth > depthMax)
        throw new TypeError(`"${signature}" is no signature of a function`);
      const components = text[at] === '(' ? readList(depth + 1) : undefined;
      const type = /^[^,()]*/.exec(text.slice(at))![0];
      at += type.length;
      if (text[at] === ',') at++;
      found.push(components ? { type: `tuple${type}`, components } : { type });
    }
    at++;
    return found;
  }
  return readList(0);
}

/** A parameter's type as it stands in a signature. */
export function typeOf({ type, components }: Parameter): string {
  return components
    ? `(${components.map(typeOf).join(',')})${type.slice('tuple'.length)}`
    : type.replace(/^(u?int)(?!\d)/, '$1256');
}

/** @throws TypeError */
export function encodeParameters(
  parameters: readonly Parameter[],
  values: readonly unknown[],
  depth = 0,
): string {
  if (values.length !== parameters.length)
    throw new TypeError(`${parameters.length} values are needed, and there are ${values.length}`);
  if (depth > depthMax) throw new TypeError('it is nested too deeply');
  const parts = parameters.map((parameter, index) => ({
    isDynamic: isDynamic(parameter),
    encoded: encodeOne(parameter, values[index], depth),
  }));
  let tailAt = parts.reduce(
    (sum, { isDynamic: moves, encoded }) => sum + (moves ? 32 : encoded.length / 2),
    0,
  );
  let head = '';
  let tail = '';
  for (const { isDynamic: moves, encoded } of parts) {
    head += moves ? word(BigInt(tailAt)) : encoded;
    if (!moves) continue;
    tail += encoded;
    tailAt += encoded.length / 2;
  }
  return head + tail;
}

function isDynamic({ type, components }: Parameter): boolean {
  if (type.endsWith('[]') || type === 'bytes' || type === 'string') return true;
  return type.endsWith(']')
    ? isDynamic(elementOf({ type, ...(components ? { components } : {}) }))
    : (components ?? []).some(isDynamic);
}

function elementOf({ type, components }: Parameter): Parameter {
  return { type: type.slice(0, type.lastIndexOf('[')), ...(components ? { components } : {}) };
}

function encodeOne(parameter: Parameter, value: unknown, depth: number): string {
  const { type, components } = parameter;
  if (type.endsWith(']')) {
    const length = type.slice(type.lastIndexOf('[') + 1, -1);
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      throw new TypeError(`${type} is no such list`);
    const element = elementOf(parameter);
    const encoded = encodeParameters(
      value.map(() => element),
      value,
      depth + 1,
    );
    return length === '' ? word(BigInt(value.length)) + encoded : encoded;
  }
  if (components) return encodeParameters(components, valuesOf(components, value), depth + 1);
  if (type !== 'bytes' && type !== 'string') return encodeWord(type, value);
  const bytes = bytesOfValue(type, value);
  return word(BigInt(bytes.length / 2)) + bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
}

/** Of a tuple: by position, or by name. */
function valuesOf(components: readonly Parameter[], value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null)
    throw new TypeError('a tuple is a list or an object');
  return components.map(({ name = '' }) => (value as Record<string, unknown>)[name]);
}

/** `bytes` and `string`, as hex without `0x`. @throws TypeError */
export function bytesOfValue(type: string, value: unknown): string {
  if (type === 'string' && typeof value === 'string')
    return hexOfBytes(new TextEncoder().encode(value)).slice(2);
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value))
    throw new TypeError(`a value is not of type ${type}`);
  return value.slice(2).toLowerCase();
}

/** A value that takes one word. @throws TypeError */
export function encodeWord(type: string, value: unknown): string {
  if (type === 'address' && isAddress(value)) return value.slice(2).toLowerCase().padStart(64, '0');
  if (type === 'bool' && typeof value === 'boolean') return word(value ? 1n : 0n);
  const [, base, size = ''] = /^(uint|int|bytes)(\d*)$/.exec(type) ?? [];
  if (base === 'bytes') {
    const bytes = bytesOfValue(type, value);
    if (bytes.length !== 2 * Number(size) || bytes.length > 64)
      throw new TypeError(`a value is not of type ${type}`);
    return bytes.padEnd(64, '0');
  }
  if (base === undefined) throw new TypeError(`a value is not of type ${type}`);
  const integer = integerOf(value);
  const bits = BigInt(size === '' ? 256 : size);
  const [min, max] =
    base === 'uint' ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
  if (integer < min || integer > max) throw new TypeError(`a value is outside of ${type}`);
  return word(integer < 0n ? (1n << 256n) + integer : integer);
}

/** Decimal or hex text, or a number that JSON carries exactly. @throws TypeError */
export function integerOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value))
    return BigInt(value);
  throw new TypeError('a value is no integer');
}

export function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

/** Reads words of calldata, behind its selector. @throws TypeError past its end */
export function createReader(data: string) {
  const body = data.slice(10);
  const wordAt = (byte: number): bigint => {
    const text = body.slice(2 * byte, 2 * byte + 64);
    if (text.length !== 64) throw new TypeError('the calldata ends too early');
    return BigInt(`0x${text}`);
  };
  return {
    integer: wordAt,
    number: (byte: number): number => Number(wordAt(byte)),
    hex: (byte: number): `0x${string}` => `0x${word(wordAt(byte))}`,
    address: (byte: number): `0x${string}` => `0x${word(wordAt(byte)).slice(24)}`,
  };
}
