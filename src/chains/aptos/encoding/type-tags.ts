import { type BcsType, bcs } from '@mysten/bcs';
import { longAddress, shortAddress } from './addresses.ts';
import { address } from './primitives.ts';

/** A type of Move. Words are the types without parts. */
export type TypeTag =
  | { readonly kind: Word }
  | { readonly kind: 'vector'; readonly of: TypeTag }
  | StructTag;

export interface StructTag {
  readonly kind: 'struct';
  readonly address: string;
  readonly module: string;
  readonly name: string;
  readonly typeArgs: readonly TypeTag[];
}

const words = ['bool', 'u8', 'u64', 'u128', 'address', 'signer', 'u16', 'u32', 'u256'] as const;
type Word = (typeof words)[number];
const isWord = (text: string): text is Word => (words as readonly string[]).includes(text);

const structTag: BcsType<StructTag> = bcs.lazy(() =>
  bcs
    .struct('StructTag', {
      address,
      module: bcs.string(),
      name: bcs.string(),
      typeArgs: bcs.vector(typeTag),
    })
    .transform({
      input: ({ typeArgs, ...rest }: StructTag) => ({ ...rest, typeArgs: [...typeArgs] }),
      output: toStruct,
    }),
);

function toStruct(parts: Omit<StructTag, 'kind'>): StructTag {
  return { kind: 'struct', ...parts };
}

/** In the order of their variants, which is the network's. */
const wire = bcs.enum('TypeTag', {
  bool: null,
  u8: null,
  u64: null,
  u128: null,
  address: null,
  signer: null,
  vector: bcs.lazy((): BcsType<TypeTag> => typeTag),
  struct: structTag,
  u16: null,
  u32: null,
  u256: null,
});

export const typeTag: BcsType<TypeTag> = wire.transform({
  input: (tag: TypeTag) => {
    if (tag.kind === 'vector') return { vector: tag.of };
    return tag.kind === 'struct'
      ? { struct: tag }
      : ({ [tag.kind]: true } as { readonly bool: true });
  },
  output: (value): TypeTag => {
    if (value.$kind === 'vector') return { kind: 'vector', of: value.vector };
    return value.$kind === 'struct' ? value.struct : { kind: value.$kind };
  },
}) as BcsType<TypeTag>;

/** How deep the network lets types stand in each other. */
const depthMax = 8;
const lengthMax = 512;
const identifier = /^[A-Za-z_][A-Za-z0-9_]*/;

/** Reads e.g. `0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>`. @throws Error */
export function parseTypeTag(text: string): TypeTag {
  if (text.length > lengthMax) throw new Error(`no type: longer than ${lengthMax} characters`);
  const source = { text, at: 0 };
  const tag = readTag(source, 1);
  if (source.at !== text.length) throw new Error(`no type: ${text.slice(0, 80)}`);
  return tag;
}

interface Source {
  readonly text: string;
  at: number;
}

function readTag(source: Source, depth: number): TypeTag {
  if (depth > depthMax) throw new Error(`no type: deeper than ${depthMax}`);
  const found = /^0x[0-9a-fA-F]{1,64}(?=::)/.exec(source.text.slice(source.at))?.[0];
  if (found === undefined) return readWord(source, depth);
  source.at += found.length;
  const [module, name] = [readName(source), readName(source)];
  const typeArgs = peek(source) === '<' ? readArguments(source, depth) : [];
  return { kind: 'struct', address: longAddress(found), module, name, typeArgs };
}

function readWord(source: Source, depth: number): TypeTag {
  const word = identifier.exec(source.text.slice(source.at))?.[0] ?? '';
  source.at += word.length;
  if (isWord(word)) return { kind: word };
  const [of, ...more] = word === 'vector' ? readArguments(source, depth) : [];
  if (!of || more.length > 0) throw new Error(`no type: ${source.text.slice(0, 80)}`);
  return { kind: 'vector', of };
}

function readName(source: Source): string {
  const name =
    source.text.startsWith('::', source.at) &&
    identifier.exec(source.text.slice(source.at + 2))?.[0];
  if (!name) throw new Error(`no type: ${source.text.slice(0, 80)}`);
  source.at += 2 + name.length;
  return name;
}

function readArguments(source: Source, depth: number): TypeTag[] {
  const found: TypeTag[] = [];
  if (peek(source) !== '<') return found;
  do {
    source.at++;
    while (peek(source) === ' ') source.at++;
    found.push(readTag(source, depth + 1));
  } while (peek(source) === ',');
  if (peek(source) !== '>') throw new Error(`no type: ${source.text.slice(0, 80)}`);
  source.at++;
  return found;
}

const peek = ({ text, at }: Source) => text[at];

/** The one spelling: special addresses short, others in full, no spaces. */
export function formatTypeTag(tag: TypeTag): string {
  if (tag.kind === 'vector') return `vector<${formatTypeTag(tag.of)}>`;
  if (tag.kind !== 'struct') return tag.kind;
  const rest = tag.typeArgs.length === 0 ? '' : `<${tag.typeArgs.map(formatTypeTag).join(',')}>`;
  return `${shortAddress(tag.address)}::${tag.module}::${tag.name}${rest}`;
}
