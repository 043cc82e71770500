/**
 * Assembles a WebAssembly module with keccak-f[1600] over 64-bit lanes held in locals, once, at import. JavaScript has to
 * split every lane into two 32-bit halves, which is where its time goes.
 *
 * Memory: the state at 0 (25 lanes), the round constants behind it, then input.
 */

/** Not among the types of ECMAScript or Node.js; only what is used here. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface KeccakInstance {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Empties the state. */
  reset(): void;
  /** Absorbs so many blocks of 136 bytes from the input area. */
  absorb(blocks: number): void;
}

const laneCount = 25;
const rateLanes = 17;
const roundCount = 24;
const constantsOffset = 256;
const inputOffset = 512;
const pageBytes = 65_536;
const blocksMax = Math.floor((pageBytes - inputOffset) / (rateLanes * 8));

// Opcodes of the WebAssembly core specification, section 5.4.
const op = { loop: 0x03, end: 0x0b, brIf: 0x0d, localGet: 0x20, localSet: 0x21, localTee: 0x22, i64Load: 0x29, i64Store: 0x37, i32Const: 0x41, i64Const: 0x42, i32LtU: 0x49, i32Add: 0x6a, i32Sub: 0x6b, i64And: 0x83, i64Xor: 0x85, i64Rotl: 0x89 } as const;
const type = { i32: 0x7f, i64: 0x7e, func: 0x60, empty: 0x40 } as const;

// Locals of `absorb`: two i32 and its parameter, then lanes and temporaries.
const blocksLeft = 0;
const inputAt = 1;
const roundAt = 2;
const lane = (index: number) => 3 + index;
const temporary = (index: number) => 3 + laneCount + index;
const temporaryCount = 10;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

const get = (local: number) => [op.localGet, ...unsigned(local)];
const set = (local: number) => [op.localSet, ...unsigned(local)];
const tee = (local: number) => [op.localTee, ...unsigned(local)];
const i32 = (value: number) => [op.i32Const, ...signed(value)];
const i64 = (value: number) => [op.i64Const, ...signed(value)];
/** Lanes are aligned to 8 bytes: 2^3. */
const load = (offset: number) => [op.i64Load, 3, ...unsigned(offset)];
const store = (offset: number) => [op.i64Store, 3, ...unsigned(offset)];
const rotl = (bits: number) => [...i64(bits), op.i64Rotl];
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Round constants and rotations from their definitions (FIPS 202, sections 3.2.2 and 3.2.5). */
function roundConstants(): bigint[] {
  let register = 1;
  const nextBit = () => {
    const bit = register & 1;
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    return bit;
  };
  return range(roundCount).map(() => range(7).reduce((constant, power) => (nextBit() ? constant ^ (1n << ((1n << BigInt(power)) - 1n)) : constant), 0n));
}

function theta(): number[] {
  const columns = range(5).flatMap((x) => [...get(lane(x)), ...range(4).flatMap((y) => [...get(lane(x + 5 * (y + 1))), op.i64Xor]), ...set(temporary(x))]);
  const effects = range(5).flatMap((x) => [...get(temporary((x + 4) % 5)), ...get(temporary((x + 1) % 5)), ...rotl(1), op.i64Xor, ...set(temporary(5 + x))]);
  const mixes = range(laneCount).flatMap((index) => [...get(lane(index)), ...get(temporary(5 + (index % 5))), op.i64Xor, ...set(lane(index))]);
  return [...columns, ...effects, ...mixes];
}

function rhoAndPi(): number[] {
  const code = [...get(lane(1)), ...set(temporary(0))];
  let x = 1;
  let y = 0;
  for (let step = 0; step < 24; step++) {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    const target = lane(x + 5 * y);
    const bits = (((step + 1) * (step + 2)) / 2) % 64;
    code.push(...get(target), ...set(temporary(1)), ...get(temporary(0)), ...rotl(bits), ...set(target), ...get(temporary(1)), ...set(temporary(0)));
  }
  return code;
}

function chi(): number[] {
  return range(5).flatMap((y) => {
    const copies = range(5).flatMap((x) => [...get(lane(x + 5 * y)), ...set(temporary(x))]);
    const rows = range(5).flatMap((x) => [...get(temporary(x)), ...get(temporary((x + 1) % 5)), ...i64(-1), op.i64Xor, ...get(temporary((x + 2) % 5)), op.i64And, op.i64Xor, ...set(lane(x + 5 * y))]);
    return [...copies, ...rows];
  });
}

function absorbBody(): number[] {
  const iota = [...get(lane(0)), ...get(roundAt), ...load(constantsOffset), op.i64Xor, ...set(lane(0))];
  const nextRound = [...get(roundAt), ...i32(8), op.i32Add, ...tee(roundAt), ...i32(8 * roundCount), op.i32LtU, op.brIf, 0];
  const nextBlock = [...get(inputAt), ...i32(8 * rateLanes), op.i32Add, ...set(inputAt), ...get(blocksLeft), ...i32(1), op.i32Sub, ...tee(blocksLeft), op.brIf, 0];
  return [
    ...range(laneCount).flatMap((index) => [...i32(8 * index), ...load(0), ...set(lane(index))]),
    ...i32(inputOffset), ...set(inputAt),
    op.loop, type.empty,
    ...range(rateLanes).flatMap((index) => [...get(lane(index)), ...get(inputAt), ...load(8 * index), op.i64Xor, ...set(lane(index))]),
    ...i32(0), ...set(roundAt),
    op.loop, type.empty, ...theta(), ...rhoAndPi(), ...chi(), ...iota, ...nextRound, op.end,
    ...nextBlock,
    op.end,
    ...range(laneCount).flatMap((index) => [...i32(8 * index), ...get(lane(index)), ...store(0)]),
  ];
}

const vector = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()];
const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content];
const name = (text: string) => [text.length, ...Buffer.from(text, 'ascii')];

function body(locals: readonly (readonly number[])[], code: readonly number[]): number[] {
  const content = [...vector(locals), ...code, op.end];
  return [...unsigned(content.length), ...content];
}

function assemble(): Uint8Array {
  const constants = Buffer.alloc(8 * roundCount);
  roundConstants().forEach((constant, round) => constants.writeBigUInt64LE(constant, 8 * round));
  const resetBody = range(laneCount).flatMap((index) => [...i32(8 * index), ...i64(0), ...store(0)]);
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, vector([[type.func, 0, 0], [type.func, 1, type.i32, 0]])),
    ...section(3, vector([[0], [1]])),
    ...section(5, vector([[0, 1]])),
    ...section(7, vector([[...name('memory'), 2, 0], [...name('reset'), 0, 0], [...name('absorb'), 0, 1]])),
    ...section(10, vector([body([], resetBody), body([[2, type.i32], [laneCount + temporaryCount, type.i64]], absorbBody())])),
    ...section(11, vector([[0, ...i32(constantsOffset), op.end, ...unsigned(constants.length), ...constants]])),
  ]);
}

export const keccakModule = {
  inputOffset,
  blocksMax,
  instance: new WebAssembly.Instance(new WebAssembly.Module(assemble())).exports as unknown as KeccakInstance,
} as const;
