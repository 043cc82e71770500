import { bcs } from '@mysten/sui/bcs';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { amountOf, coinType, contentsOf, currencyOf, mintedBy } from '../ledger/objects.ts';
import type { Argument, Command, Draft, Machine, Value } from './machine.ts';
import { aborted, arity, lacks, overflow, typeArity, wrongArgument } from './refusals.ts';
import { readAddress, readBytes, readU64, readU64s, u64Value } from './values.ts';

interface Call {
  readonly machine: Machine;
  readonly arguments: readonly Argument[];
  /** The type argument, normalised. */
  readonly type: string;
  readonly at: { readonly package: string; readonly module: string; readonly functionName: string };
}

interface Framework {
  readonly arguments: number;
  readonly types: 0 | 1;
  run(call: Call): Value[];
}

const u64Max = 2n ** 64n - 1n;
/** Codes of `0x1::string`, `0x1::ascii` and `0x2::balance`. */
const codes = { notUtf8: 1n, notAscii: 65_536n, nonZero: 0n, notEnough: 2n } as const;

/** Every function that the local chain runs; what each does is what the framework's source says. */
const functions: Readonly<Record<string, Framework>> = {
  '0x1::string::utf8': {
    arguments: 1,
    types: 0,
    run: (call) => [text(call, '0x1::string::String')],
  },
  '0x1::ascii::string': {
    arguments: 1,
    types: 0,
    run: (call) => [text(call, '0x1::ascii::String')],
  },
  '0x2::coin::value': {
    arguments: 1,
    types: 1,
    run: (call) => [u64Value(amountOf(coin(call, 0)))],
  },
  '0x2::coin::zero': {
    arguments: 0,
    types: 1,
    run: ({ machine, type }) => [machine.createCoin(type, 0n)],
  },
  '0x2::coin::split': {
    arguments: 2,
    types: 1,
    run: (call) => [split(call, coin(call, 0), u64(call, 1))],
  },
  '0x2::coin::join': {
    arguments: 2,
    types: 1,
    run: (call) => nothing(call.machine.join(coin(call, 0), taken(call, 1), 1)),
  },
  '0x2::coin::destroy_zero': { arguments: 1, types: 1, run: destroyZero },
  '0x2::coin::mint': { arguments: 2, types: 1, run: (call) => [mint(call)] },
  '0x2::coin::mint_and_transfer': { arguments: 3, types: 1, run: mintAndTransfer },
  '0x2::coin::burn': { arguments: 2, types: 1, run: burn },
  '0x2::pay::keep': {
    arguments: 1,
    types: 1,
    run: (call) => nothing(call.machine.transfer(taken(call, 0), call.machine.sender)),
  },
  '0x2::pay::split': { arguments: 2, types: 1, run: (call) => keepParts(call, [u64(call, 1)]) },
  '0x2::pay::split_vec': {
    arguments: 2,
    types: 1,
    run: (call) => keepParts(call, readU64s(value(call, 1), 1)),
  },
  '0x2::pay::split_and_transfer': { arguments: 3, types: 1, run: splitAndTransfer },
  '0x2::pay::join': {
    arguments: 2,
    types: 1,
    run: (call) => nothing(call.machine.join(coin(call, 0), taken(call, 1), 1)),
  },
  '0x2::pay::join_vec': {
    arguments: 2,
    types: 1,
    run: (call) => joinAll(call, coin(call, 0), call.machine.takeAll(call.arguments[1]!, 1)),
  },
  '0x2::pay::join_vec_and_transfer': { arguments: 2, types: 1, run: joinAndTransfer },
  '0x2::transfer::public_transfer': { arguments: 2, types: 1, run: publicTransfer },
};

/** @throws Refusal naming a function that is not in the list */
export function callFunction(machine: Machine, call: NonNullable<Command['MoveCall']>): Value[] {
  const name = `0x${BigInt(call.package).toString(16)}::${call.module}::${call.function}`;
  const found = Object.hasOwn(functions, name)
    ? functions[name]!
    : lacks(`it does not run ${name}`);
  if (call.arguments.length !== found.arguments) throw arity();
  if (call.typeArguments.length !== found.types) throw typeArity();
  const type = found.types === 1 ? normalizeStructTag(call.typeArguments[0]!) : '';
  const at = {
    package: normalizeSuiAddress(call.package),
    module: call.module,
    functionName: call.function,
  };
  return found.run({ machine, arguments: call.arguments, type, at });
}

