import { bytesOfValue, encodeWord, integerOf } from './abi.ts';
import { type Hex, keccak, keccakOfText } from './hash.ts';

/** Typed data (EIP-712) as JSON carries it: integers as decimal text. */
export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string }[]>
  >;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

type Types = TypedData['types'];

const depthMax = 32;
/** In the order of EIP-712. */
const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

/** @throws TypeError when it is not typed data */
export function hashTypedData({ domain, types, primaryType, message }: TypedData): Hex {
  const all: Types = {
    EIP712Domain: domainFields.filter(({ name }) => domain[name] !== undefined),
    ...types,
  };
  if (primaryType === 'EIP712Domain') throw new TypeError('it has no message of its own');
  const head = hashStruct(all, 'EIP712Domain', domain, 0);
  return keccak(`0x1901${head.slice(2)}${hashStruct(all, primaryType, message, 0).slice(2)}`);
}

/** Reads what a service answered. @throws TypeError */
export function readTypedData(value: unknown): TypedData {
  const { domain, types, primaryType, message } = (value ?? {}) as Record<string, unknown>;
  const isRecord = (part: unknown): part is Record<string, unknown> =>
    typeof part === 'object' && part !== null && !Array.isArray(part);
  if (
    !isRecord(domain) ||
    !isRecord(types) ||
    !isRecord(message) ||
    typeof primaryType !== 'string'
  )
    throw new TypeError('it is no typed data: it needs domain, types, primaryType and message');
  for (const fields of Object.values(types))
    if (
      !Array.isArray(fields) ||
      fields.some((field) => typeof field?.name !== 'string' || typeof field?.type !== 'string')
    )
      throw new TypeError('its types are none');
  return { domain, types: types as Types, primaryType, message };
}

/** The chain id of its domain; undefined where it names none. @throws TypeError */
export function chainIdOf({ domain }: TypedData): bigint | undefined {
  return domain['chainId'] === undefined ? undefined : integerOf(domain['chainId']);
}

function hashStruct(types: Types, type: string, value: unknown, depth: number): Hex {
  const fields = Object.hasOwn(types, type) ? types[type] : undefined;
  if (!fields || typeof value !== 'object' || value === null || depth > depthMax)
    throw new TypeError(`a value is not of type ${type}`);
  const encoded = fields.map((field) =>
    encodeField(types, field.type, (value as Record<string, unknown>)[field.name], depth + 1),
  );
  return keccak(keccakOfText(encodeType(types, type)) + encoded.join(''));
}

function encodeType(types: Types, primary: string): string {
  const found = new Set<string>();
  const collect = (type: string) => {
    const base = type.replace(/\[.*$/, '');
    if (found.has(base) || !Object.hasOwn(types, base)) return;
    found.add(base);
    for (const field of types[base]!) collect(field.type);
  };
  collect(primary);
  found.delete(primary);
  return [primary, ...[...found].sort()]
    .map(
      (type) => `${type}(${types[type]!.map((field) => `${field.type} ${field.name}`).join(',')})`,
    )
    .join('');
}

function encodeField(types: Types, type: string, value: unknown, depth: number): string {
  if (type.endsWith(']')) {
    const open = type.lastIndexOf('[');
    const length = type.slice(open + 1, -1);
    if (
      !Array.isArray(value) ||
      (length !== '' && value.length !== Number(length)) ||
      depth > depthMax
    )
      throw new TypeError(`a value is not of type ${type}`);
    return keccak(
      value.map((entry) => encodeField(types, type.slice(0, open), entry, depth + 1)).join(''),
    ).slice(2);
  }
  if (Object.hasOwn(types, type)) return hashStruct(types, type, value, depth).slice(2);
  return type === 'string' || type === 'bytes'
    ? keccak(bytesOfValue(type, value)).slice(2)
    : encodeWord(type, value);
}