const nothing = (_done: void): Value[] => [];
const value = ({ machine, arguments: given }: Call, index: number): Value =>
  machine.value(given[index]!, index);
const u64 = (call: Call, index: number): bigint => readU64(value(call, index), index);
const address = (call: Call, index: number): string => readAddress(value(call, index), index);

function ofType(draft: Draft, type: string, index: number): Draft {
  if (draft.type !== type) throw wrongArgument(index, 'TypeMismatch');
  return draft;
}

function coin({ machine, arguments: given, type }: Call, index: number): Draft {
  return ofType(machine.borrow(given[index]!, index), coinType(type), index);
}

function taken({ machine, arguments: given, type }: Call, index: number): Draft {
  return ofType(machine.take(given[index]!, index), coinType(type), index);
}

function text(call: Call, type: string): Value {
  const bytes = readBytes(value(call, 0), 0);
  const isAscii = type.includes('ascii');
  if (isAscii ? bytes.some((byte) => byte > 0x7f) : !isUtf8(bytes))
    throw aborted(call.at, isAscii ? codes.notAscii : codes.notUtf8);
  return {
    kind: 'data',
    type: normalizeStructTag(type),
    bytes: bcs.byteVector().serialize(bytes).toBytes(),
  };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The command fails by name where the function aborts. */
function split({ machine, at }: Call, source: Draft, amount: bigint): Value {
  if (amountOf(source) < amount)
    throw aborted({ ...at, module: 'balance', functionName: 'split' }, codes.notEnough);
  return machine.split(source, amount);
}

function destroyZero(call: Call): Value[] {
  const draft = taken(call, 0);
  if (amountOf(draft) !== 0n)
    throw aborted({ ...call.at, module: 'balance', functionName: 'destroy_zero' }, codes.nonZero);
  return nothing(call.machine.delete(draft));
}

/** The cap's number is what there is of the coin. */
function cap({ machine, arguments: given, type }: Call): Draft {
  const draft = machine.borrow(given[0]!, 0);
  if (mintedBy(draft.type) !== type) throw wrongArgument(0, 'TypeMismatch');
  return draft;
}

function mint(call: Call): Value {
  const draft = cap(call);
  const amount = u64(call, 1);
  const supply = amountOf(draft) + amount;
  if (supply > u64Max) throw overflow();
  draft.contents = contentsOf(draft.id, supply);
  return call.machine.createCoin(call.type, amount);
}

function mintAndTransfer(call: Call): Value[] {
  const minted = mint(call);
  if (minted.kind === 'object') call.machine.transfer(minted.draft, address(call, 2));
  return [];
}

function burn(call: Call): Value[] {
  const draft = cap(call);
  const burnt = taken(call, 1);
  draft.contents = contentsOf(draft.id, amountOf(draft) - amountOf(burnt));
  call.machine.delete(burnt);
  return [u64Value(amountOf(burnt))];
}

function keepParts(call: Call, amounts: readonly bigint[]): Value[] {
  const source = coin(call, 0);
  for (const amount of amounts) give(call, split(call, source, amount), call.machine.sender);
  return [];
}

function splitAndTransfer(call: Call): Value[] {
  const source = coin(call, 0);
  give(call, split(call, source, u64(call, 1)), address(call, 2));
  return [];
}

function give({ machine }: Call, part: Value, to: string): void {
  if (part.kind === 'object') machine.transfer(part.draft, to);
}

function joinAll({ machine }: Call, target: Draft, sources: readonly Draft[]): Value[] {
  for (const source of sources) machine.join(target, source, 1);
  return [];
}

function joinAndTransfer(call: Call): Value[] {
  const [target, ...rest] = call.machine.takeAll(call.arguments[0]!, 0);
  if (!target || currencyOf(target.type) !== call.type) throw wrongArgument(0, 'TypeMismatch');
  joinAll(call, target, rest);
  call.machine.transfer(target, address(call, 1));
  return [];
}

function publicTransfer(call: Call): Value[] {
  const draft = call.machine.take(call.arguments[0]!, 0);
  return nothing(call.machine.transfer(ofType(draft, call.type, 0), address(call, 1)));
}
